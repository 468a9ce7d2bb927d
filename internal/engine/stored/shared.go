package stored

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store"
)

// Shared are loops whose record is kept on a server that several machines share. The
// database of this machine has a copy of it, with what is this machine's own: worktrees,
// checkpoints, budgets of loops and sessions.
//
//	commit   what the new state names is published ▶ server ▶ copy
//	acquire  lease on the server ▶ the copy catches up ▶ what the state names is fetched
//
// The server is the truth: a copy is behind it where a process died between the two, and
// never ahead. Events have one number more in the copy (see Copies).
type Shared struct {
	Loops  Loops
	Server engine.SharedLoops
	// Publish makes what a state names available to other machines, before it is
	// recorded: commits and files in the loop's directory.
	Publish func(ctx context.Context, p Publication[loop.State, loop.Event]) error
	// Fetch gets here what a state names.
	Fetch func(ctx context.Context, s loop.State, dir string) error
	// Places admits the loops that this process drives, where it asks for a bound
	// (Loops.Admit.Max); nil admits all.
	Places engine.Places
	// Budgets are those of the plans of loops; nil is none.
	Budgets *PlanBudgets
}

var _ engine.Store[loop.State, loop.Event, LoopLease] = Shared{}

// Create records a new loop, on the server first.
func (s Shared) Create(ctx context.Context, first loop.State, _ []byte) (LoopLease, error) {
	spec, err := json.Marshal(first)
	if err != nil {
		return LoopLease{}, err
	}
	there, err := s.Server.Create(ctx, first, spec)
	if err != nil {
		return LoopLease{}, err
	}
	here, err := s.Loops.Store.Create(ctx, first, store.Admission{})
	if err != nil {
		return LoopLease{}, errors.Join(situation.Of(err), there.Release(context.WithoutCancel(ctx)))
	}
	return s.both(ctx, here, there)
}

// Acquire acquires the loop on the server, and brings the copy up to date.
func (s Shared) Acquire(ctx context.Context, id string, _ []byte, takeOver bool) (LoopLease, error) {
	there, err := s.Server.Acquire(ctx, id, nil, takeOver)
	if err != nil {
		return LoopLease{}, err
	}
	l, err := s.admitted(ctx, id, there)
	if err != nil {
		return l, errors.Join(err, there.Release(context.WithoutCancel(ctx)))
	}
	return l, nil
}

// admitted is the lease of a loop that has a place. It is asked for under the lease, so that
// it is free again once the lease is over, however that ends.
func (s Shared) admitted(ctx context.Context, id string, there engine.Lease[loop.State, loop.Event]) (LoopLease, error) {
	most := s.Loops.Admit.Max
	if s.Places == nil || most == 0 {
		return s.acquired(ctx, id, there)
	}
	if err := s.Places.Admit(ctx, id, there.Epoch(), most); err != nil {
		return LoopLease{}, err
	}
	l, err := s.acquired(ctx, id, there)
	if err != nil { // a sweep finds the place, where it cannot be given back now
		ctx = context.WithoutCancel(ctx)
		return l, errors.Join(err, there.Release(ctx), s.Places.Leave(ctx, id, there.Epoch()))
	}
	l.shared.leave = func(ctx context.Context) { _ = s.Places.Leave(ctx, id, there.Epoch()) }
	return l, nil
}

func (s Shared) acquired(ctx context.Context, id string, there engine.Lease[loop.State, loop.Event]) (LoopLease, error) {
	r, err := s.Server.Read(ctx, id)
	if err != nil {
		return LoopLease{}, err
	}
	here, err := s.copyOf(ctx, r, true)
	if err != nil {
		return LoopLease{}, err
	}
	if here.Seq() > r.Seq {
		err = fmt.Errorf("%w: the copy of loop %s on this machine is newer than its record on the server", engine.ErrDamaged, id)
	} else {
		err = s.catchUp(ctx, here, r)
	}
	if err == nil && s.Fetch != nil {
		err = s.Fetch(ctx, there.State(), here.Dir())
	}
	if err != nil {
		return LoopLease{}, errors.Join(err, here.Release(ctx))
	}
	return s.both(ctx, here.LoopLease, there)
}

func (s Shared) both(ctx context.Context, here *store.LoopLease, there engine.Lease[loop.State, loop.Event]) (LoopLease, error) {
	first := here.State()
	plans, err := s.Budgets.Above(ctx, first.Parent)
	if err != nil {
		return LoopLease{}, errors.Join(err, here.Release(ctx), there.Release(context.WithoutCancel(ctx)))
	}
	l := &sharedLease{
		plans:       planShares{budgets: s.Budgets, holder: holder{Name: first.ID, Epoch: there.Epoch()}, plans: plans},
		serverLease: serverLease[loop.State, loop.Event]{there, s.Publish, here.Dir()},
		wake:        make(chan struct{}, 1), ended: make(chan struct{}),
	}
	box, err := there.Inbox(ctx)
	if err != nil {
		return LoopLease{}, errors.Join(err, here.Release(ctx), there.Release(context.WithoutCancel(ctx)))
	}
	for _, m := range box {
		l.found = max(l.found, m.ID)
	}
	l.forward(here.Wake())
	return LoopLease{here, l}, nil
}

