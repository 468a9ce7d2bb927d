#!/bin/sh
# The floor of an attempt: the git commands and processes that it takes, one after
# the other, though ralph does the work of some of them in its own process. An agent that appends a byte, the commit of it
# with both waits for the disk, the checkout for the gates, a gate.
#
# attempt.sh REPOSITORY AGENT-TREE GATE-TREE BRANCH COUNT
set -eu
repo=$1 agent=$2 gate=$3 branch=refs/heads/$4 count=$5
export GIT_COMMON_DIR="$repo/.git"
of_agent=$(git -C "$agent" rev-parse --absolute-git-dir)
of_gate=$(git -C "$gate" rev-parse --absolute-git-dir)
head=$(git -C "$repo" rev-parse "$branch")
file=d00/f00.txt

in_repo() { GIT_DIR=$GIT_COMMON_DIR git "$@"; }
in_agent() { GIT_DIR=$of_agent GIT_WORK_TREE=$agent git "$@"; }
in_gate() { GIT_DIR=$of_gate GIT_WORK_TREE=$gate git "$@"; }

while [ "$count" -gt 0 ]; do
	count=$((count - 1))
	cd "$agent"
	sh -c "printf x >> $file" > ../agent.txt < /dev/null

	in_agent ls-files -v -z > ../answer
	in_agent status --porcelain=v2 --branch -z --untracked-files=all --no-renames --ignore-submodules=dirty --no-ahead-behind > ../answer
	printf '%s\0' $file | in_agent update-index -z --add --remove --replace --stdin
	tree=$(in_agent write-tree)
	new=$(echo work | in_repo commit-tree "$tree" -p "$head")
	sync -f "$repo/.git"
	GIT_DIR=$of_agent git update-ref --no-deref --create-reflog -m floor "$branch" "$new" "$head"
	sync -f "$repo/.git"
	in_repo diff-tree -r --no-ext-diff --no-textconv --no-color --name-status -z --no-renames "$head" "$new" -- > ../answer
	in_repo diff-tree -r --no-ext-diff --no-textconv --no-color -p --full-index --find-renames "$head" "$new" -- > ../diff.patch

	cd "$gate"
	in_gate checkout --quiet -f --detach "$new" --
	in_gate clean -ffd --quiet
	in_gate diff-files -z --name-only --no-ext-diff --ignore-submodules=dirty > ../answer
	sh -c "exit 1" > ../gate.txt < /dev/null || true
	head=$new
done
