package planner

import (
	"context"
	"time"

	"ralph/internal/engine/worker"
)

// patiently repeats what a foreign signal or lack has cut off, after waits that double,
// as often as a loop repeats a step of its own. stop ends the waiting.
func (r *run) patiently(ctx context.Context, stop <-chan struct{}, do func() error) error {
	limits := r.spec.Task.Limits
	for n := 0; ; n++ {
		err := do()
		if !worker.Interruption(err).Interrupts() || n >= limits.Interruptions {
			return err
		}
		select {
		case <-time.After(limits.Delay(n)):
		case <-stop:
			return err
		case <-ctx.Done():
			return err
		}
	}
}
