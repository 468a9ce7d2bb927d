package planner

import (
	"context"
	"time"

	"ralph/internal/engine"
)

// A remote that is away, or refuses, says nothing about the work; nor do the files that a team
// shares. What needs them waits, as the pushes of recorded work do, and the plan's note tells so.

func isUnreached(err error) bool { return engine.WaitsFor(err) != "" }

// reach repeats what fails because of the remote or the shared files, after pauses that
// double, for as long as engine.RemotePatience. The run ends with the error then. It returns
// the stop that was asked for meanwhile. Nothing is done once the plan has ended, and a loop
// or plan that had begun is not begun again: it has waited by itself.
func (r *run) reach(ctx context.Context, f *job, stops <-chan engine.Stop, do func() error) (engine.Stop, error) {
	left := false
	defer func() {
		if !left { // the next worker waits, too
			r.awaits.put(f.remote(), "")
		}
	}()
	var since time.Time
	for n := 0; ; n++ {
		select {
		case <-f.ended:
			return 0, errEnded
		default:
		}
		f.begun.Store(false)
		err := do()
		waits := engine.WaitsFor(err)
		if waits == "" || f.begun.Load() || ctx.Err() != nil || r.diskError(err) != nil {
			return 0, err
		}
		if n == 0 {
			since = r.Now()
		}
		if left = r.Now().Sub(since) >= engine.RemotePatience; left {
			return 0, err
		}
		r.awaits.put(f.remote(), waits)
		if stop, err := f.wait(ctx, stops, engine.RemotePause(n)); stop > 0 || err != nil {
			return stop, err
		}
	}
}

// began ends the note of a job's wait for the remote: its loop, or its plan, has begun.
func (r *run) began(f *job) {
	f.begun.Store(true)
	r.awaits.put(f.remote(), "")
}

func (f *job) remote() string { return "remote of " + f.key }

// wait waits before a job tries again. It returns the stop that was asked for meanwhile. A job
// that a pause does not end, such as a landing, gives no stops.
func (f *job) wait(ctx context.Context, stops <-chan engine.Stop, pause time.Duration) (engine.Stop, error) {
	select {
	case <-time.After(pause):
		return 0, nil
	case stop := <-stops:
		return stop, nil
	case <-f.ended:
		return 0, errEnded
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}
