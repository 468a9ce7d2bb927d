package team

import (
	"context"
	"errors"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// Engine are the loops of a team as a command sees them: it starts them, follows their
// record, and sends commands, but drives none. What it shows is a copy on this machine,
// which it brings up to date.
type Engine struct {
	*local.Engine
	Shared stored.Shared
	Travel Travel
	Now    func() time.Time
	// Dir and PlanDir return the directory of a loop's and of a plan's files on this machine.
	Dir, PlanDir func(id string) string
	// CleanedFile has the ids of archived loops whose copies may have been deleted here; ""
	// is none.
	CleanedFile string
	// Leaves: loops that are started or resumed are not followed.
	Leaves bool
	// OfPlans: the engine is that of a worker, for the loops of the plans that it drives.
	// A request to stop pauses a loop, and each look asks the server.
	OfPlans bool
	// Say tells the user something.
	Say func(format string, args ...any)

	// Roster are the workers; nil is not known.
	Roster engine.Roster

	mu   sync.Mutex
	seen map[string]seen
	// workers are those of the last refresh, where a loop waited for one with labels.
	workers []engine.WorkerProcess
	// told is what the user was told once: of a loop that a newer version wrote it, and that
	// its files cannot be read.
	told map[string]bool
	// budgets are those that were shown last, by plan.
	budgets map[string]shownBudgets
}

var _ engine.Loops = (*Engine)(nil)

func (e *Engine) stamp() loop.Stamp { return loop.Stamp{At: e.Now().Round(0)} }

// Send hands a command to the worker that has the loop. Where none has it, the command is
// recorded here, and a worker carries it out.
func (e *Engine) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	r, err := e.refresh(ctx, id)
	switch moved := engine.MovedOf(r.State); {
	case err != nil:
		return r.State, err
	case moved != nil:
		return r.State, moved
	case r.State.Status.Terminal():
		return r.State, engine.ErrEnded
	}
	c = e.Masked(r.State, c)
	if !r.Live && !r.State.Began { // else a worker first ends what was cut off
		event, err := loop.EventOf(r.State, c, e.stamp())
		if err != nil {
			return r.State, err
		}
		s, err := e.execute(ctx, id, always(event))
		if !errors.Is(err, engine.ErrRunning) {
			return s, err
		}
	}
	if c.Kind == engine.Answer {
		if err := loop.CheckCommand(r.State, c, e.stamp()); err != nil {
			return r.State, err
		}
	}
	return r.State, e.Shared.Server.Send(ctx, id, c.Message())
}

// always records an event in whatever state the loop is.
func always(e loop.Event) func(loop.State) []loop.Event {
	return func(loop.State) []loop.Event { return []loop.Event{e} }
}

// execute records what follows from a state, under a lease that is held for a moment.
func (e *Engine) execute(ctx context.Context, id string, follows func(loop.State) []loop.Event) (s loop.State, err error) {
	l, err := e.Shared.Server.Acquire(ctx, id, nil, false)
	if err != nil {
		return s, err
	}
	s = l.State()
	events := follows(s)
	next, err := journal.Fold(loop.Apply, s, events...)
	if err == nil && next.PauseAsked && next.Status == loop.Running { // there is no step to wait for
		rest := loop.Interrupted{Stamp: e.stamp(), Why: "paused"}
		events = append(events, rest)
		next, err = loop.Apply(next, rest)
	}
	if err == nil && len(events) > 0 {
		err = l.Commit(ctx, next, events)
	}
	if err = errors.Join(err, l.Release(context.WithoutCancel(ctx))); err != nil {
		return s, err
	}
	r, err := e.refresh(ctx, id)
	return r.State, err
}

// Accept gets the work of a passed loop from the remote, and merges it here.
func (e *Engine) Accept(ctx context.Context, id string, o engine.AcceptOptions) (engine.Accepted, error) {
	r, err := e.refresh(ctx, id)
	if err == nil {
		err = engine.MovedOf(r.State)
	}
	if err != nil {
		return engine.Accepted{}, err
	}
	if err := errors.Join(e.Travel.FetchWork(ctx, r.State), e.Travel.Files.Get(ctx, Run{ID: id}, e.Dir(id))); err != nil {
		return engine.Accepted{}, err
	}
	return e.Engine.Accept(ctx, id, o)
}

// Archive hides a loop that has ended, for all machines.
func (e *Engine) Archive(ctx context.Context, id string) error { return e.Shared.Archive(ctx, id) }
