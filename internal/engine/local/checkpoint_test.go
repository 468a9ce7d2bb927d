//go:build linux

package local_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// checkpoints are those of a loop, each checked: its commit is there, under its
// ref, and what it says of the loop was so.
func (w world) checkpoints(t testing.TB, id string) []loop.Checkpoint {
	t.Helper()
	var all []loop.Checkpoint
	w.reading(t, func(ctx context.Context, e engine.Loops) {
		var err error
		all, err = e.Checkpoints(ctx, id)
		must(t, err)
	})
	for i, c := range all {
		ref := fmt.Sprintf("refs/ralph/checkpoints/%s/%d", id, c.N)
		if got := w.git(t, "rev-parse", ref); got != c.Commit {
			t.Errorf("%s is at %s, recorded %s", ref, got, c.Commit)
		}
		if c.State.ID != id || i > 0 && (c.N <= all[i-1].N || c.Seq < all[i-1].Seq || c.State.Active < all[i-1].State.Active) {
			t.Errorf("checkpoint %d: %+v", c.N, c)
		}
	}
	return all
}

// TestKilledAroundCheckpoints: a loop with many checkpoints ends as one without,
// wherever it is killed; what was recorded is there, and numbers go on.
func TestKilledAroundCheckpoints(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, _ := s.undisturbed(t)
	w, o := newWorld(t, s)
	o.Every = time.Nanosecond
	o.toTheEnd(t, w)
	w.compare(t, o.Spec.ID, want)
	if all := w.checkpoints(t, o.Spec.ID); len(all) < 8 {
		t.Fatalf("only %d checkpoints: this test tests nothing", len(all))
	}
	data, err := os.ReadFile(o.points())
	must(t, err)
	points := lines(string(data))
	for n, point := range points {
		if !strings.HasSuffix(point, ":checkpoint") || n%4 > 1 && !tier.Long() {
			continue
		}
		t.Run(fmt.Sprintf("%02d-%s", n+1, points[n]), func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Every = time.Nanosecond
			o.Acts[n+1] = "kill"
			o.toTheEnd(t, w)
			w.compare(t, o.Spec.ID, want)
			w.checkpoints(t, o.Spec.ID)
		})
	}
}

// TestTimeBetweenCheckpoints: they are made while an agent is at work, and not
// more of them than there was time for.
func TestTimeBetweenCheckpoints(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	w, o := newWorld(t, s)
	o.Every = time.Hour
	o.toTheEnd(t, w)
	if all := w.checkpoints(t, o.Spec.ID); len(all) > 0 {
		t.Errorf("%d checkpoints in less than the time for one", len(all))
	}
	s.script = "attempts:\n- [{sh: sleep 2.5}, {write: {path: answer.txt, text: \"3\\n\"}}]\n"
	w, o = newWorld(t, s)
	o.Every = 1200 * time.Millisecond
	began := time.Now()
	o.toTheEnd(t, w)
	all := w.checkpoints(t, o.Spec.ID)
	if len(all) == 0 || all[0].State.Step != loop.StepAgent || all[0].State.Status != loop.Running {
		t.Errorf("%d checkpoints", len(all))
	}
	if most := int(time.Since(began)/o.Every) + 1; len(all) > most {
		t.Errorf("%d checkpoints in a time for %d", len(all), most)
	}
}

// points of a scene that nothing disturbs.
func (s scene) points(t testing.TB) []string {
	t.Helper()
	w, o := newWorld(t, s)
	o.toTheEnd(t, w)
	data, err := os.ReadFile(o.points())
	must(t, err)
	return lines(string(data))
}

