package local

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/worker"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Loops that an agent drives (seed 000) have no process of ours and no lease
// between two checks: each change reads the state, decides, and records in
// one transaction. Their time runs from Init; the next call records an end
// that is due.

// Init records a loop that its agent drives. It makes no worktree.
func (e *Engine) Init(ctx context.Context, spec loop.Spec, o engine.Options) (engine.Loop, error) {
	spec.Mode = loop.AgentDriven
	if err := spec.Validate(); err != nil {
		return engine.Loop{}, err
	}
	if err := e.RecordDue(ctx); err != nil {
		return engine.Loop{}, err
	}
	if err := e.awaitable(ctx, spec); err != nil {
		return engine.Loop{}, err
	}
	now := e.stamp()
	st := loop.New(spec, now.At)
	st.LastUp = now.Uptime
	if err := e.store.Enter(ctx, st, admission(o)); err != nil {
		return engine.Loop{}, situation.Of(err)
	}
	if err := e.workerOf(spec.ID).FreezeFilters(ctx); err != nil {
		_, undo := e.change(ctx, spec.ID, loop.AbortAsked{Stamp: e.stamp(), Why: err.Error(), Reason: loop.Policy})
		return engine.Loop{}, errors.Join(err, undo)
	}
	if len(spec.After) > 0 {
		if err := e.RecordDue(ctx); err != nil {
			return engine.Loop{}, err
		}
	}
	return e.Show(ctx, spec.ID)
}

func admission(o engine.Options) store.Admission {
	return store.Admission{Max: o.Max, Force: o.Force, PerParent: o.PerParent, Alone: o.Alone}
}

// awaitable refuses to wait for a loop that does not exist, or for one that
// waits for this one: the orchestration that the loop is a part of ends
// after it.
func (e *Engine) awaitable(ctx context.Context, spec loop.Spec) error {
	for _, id := range spec.After {
		for chain := []string{id}; len(chain) > 0; chain = chain[1:] {
			r, err := e.loops.Read(ctx, chain[0])
			if err != nil {
				return situation.Of(err)
			}
			if chain[0] == spec.Parent || chain[0] == spec.Inside || chain[0] == spec.ID {
				return fmt.Errorf("%w: %s waits for %s", engine.ErrCycle, id, chain[0])
			}
			chain = append(chain, r.State.After...)
		}
	}
	return nil
}

// RecordDue records the events due on loops that agents drive: the end of their
// time, of their progress, or of their wait for another loop or for an answer.
func (e *Engine) RecordDue(ctx context.Context) error {
	entries, err := e.store.Entries(ctx, store.Filter{Active: true})
	if err != nil {
		return situation.Of(err)
	}
	for _, x := range entries {
		if x.Mode != loop.AgentDriven {
			continue
		}
		if _, err := e.recordDueByID(ctx, x.ID); err != nil {
			return err
		}
	}
	return nil
}

// recordDueByID records the events due on one loop, and returns its state.
func (e *Engine) recordDueByID(ctx context.Context, id string) (loop.State, error) {
	r, err := e.loops.Read(ctx, id)
	if err != nil || r.Damage != "" {
		return r.State, situation.Of(err)
	}
	return e.recordDueOf(ctx, r.State, e.store.Checking(id))
}

func (e *Engine) recordDueOf(ctx context.Context, s loop.State, checking bool) (loop.State, error) {
	due, err := e.due(ctx, s, checking)
	if err != nil || len(due) == 0 {
		return s, err
	}
	next, err := e.changeSince(ctx, s, due...)
	if _, ok := errors.AsType[*journal.RefusedError](err); !ok {
		return next, err
	}
	// Another process was faster, and the event is not due any more.
	r, err := e.loops.Read(ctx, s.ID)
	return r.State, situation.Of(err)
}

// changeSince records events that are due in a state, unless it has changed.
func (e *Engine) changeSince(ctx context.Context, since loop.State, events ...loop.Event) (loop.State, error) {
	same := func(s loop.State) bool { return s.LastAt.Equal(since.LastAt) && s.Step == since.Step }
	return e.changeIf(ctx, since.ID, store.Admission{}, same, events...)
}

// stoppedCheck is how long after the loop's time a check in progress is still
// believed to end by itself: its gate is cut off at the loop's deadline.
const stoppedCheck = 30 * time.Second

