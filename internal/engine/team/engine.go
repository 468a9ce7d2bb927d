package team

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/stored"
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
	// Dir returns the directory of a loop's files on this machine.
	Dir func(id string) string
	// Leaves: loops that are started or resumed are not followed.
	Leaves bool
	// OfPlans: the engine is that of a worker, for the loops of the plans that it drives.
	// A request to stop pauses a loop, and each look asks the server.
	OfPlans bool
	// Say tells the user something.
	Say func(format string, args ...any)

	mu   sync.Mutex
	seen map[string]seen
}

// seen is what the server reported about a loop, besides its record.
type seen struct {
	live  bool
	owner string
	epoch int64
	seq   int64
}

var _ engine.Loops = (*Engine)(nil)

// Refresh brings the copies of all loops up to date.
func (e *Engine) Refresh(ctx context.Context) error {
	all, err := e.Shared.Server.List(ctx, engine.Filter{Archived: true})
	if err != nil {
		return err
	}
	now := map[string]seen{}
	for _, r := range all {
		now[r.State.ID] = seen{r.Live, r.Owner, r.Epoch, r.Seq}
		if err := e.Shared.Refresh(ctx, r); err != nil {
			return err
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = now
	return nil
}

// refresh brings the copy of one loop up to date. The list of a server names a new loop
// a moment late.
func (e *Engine) refresh(ctx context.Context, id string) (engine.Stored[loop.State], error) {
	r, err := e.Shared.Server.Read(ctx, id)
	if err != nil {
		return r, err
	}
	// A copy that is fenced was acquired meanwhile by the owner of the loop.
	if err := e.Shared.Refresh(ctx, r); err != nil && !errors.Is(err, engine.ErrFenced) {
		return r, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = map[string]seen{}
	}
	e.seen[id] = seen{r.Live, r.Owner, r.Epoch, r.Seq}
	return r, nil
}

// refreshEvery is how often a command that follows loops asks the server.
const refreshEvery = time.Second

// Follow refreshes until ctx ends. What fails is made up for by the next look.
func (e *Engine) Follow(ctx context.Context) {
	every := time.NewTicker(refreshEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
			_ = e.Refresh(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Active reports whether a worker is to drive a loop in this state.
func Active(s loop.State) bool {
	return s.Status == loop.Pending || !s.Status.Terminal() && s.Status != loop.Paused && loop.Next(s).Do != loop.DoNothing
}

// as corrects what the copy of a loop cannot know: whether a worker has it.
func (e *Engine) as(l engine.Loop) engine.Loop {
	e.mu.Lock()
	at := e.seen[l.State.ID]
	e.mu.Unlock()
	l.Crashed, l.Live, l.Owner, l.Process = false, at.live || Active(l.State), at.owner, at.owner
	if !at.live {
		l.Process = ""
		if l.Live {
			l.Owner = "no worker yet"
		}
	}
	return l
}

// Show is everything about one loop, with its files and commits.
func (e *Engine) Show(ctx context.Context, id string) (engine.Loop, error) {
	if e.OfPlans {
		if _, err := e.refresh(ctx, id); err != nil {
			return engine.Loop{}, err
		}
	}
	if err := e.Travel.Files.Get(id, e.Dir(id)); err != nil {
		return engine.Loop{}, err
	}
	l, err := e.Engine.Show(ctx, id)
	if err == nil && l.State.Commit != "" {
		_ = e.Travel.FetchWork(ctx, l.State) // what shows or merges it reports that it is missing
	}
	return e.as(l), err
}

// List returns the loops, the newest first.
func (e *Engine) List(ctx context.Context, f engine.Filter) ([]engine.Loop, error) {
	all, err := e.Engine.List(ctx, f)
	for i := range all {
		all[i] = e.as(all[i])
	}
	return all, err
}

// Marks are the same loops without their states. They are unsteady: whether a worker has
// one changes without an event.
func (e *Engine) Marks(ctx context.Context, f engine.Filter) ([]engine.Mark, error) {
	all, err := e.Engine.Marks(ctx, f)
	for i := range all {
		all[i].Crashed, all[i].Unsteady = false, true
	}
	return all, err
}

// Start records a loop for the workers, with the commit that it starts from on the remote,
// and follows it until it stops by itself or the user leaves.
func (e *Engine) Start(ctx context.Context, spec loop.Spec, o engine.Options, d engine.Drive) (loop.State, error) {
	if err := errors.Join(spec.Validate(), shareable(spec)); err != nil {
		return loop.State{}, err
	}
	if o.Alone {
		if err := e.alone(ctx, spec); err != nil {
			return loop.State{}, err
		}
	}
	if err := e.Travel.Announce(ctx, spec.Branch, spec.Base); err != nil {
		return loop.State{}, err
	}
	first := loop.New(spec, e.Now().Round(0))
	l, err := e.Shared.Create(ctx, first, nil)
	if err != nil {
		return loop.State{}, err
	}
	if err := l.Release(ctx); err != nil {
		return first, err
	}
	if spec.RetryOf != "" {
		e.recordRetried(ctx, spec)
	}
	return e.follow(ctx, spec.ID, d)
}

// recordRetried notes on a loop that has ended that its task is done again, unless the
// worker of the new one did. Another process may hold the loop for a moment. Where that
// fails, the old loop stays among those that need a person.
func (e *Engine) recordRetried(ctx context.Context, spec loop.Spec) {
	const patience = 5
	for n := 1; ; n++ {
		_, err := e.execute(ctx, spec.RetryOf, func(s loop.State) []loop.Event {
			if s.RetriedBy == spec.ID {
				return nil
			}
			return []loop.Event{loop.Retried{Stamp: e.stamp(), By: spec.ID}}
		})
		if err == nil || errors.Is(err, engine.ErrEnded) || errors.Is(err, engine.ErrNotFound) { // an archived one waits for no person
			return
		}
		if !errors.Is(err, engine.ErrRunning) || n == patience {
			e.Say("! %s: its retry was not recorded there: %v", spec.RetryOf, err)
			return
		}
		select {
		case <-time.After(refreshEvery / 2):
		case <-ctx.Done():
			return
		}
	}
}

// alone refuses a second loop of one task.
func (e *Engine) alone(ctx context.Context, spec loop.Spec) error {
	active, err := e.Engine.List(ctx, engine.Filter{Active: true})
	if slices.ContainsFunc(active, func(l engine.Loop) bool { return l.State.Task.ID == spec.Task.ID }) {
		return engine.ErrTwin
	}
	return err
}

// shareable refuses what only this machine has.
func shareable(s loop.Spec) error {
	for what, is := range map[string]bool{
		"--in-place": s.InPlace, "--with-changes": s.WithChanges, "isolation.copy": len(s.Copy) > 0,
		"a hidden gate": slices.ContainsFunc(s.Gates, func(g loop.Gate) bool { return g.Hidden }),
	} {
		if is {
			return fmt.Errorf("%w: %s needs files of this machine", engine.ErrNotShared, what)
		}
	}
	return nil
}

// Resume continues a paused loop, and follows it.
func (e *Engine) Resume(ctx context.Context, id string, o engine.Options, d engine.Drive) (loop.State, error) {
	if o.From > 0 || o.TakeOver {
		return loop.State{}, fmt.Errorf("%w: --from and --take-over are for the machine that has the files", engine.ErrNotShared)
	}
	r, err := e.refresh(ctx, id)
	if err != nil {
		return r.State, err
	}
	if r.State.Status.Terminal() {
		return r.State, engine.ErrEnded
	}
	if !r.Live && r.State.Status == loop.Paused {
		if _, err := e.execute(ctx, id, always(loop.Resumed{Stamp: e.stamp()})); err != nil {
			return r.State, err
		}
	}
	return e.follow(ctx, id, d)
}

// follow reports what happens to a loop until it rests, or the user leaves it.
func (e *Engine) follow(ctx context.Context, id string, d engine.Drive) (loop.State, error) {
	var after int64
	var state loop.State
	look := time.NewTicker(refreshEvery / 2)
	defer look.Stop()
	for {
		r, err := e.refresh(ctx, id)
		if err != nil && e.OfPlans && passes(ctx, err) {
			select {
			case <-look.C:
			case <-ctx.Done():
			}
			continue
		}
		if err != nil {
			return state, err
		}
		if e.Leaves {
			return r.State, nil
		}
		if state.ID == "" {
			state, after = r.State, r.Seq+1
		}
		if state, after, err = e.report(ctx, state, after, d); err != nil {
			return state, err
		}
		if !r.Live && !Active(r.State) {
			return r.State, nil
		}
		select {
		case <-look.C:
		case <-d.Stops:
			if !e.OfPlans {
				e.Say("%s: left; its worker continues", id)
				return r.State, nil
			}
			if _, err := e.Send(ctx, id, engine.Command{Kind: engine.Pause, By: "the plan"}); err != nil && !errors.Is(err, engine.ErrEnded) {
				return r.State, err
			}
		case <-ctx.Done():
			return r.State, context.Cause(ctx)
		}
	}
}

// passes reports whether a failed look says nothing about the loop: the server is away.
func passes(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !errors.Is(err, engine.ErrNotFound) && !errors.Is(err, engine.ErrDamaged)
}

// report tells a watcher what the copy recorded after an event.
func (e *Engine) report(ctx context.Context, s loop.State, after int64, d engine.Drive) (loop.State, int64, error) {
	for {
		page, err := e.Events(ctx, s.ID, after)
		if err != nil || len(page) == 0 {
			return s, after, err
		}
		for _, r := range page {
			if r.Event == nil {
				return s, after, fmt.Errorf("event %d of loop %s is one of a newer ralph: install the same version here", r.Seq, s.ID)
			}
			next, err := loop.Apply(s, r.Event)
			if err != nil {
				return s, after, err
			}
			if d.Watch != nil {
				d.Watch(engine.Update{Before: s, After: next, Event: r.Event, Seq: r.Seq})
			}
			s, after = next, r.Seq
		}
	}
}

func (e *Engine) stamp() loop.Stamp { return loop.Stamp{At: e.Now().Round(0)} }

// Send hands a command to the worker that has the loop. Where none has it, the command is
// recorded here, and a worker carries it out.
func (e *Engine) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	r, err := e.refresh(ctx, id)
	switch {
	case err != nil:
		return r.State, err
	case r.State.Status.Terminal():
		return r.State, engine.ErrEnded
	}
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
	next, events := s, follows(s)
	for _, ev := range events {
		if next, err = loop.Apply(next, ev); err != nil {
			break
		}
	}
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
	if err != nil {
		return engine.Accepted{}, err
	}
	if err := errors.Join(e.Travel.FetchWork(ctx, r.State), e.Travel.Files.Get(id, e.Dir(id))); err != nil {
		return engine.Accepted{}, err
	}
	return e.Engine.Accept(ctx, id, o)
}

// Archive hides a loop that has ended, for all machines.
func (e *Engine) Archive(ctx context.Context, id string) error { return e.Shared.Archive(ctx, id) }
