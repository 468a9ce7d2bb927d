//go:build linux

package local_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestDamagedWhileNobodyLooked breaks something after a crash in the middle of
// the second attempt. The loop goes on all the same, and ends as without it.
func TestDamagedWhileNobodyLooked(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	tests := map[string]func(*testing.T, world, loop.State){
		"worktree deleted": func(t *testing.T, w world, s loop.State) {
			must(t, os.RemoveAll(s.Worktree))
		},
		"gate worktree deleted": func(t *testing.T, w world, s loop.State) {
			must(t, os.RemoveAll(s.GateTree))
		},
		"all worktrees deleted and forgotten": func(t *testing.T, w world, s loop.State) {
			must(t, os.RemoveAll(w.trees()))
			w.git(t, "worktree", "prune", "--expire=now")
		},
		"worktree emptied": func(t *testing.T, w world, s loop.State) {
			must(t, os.RemoveAll(s.Worktree))
			must(t, os.Mkdir(s.Worktree, 0o700))
		},
		"registration lost": func(t *testing.T, w world, s loop.State) {
			must(t, os.RemoveAll(filepath.Join(w.repo(), ".git", "worktrees", filepath.Base(s.Worktree))))
		},
		"locks left": func(t *testing.T, w world, s loop.State) {
			for _, name := range []string{"agent-1/index.lock", "agent-1/HEAD.lock", "gate-1/index.lock"} {
				must(t, os.WriteFile(filepath.Join(w.repo(), ".git", "worktrees", name), nil, 0o600))
			}
			must(t, os.WriteFile(filepath.Join(w.repo(), ".git", "refs", "heads", filepath.FromSlash(s.Branch)+".lock"), nil, 0o600))
		},
		"index damaged": func(t *testing.T, w world, s loop.State) {
			for _, name := range []string{"agent-1/index", "gate-1/index"} {
				must(t, os.WriteFile(filepath.Join(w.repo(), ".git", "worktrees", name), []byte("no index"), 0o600))
			}
		},
		"views deleted": func(t *testing.T, w world, s loop.State) {
			must(t, os.RemoveAll(filepath.Join(w.repo(), ".ralph")))
		},
		"loop's files deleted": func(t *testing.T, w world, s loop.State) {
			l, _ := w.show(t, s.ID)
			must(t, os.RemoveAll(l.Dir))
		},
	}
	for name, damage := range tests {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			for i, point := range []string{"after:attempt_began", "before:committed", "after:committed", "after:gate_ended", "after:agent_ended"} {
				if i%2 != len(name)%2 && !tier.Long() {
					continue
				}
				w, o := newWorld(t, s)
				o.Acts[second(points, point)] = "kill"
				if _, killed := o.run1(t, "start"); !killed {
					t.Fatal("not killed")
				}
				l, _ := w.released(t, o.Spec.ID)
				damage(t, w, l.State)
				o.toTheEnd(t, w)
				w.compare(t, o.Spec.ID, want)
			}
		})
	}
}

// second is the number of a point in the second attempt.
func second(points []string, name string) int {
	began := 0
	for i, p := range points {
		if p == "before:attempt_began" {
			began++
		}
		if began == 2 && p == name {
			return i + 1
		}
	}
	return 0
}

// TestDeletedUnderALivingLoop: the agent, or somebody, deletes a worktree while
// the loop runs. What was not committed is lost, which is said; the tree is made
// again and set up again, and no attempt is used.
func TestDeletedUnderALivingLoop(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "with setup")
	s.script = `attempts:
- [{write: {path: lost.txt, text: lost}}, {sh: 'test -e ../deleted || { touch ../deleted; rm -rf "$PWD"; }'}]
- [{sh: test -f deps/log && test -f secret.env && echo 1 >answer.txt}, {sh: 'rm -rf "$(dirname "$PWD")"/gate-1'}]
- [{sh: test -f deps/log && echo 3 >answer.txt}]
`
	w, o := newWorld(t, s)
	o.Spec.Limits.BackOff = time.Millisecond
	o.toTheEnd(t, w)
	w.sound(t, o.Spec.ID)
	l, _ := w.show(t, o.Spec.ID)
	if l.State.Status != loop.StatusPassed || l.State.Iteration != 3 {
		t.Errorf("%s/%s at %d: %s", l.State.Status, l.State.Reason, l.State.Iteration, l.State.Message)
	}
	if n := l.State.Recent[0].Interruptions; n != 1 {
		t.Errorf("the first attempt has %d interruptions", n)
	}
}

// TestBranchMoved: somebody moves the loop's branch while nobody runs it.
func TestBranchMoved(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	tests := map[string]struct {
		move func(*testing.T, world, loop.State)
		note string
	}{
		"forward": {func(t *testing.T, w world, s loop.State) {
			tree := w.git(t, "rev-parse", s.Branch+"^{tree}")
			w.git(t, "update-ref", "refs/heads/"+s.Branch, w.git(t, "commit-tree", tree, "-p", s.Branch, "-m", "Somebody else's"))
		}, ""},
		"back": {func(t *testing.T, w world, s loop.State) {
			w.git(t, "update-ref", "refs/heads/"+s.Branch, s.Base)
		}, "rewrote history"},
		"deleted": {func(t *testing.T, w world, s loop.State) {
			w.git(t, "update-ref", "-d", "refs/heads/"+s.Branch)
		}, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Acts[second(points, "after:attempt_began")] = "kill"
			o.run1(t, "start")
			l, _ := w.released(t, o.Spec.ID)
			tt.move(t, w, l.State)
			o.toTheEnd(t, w)
			w.sound(t, o.Spec.ID)
			l, _ = w.show(t, o.Spec.ID)
			if l.State.Status != loop.StatusPassed || l.State.Iteration != 3 {
				t.Errorf("%s/%s at %d: %s", l.State.Status, l.State.Reason, l.State.Iteration, l.State.Message)
			}
			if notes := strings.Join(l.State.Recent[1].Notes, "\n"); !strings.Contains(notes, tt.note) {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
			if got := w.git(t, "rev-parse", l.State.Branch); got != l.State.Commit {
				t.Errorf("the branch is at %s, the loop at %s", got, l.State.Commit)
			}
			if tip := w.ledger(t, o.Spec.ID).Attempts[2].Tree; tip != want.Attempts[2].Tree {
				t.Errorf("another tree: %s", tip)
			}
		})
	}
}

// TestRepositoryMoved: the whole repository is somewhere else when the loop goes
// on; its worktrees stayed.
func TestRepositoryMoved(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	w, o := newWorld(t, s)
	o.Acts[second(points, "after:attempt_began")] = "kill"
	o.run1(t, "start")
	w.released(t, o.Spec.ID)
	there := world{roomFor(t)}
	must(t, os.MkdirAll(there.disk(), 0o700))
	must(t, os.Rename(w.repo(), there.repo()))
	o.Home = there.home
	o.toTheEnd(t, there)
	there.sound(t, o.Spec.ID)
	if diff := cmp.Diff(want, there.ledger(t, o.Spec.ID)); diff != "" {
		t.Error(diff)
	}
}
