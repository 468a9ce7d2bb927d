#!/bin/sh
# The floor of a plan: what its tasks cost when a script does them, one after the
# other: a tree for the agent, an agent that appends a byte, its commit, a tree
# for the gates, a gate, the landing in a tree of its own, the gate again on what
# came of it, and a wait for the disk after each of the two commits.
#
# plan.sh REPOSITORY TREES COUNT
set -eu
repo=$1 trees=$2 count=$3
mkdir -p "$trees"
branch=landed-$(basename "$trees")
git -C "$repo" worktree add --quiet -b "$branch" "$trees/landing"
n=0
while [ "$n" -lt "$count" ]; do
	n=$((n + 1))
	task=$branch-$n
	git -C "$repo" worktree add --quiet -b "$task" "$trees/agent-$n" "$branch"
	(cd "$trees/agent-$n" && sh -c "printf x >> d00/f$(printf %02d $((n % 100))).txt" > "$trees/agent.txt" < /dev/null)
	git -C "$trees/agent-$n" status --porcelain > "$trees/answer"
	git -C "$trees/agent-$n" add --all
	git -C "$trees/agent-$n" commit --quiet --message "task $n"
	sync -f "$repo/.git"
	git -C "$repo" diff "$branch" "$task" > "$trees/diff-$n.patch"
	git -C "$repo" worktree add --quiet --detach "$trees/gate-$n" "$task"
	(cd "$trees/gate-$n" && sh -c "exit 0" > "$trees/gate.txt" < /dev/null)
	git -C "$trees/landing" merge --quiet --no-ff --message "land $n" "$task"
	git -C "$trees/landing" status --porcelain > "$trees/answer"
	(cd "$trees/landing" && sh -c "exit 0" > "$trees/gate.txt" < /dev/null)
	sync -f "$repo/.git"
	git -C "$repo" worktree remove --force "$trees/agent-$n"
	git -C "$repo" worktree remove --force "$trees/gate-$n"
done
