//go:build linux

package local_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"ralph/internal/engine"
	"ralph/internal/store"
	"ralph/internal/testing/tier"
)

// TestTakenOverWhileStopped stops an owner at a point (a laptop that sleeps, a
// SIGSTOP), lets another process take the loop over and end it, and wakes the
// first: it must do nothing any more, end what it had started, and say why.
func TestTakenOverWhileStopped(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	for n := range points[:slices.Index(points, "after:tidied")] { // then there is nothing to take over
		if after := n < slices.Index(points, "after:acquired"); after || n%5 != 0 && !tier.Long() {
			continue
		}
		t.Run(fmt.Sprintf("%02d-%s", n+1, points[n]), func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Acts[n+1] = "stop"
			o.takenOver(t, w, want)
		})
	}
}

// TestTakenOverInsideAHand is the same while an agent or a gate is running.
func TestTakenOverInsideAHand(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	s.script = strings.Replace(s.script, "- [", "- [{sh: sleep 0.3}, ", 1)
	want, points := s.undisturbed(t)
	began := 1 + slices.Index(points, "after:attempt_began")
	for _, way := range []string{"stop+1ms", "stop+20ms", "stop+100ms"} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Acts[began] = way
			o.takenOver(t, w, want)
		})
	}
}

// takenOver starts an owner that stops, takes over, and wakes it.
func (o order) takenOver(t *testing.T, w world, want ledger) {
	t.Helper()
	o.Verb = "start"
	old := o.launch(t)
	tier.Eventually(t, "the owner to stop", func() bool { return old.stopped() })
	l, exists := w.show(t, o.Spec.ID)
	if !exists || !l.Live || l.Crashed {
		t.Errorf("a stopped owner is shown as %+v", l.Facts)
	}
	if a, _ := o.run1(t, "resume"); !strings.Contains(a.Err, "run by") {
		t.Errorf("a loop with an owner was resumed: %+v", a)
	}
	if a, _ := o.run1(t, "takeover"); a.Err != "" {
		t.Fatalf("take over: %s", a.Err)
	}
	before, _ := w.show(t, o.Spec.ID)
	must(t, old.Process.Signal(unix.SIGCONT))
	a, killed := old.end(t)
	if killed || !a.Fenced {
		t.Errorf("the former owner: killed %v, %+v", killed, a)
	}
	if after, _ := w.show(t, o.Spec.ID); after.Seq != before.Seq {
		t.Errorf("the former owner wrote %d events", after.Seq-before.Seq)
	}
	w.compare(t, o.Spec.ID, want)
}

// TestOwnerLockDeleted: the lock file of a living owner is deleted, or replaced by an
// empty one. No other process takes the loop for free, and the owner finishes it.
func TestOwnerLockDeleted(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	want, points := s.undisturbed(t)
	began := 1 + slices.Index(points, "after:attempt_began")
	for name, replace := range map[string]func(path string) error{
		"deleted":  os.Remove,
		"replaced": func(path string) error { return errors.Join(os.Remove(path), os.WriteFile(path, nil, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, s)
			o.Acts[began] = "stop"
			o.Verb = "start"
			owner := o.launch(t)
			tier.Eventually(t, "the owner to stop", func() bool { return owner.stopped() })
			must(t, replace(filepath.Join(w.repo(), ".git", "ralph", "loops", o.Spec.ID, "owner.lock")))
			if l, _ := w.show(t, o.Spec.ID); !l.Live || l.Crashed {
				t.Errorf("it is shown as %+v", l.Facts)
			}
			if a, _ := o.run1(t, "resume"); !strings.Contains(a.Err, "run by") {
				t.Errorf("a loop with an owner was resumed: %+v", a)
			}
			must(t, owner.Process.Signal(unix.SIGCONT))
			if a, killed := owner.end(t); killed || a.Err != "" || a.Status != "passed" {
				t.Errorf("the owner: killed %v, %+v", killed, a)
			}
			w.compare(t, o.Spec.ID, want)
		})
	}
	t.Run("and the owner dies", func(t *testing.T) {
		t.Parallel()
		w, o := newWorld(t, s)
		o.Acts[began] = "kill"
		o.run1(t, "start")
		must(t, os.Remove(filepath.Join(w.repo(), ".git", "ralph", "loops", o.Spec.ID, "owner.lock")))
		o.toTheEnd(t, w)
		w.compare(t, o.Spec.ID, want)
	})
}

// TestFencedAtACheckpoint: another process takes the loop over while the checkpoint
// at the end of a step is recorded. The owner reports it, and does not wait for the
// step once more.
func TestFencedAtACheckpoint(t *testing.T) {
	t.Parallel()
	w, o := newWorld(t, sceneNamed(t, "passes at the third"))
	o.Verb, o.Every = "start", time.Nanosecond
	takeOver := sync.OnceValue(func() error {
		s, err := store.Open(context.Background(), filepath.Join(w.repo(), ".git", "ralph"), store.Options{Owner: "other"})
		if err != nil {
			return err
		}
		l, err := s.Acquire(context.Background(), o.Spec.ID, true)
		if err == nil {
			err = l.Release(context.Background())
		}
		return errors.Join(err, s.Close())
	})
	var taken error
	o.at = map[string]func(){"before:checkpoint": func() { taken = takeOver() }}
	ended := make(chan error, 1)
	go func() {
		_, err := o.run(t.Context())
		ended <- err
	}()
	var err error
	tier.Eventually(t, "the fenced owner to end", func() bool {
		select {
		case err = <-ended:
			return true
		default:
			return false
		}
	})
	if must(t, taken); !errors.Is(err, engine.ErrFenced) {
		t.Errorf("it ended with %v", err)
	}
}

// stopped says whether the process is.
func (l launched) stopped() bool {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", l.Process.Pid))
	for _, f := range threads {
		stat, _ := os.ReadFile(f)
		if _, rest, _ := bytes.Cut(stat, []byte(") ")); !bytes.HasPrefix(rest, []byte("T")) {
			return false
		}
	}
	return len(threads) > 0
}