// TestGoOnFromACheckpoint: the tree is what it was, in a new commit on top; what
// was there is kept; counters go on; and the loop ends as ever, also when it is
// killed meanwhile.
func TestGoOnFromACheckpoint(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	s.script = strings.Replace(s.script, "- [{write: {path: answer.txt, text: \"3\\n\"}}",
		"- [{sh: 'test -e half.txt || test ! -e more || { rm -rf more; echo half >half.txt; sleep 60; }'}, {write: {path: answer.txt, text: \"3\\n\"}}", 1)
	for _, way := range []string{"", "before:restored", "after:restored", "kill+20ms", "kill+50ms", "kill+80ms"} {
		t.Run("killed-"+way, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			before := o.messedUp(t, w)
			c := w.firstOf(t, before, 1)
			o.From, o.Every = c.N, 0
			if strings.HasPrefix(way, "kill+") {
				o.Acts[1+w.passed(t, o)] = way
			} else {
				o.Each = way
			}
			a, killed := o.run1(t, "resume")
			if a.Err != "" || way == "" && killed {
				t.Fatalf("%+v, killed %v", a, killed)
			}
			o.From, o.Each = 0, ""
			o.toTheEnd(t, w)
			w.sound(t, o.Spec.ID)
			l, _ := w.show(t, o.Spec.ID)
			if l.State.Status != loop.StatusPassed || l.State.Iteration != 3 {
				t.Errorf("%s/%s at %d: %s", l.State.Status, l.State.Reason, l.State.Iteration, l.State.Message)
			}
			w.restored(t, before, c)
		})
	}
}

// messedUp runs until the agent of the third attempt has made a mess of its
// tree, and kills the supervisor.
func (o *order) messedUp(t testing.TB, w world) loop.State {
	t.Helper()
	o.Every, o.Verb = time.Nanosecond, "start"
	owner := o.launch(t)
	tier.Eventually(t, "the mess", func() bool {
		l, exists := w.show(t, o.Spec.ID)
		mess, err := os.ReadFile(filepath.Join(l.State.Worktree, "half.txt"))
		return exists && err == nil && string(mess) == "half\n"
	})
	must(t, owner.Process.Kill())
	owner.end(t)
	l, _ := w.released(t, o.Spec.ID)
	return l.State
}

// firstOf is the first checkpoint in which an attempt had been committed.
func (w world) firstOf(t testing.TB, s loop.State, attempt int) loop.Checkpoint {
	t.Helper()
	for _, c := range w.checkpoints(t, s.ID) {
		if c.State.Iteration == attempt && c.State.Step == loop.StepGates {
			return c
		}
	}
	t.Fatal("no checkpoint of that attempt")
	return loop.Checkpoint{}
}

// passed counts the points that were passed so far.
func (w world) passed(t testing.TB, o order) int {
	t.Helper()
	data, err := os.ReadFile(o.points())
	must(t, err)
	return len(lines(string(data)))
}

// restored looks for the commit that brought the checkpoint's content back, and
// for the mess that was there before. Both are where the record says, unless
// nobody came to write it.
func (w world) restored(t testing.TB, before loop.State, c loop.Checkpoint) {
	t.Helper()
	var done *loop.Restored
	w.reading(t, func(ctx context.Context, e engine.Loops) {
		records, err := e.Events(ctx, before.ID, 0)
		must(t, err)
		for _, r := range records {
			if e, ok := r.Decoded.(loop.Restored); ok {
				done = &e
			}
		}
	})
	if done == nil {
		return
	}
	if tree := w.git(t, "rev-parse", done.Commit+"^{tree}"); tree != w.git(t, "rev-parse", c.Commit+"^{tree}") {
		t.Error("another tree than the checkpoint's")
	}
	if parent := w.git(t, "rev-parse", done.Commit+"^"); parent != before.Commit {
		t.Errorf("on top of %s, want %s", parent, before.Commit)
	}
	if mess := w.git(t, "show", done.Kept+":half.txt"); mess != "half" {
		t.Errorf("what was there is lost: %q", mess)
	}
	if _, err := gitIn(w.repo(), "merge-base", "--is-ancestor", done.Commit, before.Branch); err != nil {
		t.Errorf("not part of the branch: %v", err)
	}
}
