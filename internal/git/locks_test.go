package git

import (
	"os"
	"path/filepath"
	"testing"
)

// dies returns a git that a signal ends once, in its first run of a command, after it
// has made a lock. GIT_DIR is where it works.
func (f *fixture) dies(command, lock string) string {
	f.t.Helper()
	return f.script(f.root, "git-"+command, `case "$*" in
*"`+command+`"*) if ! test -e "`+f.root+`/killed-`+command+`"; then
	: > "`+f.root+`/killed-`+command+`"; : > "`+lock+`"; kill -9 $$
fi;;
esac
exec `+f.program+` "$@"
`)
}

// A signal ends ralph's own git in the user's repository: the lock that it made goes
// with it, and the same call again completes the work.
func TestAKilledGitLeavesNoLock(t *testing.T) {
	t.Parallel()
	for command, lock := range map[string]string{
		"read-tree": "index.lock", "update-index": "index.lock", "update-ref": "refs/heads/main.lock", "update-ref --no-deref": "HEAD.lock",
	} {
		t.Run(lock+" of "+command, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t)
			next := f.newCommit("next")
			lock := filepath.Join(f.dir, ".git", filepath.FromSlash(lock))
			f.program = f.dies(command, lock)
			if err := f.AdvanceBranch(t.Context(), "main", next, f.base); err == nil {
				t.Fatal("no git was killed: this test tests nothing")
			}
			if exists(lock) {
				t.Error("its lock stayed")
			}
			if err := f.AdvanceBranch(t.Context(), "main", next, f.base); err != nil || f.git("rev-parse", "HEAD") != next {
				t.Errorf("again: %v", err)
			}
		})
	}
}

// A lock that was there before is somebody else's.
func TestAKilledGitLeavesTheLocksOfOthers(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	lock := filepath.Join(f.dir, ".git/refs/heads/main.lock")
	f.write(filepath.Dir(lock), "main.lock", "theirs")
	f.program = f.dies("update-ref", filepath.Join(f.root, "unrelated"))
	if err := f.UpdateRef(t.Context(), heads+"main", f.newCommit("next"), f.base); err == nil {
		t.Fatal("no git was killed: this test tests nothing")
	}
	if got, err := os.ReadFile(lock); string(got) != "theirs" {
		t.Errorf("%q, %v", got, err)
	}
}

// An agent that a time-out or a signal ends in the middle of its own commit leaves
// the lock on the branch: ralph's commit of its work is not hindered.
func TestCommitAfterTheAgentsGitWasKilled(t *testing.T) {
	t.Parallel()
	for _, inPlace := range []bool{false, true} {
		f := newFixture(t)
		tree := f.dir
		if inPlace {
			f.git("branch", "ralph/w")
		} else {
			tree = f.worktree("w", "ralph/w")
		}
		f.write(tree, "x", "x")
		f.write(filepath.Join(f.dir, ".git/refs/heads/ralph"), "w.lock", "")
		if id, made := f.commit(tree, CommitOptions{Branch: "ralph/w", InPlace: inPlace}); !made || f.git("rev-parse", "ralph/w") != id {
			t.Errorf("in place %v: commit %s, made %v", inPlace, id, made)
		}
	}
}

// The owner of a run removes the lock that a power cut left on one of its refs.
func TestALockOnARefOfARun(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	ref, next := heads+"ralph/plan/_landed", f.newCommit("next")
	lock := func() {
		f.write(f.dir, ".git/"+ref+".lock", "")
		f.write(f.dir, ".git/"+heads+"ralph/plan/other.lock", "")
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"start", func() error { return f.StartBranch(t.Context(), "ralph/plan/other", f.base) }},
		{"create", func() error { return f.UpdateRef(t.Context(), ref, f.base, "") }},
		{"move", func() error { return f.UpdateRef(t.Context(), ref, next, f.base) }},
		{"delete", func() error { return f.deleteRef(t.Context(), ref, next) }},
	} {
		lock()
		if err := step.do(); err != nil {
			t.Errorf("%s: %v", step.name, err)
		}
	}
}