// Refresh brings the copy of a loop up to date without a lease on the server. A copy
// that another process of this machine holds is left to it. A loop whose record is being
// copied to the server is not there yet.
func (s Shared) Refresh(ctx context.Context, r engine.Stored[loop.State]) error {
	if r.State.Partial != nil {
		return nil
	}
	have, err := s.Loops.Read(ctx, r.State.ID)
	if err == nil && (have.Archived || have.Seq > r.Seq) {
		return s.hide(ctx, r, have.Archived)
	}
	here, err := s.copyOf(ctx, r, false)
	if errors.Is(err, engine.ErrRunning) || errors.Is(err, engine.ErrExists) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := errors.Join(s.catchUp(ctx, here, r), here.Release(ctx)); err != nil {
		return err
	}
	return s.hide(ctx, r, false)
}

// hide archives the copy of a loop that was archived elsewhere.
func (s Shared) hide(ctx context.Context, r engine.Stored[loop.State], hidden bool) error {
	if !r.Archived || hidden {
		return nil
	}
	return s.Loops.Archive(ctx, r.State.ID)
}

// copyOf is the lease of the copy of a loop, which is made where there is none. With the
// lease on the server it is taken over: its holder on this machine has lost that.
func (s Shared) copyOf(ctx context.Context, r engine.Stored[loop.State], takeOver bool) (Copy, error) {
	here, err := Copies{s.Loops.Store}.Acquire(ctx, r.State.ID, takeOver)
	if !errors.Is(err, engine.ErrNotFound) {
		return here, err
	}
	var first loop.State
	if err := json.Unmarshal(r.Spec, &first); err != nil || first.ID != r.State.ID {
		return Copy{}, fmt.Errorf("%w: the record of loop %s on the server has no first state", engine.ErrDamaged, r.State.ID)
	}
	l, err := s.Loops.Store.Create(ctx, first, store.Admission{})
	return Copy{l}, situation.Of(err)
}

// catchUp records in the copy what happened elsewhere, event by event: attempts and
// amounts follow from that. It is further already where another process of this machine read
// the record later and was faster.
func (s Shared) catchUp(ctx context.Context, here Copy, r engine.Stored[loop.State]) error {
	for e, err := range engine.Events(ctx, s.Server.Events, r.State.ID, here.Seq(), r.Seq) {
		if err != nil {
			return err
		}
		next, event, err := Apply(here.State(), e)
		if err != nil {
			return err
		}
		if err := here.CommitCopied(ctx, next, event); err != nil {
			return err
		}
	}
	return nil
}

// Apply returns the event of a record, and the state after it.
func Apply(s loop.State, r engine.Event) (loop.State, loop.Event, error) {
	e, known := r.Decoded.(loop.Event)
	if !known {
		return s, nil, fmt.Errorf("event %d of loop %s (%s): %w", r.Seq, s.ID, r.Name, engine.ErrNewer)
	}
	next, err := loop.Apply(s, e)
	if err != nil {
		return s, nil, fmt.Errorf("event %d of loop %s cannot be applied by this version: %w", r.Seq, s.ID, err)
	}
	return next, e, nil
}

// Read, List, Resolve and Events read the copy.
func (s Shared) Read(ctx context.Context, id string) (engine.Stored[loop.State], error) {
	return s.Loops.Read(ctx, id)
}

// List returns the copies, the newest first.
func (s Shared) List(ctx context.Context, f engine.Filter) ([]engine.Stored[loop.State], error) {
	return s.Loops.List(ctx, f)
}

// Count returns how many copies a list without a limit has.
func (s Shared) Count(ctx context.Context, f engine.Filter) (int, error) {
	return s.Loops.Count(ctx, f)
}

// Resolve returns the id of a loop, of which name may be the beginning.
func (s Shared) Resolve(ctx context.Context, prefix string) (string, error) {
	return s.Loops.Resolve(ctx, prefix)
}

// Events returns the next ones after a number.
func (s Shared) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	return s.Loops.Events(ctx, id, after)
}

// Send puts a message into the inbox on this machine: an agent sends it to the process
// that runs it.
func (s Shared) Send(ctx context.Context, id string, m journal.Message) error {
	return s.Loops.Send(ctx, id, m)
}

// Unread reports whether a message waits, here or on the server.
func (s Shared) Unread(ctx context.Context, id string) (bool, error) {
	if waits, err := s.Loops.Unread(ctx, id); waits || err != nil {
		return waits, err
	}
	return s.Server.Unread(ctx, id)
}

// Archive hides a loop that has ended, everywhere.
func (s Shared) Archive(ctx context.Context, id string) error {
	return errors.Join(s.Server.Archive(ctx, id), s.Loops.Archive(ctx, id))
}
