//go:build linux

package local_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestAStepThatAlwaysCrashes: an attempt whose agent or gate takes ralph down
// with it again and again counts as used in the end.
func TestAStepThatAlwaysCrashes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		point string
		want  func(loop.Attempt) bool
	}{
		"agent": {"before:agent_ended", func(a loop.Attempt) bool { return a.Agent.End == loop.EndFailed && a.Changed }},
		"gate": {"before:gate_ended", func(a loop.Attempt) bool {
			return len(a.Results) == 1 && a.Results[0].Verdict == loop.Error && strings.Contains(a.Results[0].Reason, "crashed")
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sceneNamed(t, "fails at the maximum")
			s.max = 1
			w, o := newWorld(t, s)
			o.Each = tt.point
			o.toTheEnd(t, w)
			w.sound(t, o.Spec.ID)
			l, _ := w.show(t, o.Spec.ID)
			if a := l.State.Last(); l.State.Reason != loop.MaxAttempts || a.Crashes != o.Spec.Limits.Interruptions+1 || !tt.want(*a) {
				t.Errorf("%s/%s, %+v", l.State.Status, l.State.Reason, a)
			}
		})
	}
}

// TestAbortOfACrashedLoop: a command to a loop that nobody runs is carried out
// at once, whatever the loop was doing.
func TestAbortOfACrashedLoop(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"with setup", "in place", "leaves a daemon"} {
		s := sceneNamed(t, name)
		_, points := s.undisturbed(t)
		for n := slices.Index(points, "after:create"); n < len(points)-1; n++ {
			if n%4 != len(name)%4 && !soaking() {
				continue
			}
			t.Run(strings.ReplaceAll(name, " ", "-")+"-"+points[n], func(t *testing.T) {
				t.Parallel()
				w, o := newWorld(t, s)
				o.Acts[n+1] = "kill"
				o.run1(t, "start")
				before, _ := w.released(t, o.Spec.ID)
				o.Command = engine.Command{Kind: engine.Abort, Text: "enough", By: "test"}
				a, _ := o.run1(t, "send")
				if terminal(before) != a.Ended || !a.Ended && a.Err != "" {
					t.Fatalf("abort: %+v", a)
				}
				w.sound(t, o.Spec.ID)
				l, _ := w.show(t, o.Spec.ID)
				if before.State.Ending == nil && (l.State.Status != loop.Aborted || l.State.Reason != loop.Manual) {
					t.Errorf("%s/%s", l.State.Status, l.State.Reason)
				}
				if a, _ := o.run1(t, "send"); !a.Ended {
					t.Errorf("aborted twice: %+v", a)
				}
			})
		}
	}
}

// TestACommandOutlivesTheOwner: what was sent to an owner that then dies is
// carried out by the next.
func TestACommandOutlivesTheOwner(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	_, points := s.undisturbed(t)
	w, o := newWorld(t, s)
	o.Acts[second(points, "before:committed")] = "stop"
	o.Verb = "start"
	owner := o.launch(t)
	eventually(t, "the owner to stop", func() bool { return owner.stopped() })
	o.Command = engine.Command{Kind: engine.Abort, Text: "enough", By: "test"}
	if a, _ := o.run1(t, "send"); a.Err != "" {
		t.Fatal(a.Err)
	}
	must(t, owner.Process.Signal(unix.SIGKILL))
	owner.end(t)
	w.released(t, o.Spec.ID)
	o.toTheEnd(t, w)
	w.sound(t, o.Spec.ID)
	if l, _ := w.show(t, o.Spec.ID); l.State.Status != loop.Aborted || l.State.Message != "enough" || l.State.FailureRef == "" {
		t.Errorf("%s: %s, %s", l.State.Status, l.State.Message, l.State.FailureRef)
	}
}

// TestTreesOfAnotherLoop: a loop that was killed after it gave its worktrees
// back leaves them alone when it is resumed: they are somebody else's now.
func TestTreesOfAnotherLoop(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	w, a := newWorld(t, s)
	a.Acts[1+slices.Index(points, "before:tidied")] = "kill"
	a.run1(t, "start")
	w.released(t, a.Spec.ID)

	b := a
	b.Spec = s.spec(t, w)
	b.Acts = map[int]string{} // points go on where those of a ended
	b.Each = "before:agent_ended"
	b.run1(t, "start")
	held, _ := w.released(t, b.Spec.ID)
	if l, _ := w.show(t, a.Spec.ID); held.State.Worktree != l.State.Worktree {
		t.Fatalf("the second loop has another tree: %s, %s", held.State.Worktree, l.State.Worktree)
	}
	a.Acts = map[int]string{}
	a.toTheEnd(t, w)
	if head, err := gitIn(held.State.Worktree, "symbolic-ref", "--short", "HEAD"); err != nil || head != b.Spec.Branch {
		t.Errorf("the other loop's worktree is on %q: %v", head, err)
	}
	b.Each = ""
	b.toTheEnd(t, w)
	w.sound(t, a.Spec.ID)
	w.sound(t, b.Spec.ID)
	for _, id := range []string{a.Spec.ID, b.Spec.ID} {
		got := w.ledger(t, id)
		if got.Status != want.Status || got.Iteration != want.Iteration || len(got.Commits) != len(want.Commits) {
			t.Errorf("%s: %+v", id, got)
		}
	}
}

// TestEndedDuringSetUp: trees that a loop had only begun to make are handed
// back too, and serve the next one.
func TestEndedDuringSetUp(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "with setup")
	tests := map[string]struct {
		setup  string
		sends  []send
		reason loop.Reason
	}{
		"failed":  {"test ! -e ../../../broken || exit 7; mkdir -p deps && echo ok >deps/log", nil, loop.SetupError},
		"aborted": {"test ! -e ../../../broken || sleep 60; mkdir -p deps && echo ok >deps/log", []send{{On: "acquired", Command: engine.Command{Kind: engine.Abort}}}, loop.Manual},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Spec.Setup, o.Sends = []string{tt.setup}, tt.sends
			must(t, os.WriteFile(filepath.Join(w.home, "broken"), nil, 0o600))
			o.toTheEnd(t, w)
			w.sound(t, o.Spec.ID)
			if l, _ := w.show(t, o.Spec.ID); l.State.Reason != tt.reason {
				t.Errorf("%s/%s: %s", l.State.Status, l.State.Reason, l.State.Message)
			}
			must(t, os.Remove(filepath.Join(w.home, "broken")))
			next := o
			next.Spec, next.Sends = s.spec(t, w), nil
			next.Spec.Setup = o.Spec.Setup
			next.toTheEnd(t, w)
			w.sound(t, next.Spec.ID)
			l, _ := w.show(t, next.Spec.ID)
			if l.State.Status != loop.StatusPassed || filepath.Base(l.State.Worktree) != "agent-1" {
				t.Errorf("%s/%s in %s", l.State.Status, l.State.Reason, l.State.Worktree)
			}
		})
	}
}
