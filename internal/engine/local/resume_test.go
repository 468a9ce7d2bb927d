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
	"ralph/internal/testing/tier"
)

// TestAStepThatAlwaysCrashes: an attempt whose agent or gate takes ralph down
// with it again and again is put to a person.
func TestAStepThatAlwaysCrashes(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		point string
		want  func(loop.Attempt) bool
	}{
		"agent": {"before:agent_ended", func(a loop.Attempt) bool { return a.Agent.End == loop.EndFailed && a.Changed }},
		"gate": {"before:gate_ended", func(a loop.Attempt) bool {
			return len(a.Results) == 1 && a.Results[0].Verdict == loop.Error && strings.Contains(a.Results[0].Reason, "interrupted 6 times")
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sceneNamed(t, "fails at the maximum")
			s.max = 1
			w, o := newWorld(t, s)
			o.Each = tt.point
			o.run1(t, "start")
			for range o.Spec.Limits.Interruptions + 1 {
				o.run1(t, "resume")
			}
			l, _ := w.show(t, o.Spec.ID)
			if q := l.State.Open(); q == nil || !q.Interrupted || l.State.Last().Crashes != o.Spec.Limits.Interruptions+1 {
				t.Fatalf("%s/%s, %+v", l.State.Status, l.State.Reason, l.State.Last())
			}
			o.Each = ""
			o.Command = engine.Command{Kind: engine.Answer, Text: "failed", By: "test"}
			if a, _ := o.run1(t, "send"); a.Err != "" {
				t.Fatal(a.Err)
			}
			o.toTheEnd(t, w)
			w.sound(t, o.Spec.ID)
			l, _ = w.show(t, o.Spec.ID)
			if a := l.State.Last(); l.State.Reason != loop.MaxAttempts || !tt.want(*a) {
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
			if n%12 != len(name)%12 && !tier.Long() {
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
	tier.Eventually(t, "the owner to stop", func() bool { return owner.stopped() })
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
		abort  bool
		reason loop.Reason
	}{
		"failed":  {"test ! -e ../../../broken || exit 7; mkdir -p deps && echo ok >deps/log", false, loop.SetupError},
		"aborted": {"test ! -e ../../../broken || sleep 60; mkdir -p deps && echo ok >deps/log", true, loop.Manual},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Spec.Setup = []string{tt.setup}
			must(t, os.WriteFile(filepath.Join(w.home, "broken"), nil, 0o600))
			o.Verb = "start"
			owner := o.launch(t)
			if tt.abort {
				tier.Eventually(t, "the set-up", func() bool {
					points, _ := os.ReadFile(o.points())
					return strings.Contains(string(points), "after:take")
				})
				o.Command = engine.Command{Kind: engine.Abort}
				o.run1(t, "send")
			}
			if a, _ := owner.end(t); a.Err != "" {
				t.Fatal(a.Err)
			}
			w.sound(t, o.Spec.ID)
			if l, _ := w.show(t, o.Spec.ID); l.State.Reason != tt.reason {
				t.Errorf("%s/%s: %s", l.State.Status, l.State.Reason, l.State.Message)
			}
			w.reclean(t)
			must(t, os.Remove(filepath.Join(w.home, "broken")))
			next := o
			next.Spec = s.spec(t, w)
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

// reclean removes the worktrees that no loop has, also half-made ones, twice.
func (w world) reclean(t *testing.T) {
	t.Helper()
	e, closed, err := wire(t.Context(), w.home, nil)
	must(t, err)
	defer closed()
	for _, again := range []bool{false, true} {
		done, err := e.Clean(t.Context(), engine.CleanOptions{Worktrees: true})
		if err != nil || (len(done.Removed) == 0) != again {
			t.Errorf("clean removed %v, %v", done.Removed, err)
		}
	}
	if list := lines(w.git(t, "worktree", "list")); len(list) != 1 {
		t.Errorf("worktrees left: %v", list)
	}
	w.soundMemory(t)
}

// TestKilledWhileAccepting kills the process that brings a passed loop home by a
// merge, whose result is judged first. Done again, it is done once.
func TestKilledWhileAccepting(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "leaves a daemon")
	ready := func(t *testing.T) (world, order) {
		w, o := newWorld(t, s)
		o.toTheEnd(t, w)
		must(t, os.WriteFile(filepath.Join(w.repo(), "README"), []byte("Changed meanwhile.\n"), 0o600))
		w.git(t, "commit", "-qam", "Meanwhile")
		must(t, os.Remove(o.points()))
		return w, o
	}
	w, o := ready(t)
	if a, _ := o.run1(t, "accept"); a.Err != "" {
		t.Fatal(a.Err)
	}
	data, err := os.ReadFile(o.points())
	must(t, err)
	want := w.git(t, "rev-parse", "HEAD^{tree}")
	for n, point := range append(lines(string(data)), "take+20ms", "take+40ms") {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			w, o := ready(t)
			o.Acts[n+1] = "kill"
			if _, late, found := strings.Cut(point, "+"); found {
				o.Acts = map[int]string{2: "both+" + late}
			}
			o.run1(t, "accept")
			w.released(t, o.Spec.ID)
			if a, _ := o.run1(t, "accept"); a.Err != "" {
				t.Fatal(a.Err)
			}
			w.sound(t, o.Spec.ID)
			if got := w.git(t, "rev-parse", "HEAD^{tree}"); got != want {
				t.Errorf("tree %s, want %s", got, want)
			}
			if merges := lines(w.git(t, "log", "--merges", "--format=%s")); len(merges) != 1 {
				t.Errorf("merged %d times: %v", len(merges), merges)
			}
			if status := w.git(t, "status", "--porcelain"); status != "" {
				t.Errorf("status: %s", status)
			}
		})
	}
}
