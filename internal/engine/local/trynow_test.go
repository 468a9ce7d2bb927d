//go:build linux

package local_test

import (
	"context"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/loop"
	"ralph/internal/store/limits"
)

// TestTriedNow: what a person wants tried now is tried, whoever has the loop at
// that moment: nobody, so that it is carried out and the loop rests, or somebody
// who has just taken it and finds the message waiting.
func TestTriedNow(t *testing.T) {
	t.Parallel()
	wake := engine.Command{Kind: engine.Wake, By: "test"}
	for name, ask := range map[string]func(*testing.T, world, *local.Engine, string){
		"while nobody runs it": func(t *testing.T, _ world, e *local.Engine, id string) {
			_, err := e.Send(t.Context(), id, wake)
			must(t, err)
		},
		"while it is being taken up": func(t *testing.T, w world, _ *local.Engine, id string) {
			w.leave(t, id, wake)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, o := newWorld(t, scene{max: 5, script: `attempts: [[{limit: {reset: 5h, text: spent}}, {write: {path: answer.txt, text: "3\n"}}]]`})
			o.limits = limits.New(w.home, time.Now, false)
			e, closed, err := o.wired(t.Context(), nil)
			must(t, err)
			defer closed()

			ctx, d := untilHeld(t)
			s, err := e.Start(ctx, o.Spec, engine.Options{}, d)
			if err == nil || s.Status != loop.Waiting || s.Reason != loop.ForLimit {
				t.Fatalf("%s/%s: %v", s.Status, s.Reason, err)
			}
			ask(t, w, e, s.ID)
			ctx, d = untilHeld(t) // a loop that waited for its limit would wait for hours
			if s, err = e.Resume(ctx, s.ID, engine.Options{}, d); err != nil || s.Status != loop.StatusPassed {
				t.Errorf("%s/%s %s: %v", s.Status, s.Reason, s.Message, err)
			}
		})
	}
}

// untilHeld lets go of a loop once its agent's provider has refused, and leaves it
// waiting.
func untilHeld(t *testing.T) (context.Context, engine.Drive) {
	ctx, cancel := context.WithCancel(t.Context())
	return ctx, engine.Drive{Watch: func(u engine.Update) {
		switch u.Event.(type) {
		case loop.AgentEnded, loop.Held:
			if u.After.Status == loop.Waiting {
				cancel()
			}
		}
	}}
}
