package tui

import (
	"context"
	"fmt"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// zone is not UTC, so that a time shown in the wrong one is seen.
var zone = time.FixedZone("here", 2*3600)

func clockAt(h, m int) time.Time { return time.Date(2026, 11, 20, h, m, 0, 0, zone) }

// fake is an engine without a store. Commands change nothing by themselves.
type fake struct {
	mu     sync.Mutex
	loops  []engine.Loop // newest first
	events map[string][]engine.Event
	asked  map[string]int
	sent   []string
	// err fails every question, refuse every command; hang lets nothing answer
	// until its context ends.
	err, refuse error
	hang        bool
}

func (f *fake) asks(ctx context.Context, what string) error {
	f.mu.Lock()
	if f.asked == nil {
		f.asked = map[string]int{}
	}
	f.asked[what]++
	hang, err := f.hang, f.err
	f.mu.Unlock()
	if hang {
		<-ctx.Done()
		return ctx.Err()
	}
	return err
}

func (f *fake) count(what string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[what]
}

func (f *fake) Marks(ctx context.Context, x engine.Filter) ([]engine.Mark, error) {
	if err := f.asks(ctx, "marks"); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []engine.Mark
	for _, l := range f.loops {
		over := l.State.Status.Terminal()
		if x.Unclosed && !l.State.Undecided() && !l.State.Acceptable() || x.Active && over || x.Ended && !over || l.Archived || x.Limit > 0 && len(out) == x.Limit {
			continue
		}
		out = append(out, engine.Mark{ID: l.State.ID, Seq: l.Seq, Live: l.Live, Crashed: l.Crashed, Archived: l.Archived, Unsteady: l.Crashed || l.Due})
	}
	return out, nil
}

func (f *fake) Show(ctx context.Context, id string) (engine.Loop, error) {
	if err := f.asks(ctx, "show"); err != nil {
		return engine.Loop{}, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, l := range f.loops {
		if l.State.ID == id {
			return l, nil
		}
	}
	return engine.Loop{}, fmt.Errorf("%s: %w", id, engine.ErrNotFound)
}

func (f *fake) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	if err := f.asks(ctx, "events"); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	all := f.events[id]
	return all[min(int(after), len(all)):], nil
}

func (f *fake) Send(ctx context.Context, id string, c engine.Command) (engine.Outcome, error) {
	if err := f.asks(ctx, "send"); err != nil {
		return engine.Outcome{}, err
	}
	l, err := f.Show(ctx, id)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, fmt.Sprintf("%s %s %q by %s", id, c.Kind, c.Text, c.By))
	if f.refuse != nil {
		err = f.refuse
	}
	return engine.LoopOutcome(l.State), err
}

// change alters a loop, as its owner would: every change is an event.
func (f *fake) change(id string, how func(*engine.Loop)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.loops {
		if f.loops[i].State.ID == id {
			f.loops[i].Seq++
			how(&f.loops[i])
		}
	}
}

// happen records an event of a loop.
func (f *fake) happen(id string, e loop.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.events == nil {
		f.events = map[string][]engine.Event{}
	}
	f.events[id] = append(f.events[id], engine.Event{
		Seq: int64(len(f.events[id]) + 1), At: e.When(), Name: e.Name(), Decoded: e,
	})
}
