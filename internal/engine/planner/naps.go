package planner

import (
	"context"
	"sync"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A loop whose agent is at its usage limit stays under way and waits, often for
// hours. The run says so, once; and where a person is there to be asked and all
// that is under way waits, it lets go of it: a question is not kept back for an
// hour, and who is asked is not talked over.

// nap is what the loop of an action waits for.
type nap struct {
	until time.Time
	why   string
}

// naps are those of the loops under way, by their actions. Loops report to it while
// the run decides.
type naps struct {
	mu  sync.Mutex
	all map[*flight]nap
}

// put notes how a loop stands now.
func (n *naps) put(f *flight, s loop.State) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.all == nil {
		n.all = map[*flight]nap{}
	}
	if s.Status == loop.Waiting && s.Reason == loop.ForLimit && !s.Wake.IsZero() {
		n.all[f] = nap{s.Wake, s.Message}
		return
	}
	delete(n.all, f)
}

func (n *naps) of(f *flight) nap {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.all[f]
}

func (n *naps) forget(f *flight) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.all, f)
}

// tellNaps records what loops wait for that was not said before, and that they go
// on.
func (r *run) tellNaps(ctx context.Context) error {
	if r.state.Status.Terminal() {
		return nil
	}
	for _, f := range r.flying {
		now := r.naps.of(f)
		if now.until.Equal(f.told) {
			continue
		}
		f.told = now.until
		e := plan.TaskWaits{Stamp: r.stamp(), Task: f.task, Until: now.until, Why: now.why}
		if err := r.apply(ctx, e); err != nil {
			return err
		}
	}
	return nil
}

// soon is too short a wait for letting go of what waits.
const soon = 10 * time.Second

// letsGo: a question is open, somebody is there who is asked once nothing goes on,
// and all that is under way waits for a time. The run rests then; whoever asks goes
// on with it when that time has come.
func (r *run) letsGo(ctx context.Context) (bool, error) {
	asks, open := plan.Asking(r.graph, r.state)
	if !r.drive.Rests || !open || r.state.PauseAsked || r.state.Status != loop.Running {
		return false, nil
	}
	for _, f := range r.flying {
		until := r.naps.of(f).until
		if until.IsZero() {
			until = f.after
		}
		if f.child || until.Sub(r.Now()) < soon {
			return false, nil
		}
	}
	if heard, err := r.heard(ctx); heard || err != nil {
		return false, err // it may change what is asked
	}
	if err := r.tellNaps(ctx); err != nil { // nothing tells it once nobody runs it
		return false, err
	}
	asks.Stamp = r.stamp()
	return true, r.apply(ctx, asks)
}