// due returns the events that time and other loops have caused. While a
// check is in progress its result decides.
func (e *Engine) due(ctx context.Context, s loop.State, checking bool) ([]loop.Event, error) {
	if s.Mode != loop.AgentDriven || s.Status.Terminal() {
		return nil, nil
	}
	if over, err := e.orphaned(ctx, s); over != nil || err != nil {
		return over, err
	}
	now := e.stamp()
	switch {
	case s.Status == loop.Running && s.InVerification():
		return cutOff(s, checking, now), nil
	case checking && (s.Limits.Loop.Hard == 0 || s.Since(now)+s.Active < s.Limits.Loop.Hard+stoppedCheck):
		return nil, nil
	case s.Status == loop.Waiting && s.Reason == loop.ForLoop:
		return e.turnOf(ctx, s)
	}
	if q := s.Open(); q != nil && !q.Deadline.IsZero() && !now.At.Before(q.Deadline) && s.Status == loop.Waiting {
		return []loop.Event{loop.Woke{Stamp: now, Question: q.ID}}, nil
	}
	tick := loop.Ticked{Stamp: now}
	next, err := loop.Apply(s, tick)
	// A clock that was set back is accepted, so that time continues from there.
	if err == nil && (next.Status != s.Status || tick.At.Before(s.LastAt)) {
		return []loop.Event{tick}, nil
	}
	return nil, nil
}

// orphaned ends a loop that was begun inside of a supervised one which is over:
// its tree was returned, and no process is left that could check it.
func (e *Engine) orphaned(ctx context.Context, s loop.State) ([]loop.Event, error) {
	if s.Inside == "" {
		return nil, nil
	}
	r, err := e.loops.Read(ctx, s.Inside)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return nil, nil // it was removed, or is a loop of another repository
	case err != nil:
		return nil, situation.Of(err)
	case r.State.Mode == loop.AgentDriven || !r.State.Status.Terminal():
		return nil, nil
	}
	why := fmt.Sprintf("loop %s, inside of which it was begun, has ended", s.Inside)
	return []loop.Event{loop.AbortAsked{Stamp: e.stamp(), Why: why, Reason: loop.Policy}}, nil
}

// turnOf decides whether a loop that waits for others may begin, or never will.
func (e *Engine) turnOf(ctx context.Context, s loop.State) ([]loop.Event, error) {
	for _, id := range s.After {
		r, err := e.loops.Read(ctx, id)
		switch {
		case errors.Is(err, engine.ErrNotFound):
			return e.never(id + " was removed"), nil
		case err != nil:
			return nil, situation.Of(err)
		case r.State.Status == loop.StatusPassed:
		case r.State.Status.Terminal():
			return e.never(fmt.Sprintf("%s ended as %s/%s", id, r.State.Status, r.State.Reason)), nil
		default:
			return nil, nil
		}
	}
	return []loop.Event{loop.Woke{Stamp: e.stamp()}}, nil
}

func (e *Engine) never(why string) []loop.Event {
	return []loop.Event{loop.AbortAsked{Stamp: e.stamp(), Why: "it waited for another loop: " + why, Reason: loop.Policy}}
}

// change records events of a loop that its agent drives. Events that the
// loop's state refuses are refused here.
func (e *Engine) change(ctx context.Context, id string, events ...loop.Event) (loop.State, error) {
	return e.changeIf(ctx, id, store.Admission{}, anyState, events...)
}

func anyState(loop.State) bool { return true }

// changeIf is change for events that are only for some states, or that let a loop run on.
func (e *Engine) changeIf(ctx context.Context, id string, a store.Admission, fits func(loop.State) bool, events ...loop.Event) (loop.State, error) {
	ours := true
	e.fault("before:" + events[0].Name())
	s, err := e.store.Change(ctx, id, a, func(s loop.State) (loop.State, []loop.Event, error) {
		if s.Status.Terminal() || !fits(s) {
			ours = false // another process was faster: its events hold
			return s, nil, nil
		}
		next, err := journal.Fold(loop.Apply, s, events...)
		return next, events, err
	})
	e.fault("after:" + events[0].Name())
	if ours && err == nil && s.Status.Terminal() {
		e.learn(ctx, id)
		e.tidyDriven(ctx, s)
		e.packDriven(ctx, s)
	}
	return s, situation.Of(err)
}

func (e *Engine) stamp() loop.Stamp {
	s := loop.Stamp{At: e.now().Round(0)}
	if e.uptime != nil {
		s.Uptime = e.uptime()
	}
	return s
}

// workerOf makes the worker for a loop without a lease.
func (e *Engine) workerOf(id string) *worker.Worker {
	dir := e.store.LoopDir(id)
	w := e.workerIn(dir)
	w.Files = engine.Layout{Dir: dir}
	return w
}

// Bound is the newest active loop that an agent's session drives; "" is none.
func (e *Engine) Bound(ctx context.Context, session string) (string, error) {
	entries, err := e.store.Entries(ctx, store.Filter{Active: true})
	for _, x := range entries {
		if x.Mode == loop.AgentDriven && x.Session == session {
			return x.ID, nil
		}
	}
	return "", situation.Of(err)
}
