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
