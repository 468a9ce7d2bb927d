//go:build linux

package local_test

import (
	"sync/atomic"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestClockSetBackWhileWaiting: a loop waits for a limit that is over in two
// seconds, and the clock is set back a year. It goes on in two seconds.
func TestClockSetBackWhileWaiting(t *testing.T) {
	t.Parallel()
	s := sceneNamed(t, "passes at the third")
	s.script = "attempts:\n- [{limit: {reset: 2s, text: used up}}, {write: {path: answer.txt, text: \"3\\n\"}}]\n"
	w, o := newWorld(t, s)
	var back atomic.Int64
	o.clock = func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }
	e, closed, err := o.wired(t.Context(), nil)
	must(t, err)
	t.Cleanup(closed)
	began := time.Now()
	state, err := e.Start(t.Context(), o.Spec, engine.Options{}, engine.Drive{Watch: func(u engine.Update) {
		if u.Event == nil || u.After.Status != loop.Waiting || len(u.After.Guidance) > 1 {
			return
		}
		// The first word comes when the wait has begun; the second makes it be
		// looked at again, by another clock.
		if len(u.After.Guidance) == 1 {
			back.Store(int64(365 * 24 * time.Hour))
		}
		if _, err := e.Send(t.Context(), o.Spec.ID, engine.Command{Kind: engine.Steer, Text: "look again"}); err != nil {
			t.Error(err)
		}
	}})
	if err != nil || state.Status != loop.StatusPassed || back.Load() == 0 {
		t.Fatalf("%s/%s, %v", state.Status, state.Reason, err)
	}
	if d := time.Since(began); d > tier.Hang {
		t.Errorf("it took %s", d)
	}
	w.sound(t, o.Spec.ID)
}
