package team

import (
	"context"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// admitted leaves out the loops for which no place is free in the repository: the oldest
// that run, or are to run, have the places. All workers see the same list, so they need no
// other agreement, and two that look at once take no loop too many. A loop that rests has
// no place; one that is resumed gets it back before younger ones, and more than Most run
// until one of these rests or ends. A loop whose labels no worker has keeps no place.
func (w *Worker) admitted(ctx context.Context, all []engine.Stored[loop.State]) (out []engine.Stored[loop.State]) {
	if w.Most == 0 {
		return all
	}
	workers := whereLabelled(ctx, w.Roster, all)
	places := w.Most
	for _, r := range slices.Backward(all) { // the oldest first
		runs := r.Live || Active(r.State) && offered(r.State, workers, time.Now())
		if !runs || places > 0 {
			out = append(out, r)
		}
		if runs {
			places--
		}
	}
	slices.Reverse(out)
	return out
}

// offered reports whether a worker has the labels of a loop, as far as they are known.
func offered(s loop.State, workers []engine.WorkerProcess, now time.Time) bool {
	return len(s.RunsOn) == 0 || workers == nil || slices.ContainsFunc(workers, func(w engine.WorkerProcess) bool {
		return now.Sub(w.Seen) <= engine.Silent && engine.Offers(w.Labels, s.RunsOn)
	})
}
