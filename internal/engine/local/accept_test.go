//go:build linux

package local_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// TestAcceptedAtItsEnd: who is told that a loop has passed accepts it and puts it
// away, also while its owner is still about to let go.
func TestAcceptedAtItsEnd(t *testing.T) {
	t.Parallel()
	w, o := newWorld(t, sceneNamed(t, "passes at the third"))
	other, shut, err := wire(t.Context(), w.home, func(string) {})
	must(t, err)
	defer shut()
	done := make(chan error, 1)
	e, closed, err := o.wired(t.Context(), func(point string) {
		if point != "before:learn" {
			return
		}
		go func() {
			_, err := other.Accept(t.Context(), o.Spec.ID, engine.AcceptOptions{})
			if err == nil {
				err = other.Archive(t.Context(), o.Spec.ID)
			}
			done <- err
		}()
		select { // who is not patient has given up by then
		case err := <-done:
			done <- err
		case <-time.After(200 * time.Millisecond):
		}
	})
	must(t, err)
	defer closed()
	_, err = e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{})
	must(t, err)
	must(t, <-done)
}

// TestAStateThatItsEventsDoNotLeadTo: a record that is whole and whose verdict follows
// from its results is not accepted where the journal has another one.
func TestAStateThatItsEventsDoNotLeadTo(t *testing.T) {
	t.Parallel()
	w, o := newWorld(t, sceneNamed(t, "passes at the third"))
	e, closed, err := o.wired(t.Context(), func(string) {})
	must(t, err)
	defer closed()
	s, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{})
	must(t, err)
	mem, err := store.Open(t.Context(), filepath.Join(w.repo(), ".git", "ralph"), store.Options{Owner: "other"})
	must(t, err)
	defer mem.Close()
	lease, err := mem.Acquire(t.Context(), s.ID, false)
	must(t, err)
	forged := lease.State()
	forged.Commit = strings.Repeat("a", 40)
	last := forged.Last()
	last.Commit = forged.Commit
	for i := range last.Results {
		last.Results[i].Commit = forged.Commit
	}
	must(t, forged.Founded())
	must(t, lease.Commit(t.Context(), forged, []loop.Event{loop.Retried{Stamp: loop.Stamp{At: time.Now()}, By: "another"}}))
	must(t, lease.Release(t.Context()))
	if _, err := e.Accept(t.Context(), s.ID, engine.AcceptOptions{}); !errors.Is(err, engine.ErrDamaged) || !strings.Contains(err.Error(), "its events lead to") {
		t.Errorf("accepted: %v", err)
	}
}

// TestARetryThatWasKilledAtItsStart: the next process notes on the old loop that its
// task is done again.
func TestARetryThatWasKilledAtItsStart(t *testing.T) {
	t.Parallel()
	w, o := newWorld(t, sceneNamed(t, "passes at the third"))
	e, closed, err := o.wired(t.Context(), func(string) {})
	must(t, err)
	defer closed()
	o.Spec.Limits.MaxIterations = 1
	old, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{})
	must(t, err)
	if old.Status != loop.StatusFailed {
		t.Fatalf("the old loop is %s", old.Status)
	}
	again := o.Spec
	again.ID, again.Branch, again.RetryOf = "again", "ralph/again", old.ID
	mem, err := store.Open(t.Context(), filepath.Join(w.repo(), ".git", "ralph"), store.Options{Owner: "killed"})
	must(t, err)
	defer mem.Close()
	lease, err := mem.Create(t.Context(), loop.New(again, time.Now()), store.Admission{})
	must(t, err)
	must(t, lease.Release(t.Context()))
	_, err = e.Resume(t.Context(), again.ID, engine.Options{}, engine.Drive{})
	must(t, err)
	if l, _ := w.show(t, old.ID); l.State.RetriedBy != again.ID {
		t.Errorf("the old loop is retried by %q", l.State.RetriedBy)
	}
}
