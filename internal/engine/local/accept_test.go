//go:build linux

package local_test

import (
	"testing"
	"time"

	"ralph/internal/engine"
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
