package team

import (
	"context"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// admitted leaves out the loops for which no place is free in the repository, so that they
// are not acquired in vain: of those that are to run and have no place, the oldest are left
// in. The choice is made where a loop is acquired (stored.Shared): this look is a moment old.
// A loop that rests needs no place until it is resumed.
func (w *Worker) admitted(ctx context.Context, all []engine.Stored[loop.State]) (out []engine.Stored[loop.State], err error) {
	waits := func(r engine.Stored[loop.State]) bool { return !r.Live && Active(r.State) }
	if w.Most == 0 || !slices.ContainsFunc(all, waits) {
		return all, nil
	}
	placed, err := w.placed(ctx, all)
	if err != nil {
		return nil, err
	}
	workers := whereLabelled(ctx, w.Roster, all)
	free := w.Most - len(placed)
	for _, r := range slices.Backward(all) { // the oldest first
		needs := waits(r) && !slices.Contains(placed, r.State.ID)
		if needs && !offered(r.State, workers, time.Now()) {
			continue
		}
		if !needs || free > 0 {
			out = append(out, r)
		}
		if needs {
			free--
		}
	}
	slices.Reverse(out)
	return out, nil
}

// placed are the loops that have a place. Where all are taken, those of leases that are over
// are given back.
func (w *Worker) placed(ctx context.Context, all []engine.Stored[loop.State]) ([]string, error) {
	ids, err := w.Places.Placed(ctx)
	if err != nil || len(ids) < w.Most {
		return ids, err
	}
	live := func(id string) bool {
		return slices.ContainsFunc(all, func(r engine.Stored[loop.State]) bool { return r.Live && r.State.ID == id })
	}
	if !slices.ContainsFunc(ids, func(id string) bool { return !live(id) }) {
		return ids, nil
	}
	if err := w.Places.Sweep(ctx); err != nil {
		return nil, err
	}
	return w.Places.Placed(ctx)
}

// offered reports whether a worker has the labels of a loop, as far as they are known.
func offered(s loop.State, workers []engine.WorkerProcess, now time.Time) bool {
	return len(s.RunsOn) == 0 || workers == nil || slices.ContainsFunc(workers, func(w engine.WorkerProcess) bool {
		return now.Sub(w.Seen) <= engine.Silent && engine.Offers(w.Labels, s.RunsOn)
	})
}
