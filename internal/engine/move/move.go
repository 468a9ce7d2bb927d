package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// Mover moves loops between this machine and a server.
type Mover struct {
	Copies stored.Copies
	Local  Local
	Server engine.SharedLoops
	Travel Travel
	// Plans is what plans need besides.
	Plans Plans
	// Here is the repository of this machine, There the server.
	Here, There loop.Home
	Now         func() time.Time
	// Fault is called at every point at which a kill must be survived; nil is none.
	Fault func(point string)

	// plan is the one with which its loops move; empty: a loop moves alone.
	plan string
}

// immovable returns why a loop cannot be moved; one of a plan moves with it only.
func (m *Mover) immovable(s loop.State) string {
	return s.Immovable(m.plan != "" && s.Parent == m.plan)
}

// alone refuses a loop of a plan that is to be moved without it, whatever its record tells.
func (m *Mover) alone(s loop.State) error {
	if s.Parent == "" || s.Parent == m.plan {
		return nil
	}
	return &engine.ImmovableError{ID: s.ID, Why: s.Immovable(false)}
}

// Local are the trees and branches of this machine.
type Local interface {
	// Rest leaves a loop that no process drives where it can move from.
	Rest(ctx context.Context, id string) error
	// MayLeave returns an error where content of a loop cannot be kept. Leave hands its trees
	// back, and returns the branch that keeps what was not committed.
	MayLeave(ctx context.Context, l *store.LoopLease) error
	Leave(ctx context.Context, l *store.LoopLease) (kept string, err error)
	// Arrive makes the branches of a loop. kept is the commit of its failed work.
	Arrive(ctx context.Context, l *store.LoopLease, kept string) error
}

// Travel takes commits and files to other machines and brings them here.
type Travel interface {
	// Offer pushes the work. Ours: the branch on the remote is the loop's own.
	Offer(ctx context.Context, s loop.State, ours bool) error
	// FetchWhole gets the work; kept is the commit of failed work.
	FetchWhole(ctx context.Context, s loop.State) (kept string, err error)
	// PutFiles publishes the files of a loop under the epoch of its lease there; GetFiles
	// brings them here.
	PutFiles(ctx context.Context, id string, epoch int64, dir string) error
	GetFiles(ctx context.Context, id, dir string) error
}

// Outcome is what came of the move of a run.
type Outcome[S any] struct {
	// State is that of the run where it is now.
	State S
	// Already: it was there before.
	Already bool
	// TakenBack: a move away that had begun was given up.
	TakenBack bool
	// Kept are the branches here with what was not committed in its trees, of a plan in those
	// of its loops.
	Kept []string
}

// Moved is what came of the move of a loop, MovedPlan of that of a plan.
type (
	Moved     = Outcome[loop.State]
	MovedPlan = Outcome[plan.State]
)

func (m *Mover) stamp() loop.Stamp { return loop.Stamp{At: m.Now().Round(0)} }

func (m *Mover) fault(point string) {
	if m.Fault != nil {
		m.Fault(point)
	}
}

// Known reports whether this machine has a record of a loop, and its state.
func (m *Mover) Known(ctx context.Context, id string) (engine.Stored[loop.State], bool, error) {
	return known(m.Copies.Read(ctx, id))
}

func known[S any](r engine.Stored[S], err error) (engine.Stored[S], bool, error) {
	if errors.Is(err, engine.ErrNotFound) {
		return r, false, nil
	}
	if err == nil && r.Damage != "" {
		err = fmt.Errorf("%w: %s", engine.ErrDamaged, r.Damage)
	}
	if err == nil && r.Newer != "" {
		err = fmt.Errorf("%w (%s)", engine.ErrNewer, r.Newer)
	}
	return r, err == nil, err
}

// held is the lease of a loop here.
func (m *Mover) held(ctx context.Context, id string) (stored.Copy, error) {
	return m.Copies.Acquire(ctx, id, false)
}

// reacquired is the lease of a loop that may have been archived since it left.
func (m *Mover) reacquired(ctx context.Context, id string) (stored.Copy, error) {
	if err := m.Copies.Store.Unarchive(ctx, id); err != nil {
		return stored.Copy{}, situation.Of(err)
	}
	return m.held(ctx, id)
}

// first returns the state with which the record here begins.
func (m *Mover) first(ctx context.Context, id string) (loop.State, error) {
	first, ok, err := m.Copies.Store.First(ctx, id)
	if err == nil && !ok {
		return first, &engine.ImmovableError{ID: id, Why: "an older version began its record"}
	}
	return first, situation.Of(err)
}

// commitHere records events of a move here.
func commitHere(ctx context.Context, l stored.Copy, events ...loop.Event) error {
	_, err := engine.CommitLoop(context.WithoutCancel(ctx), l, events...)
	return err
}

// commitThere records events of a move on the server.
func commitThere(ctx context.Context, l lease, events ...loop.Event) error {
	_, err := asked(ctx, func(ctx context.Context) (loop.State, error) { return engine.CommitLoop(ctx, l, events...) })
	return err
}

type lease = engine.Lease[loop.State, loop.Event]

// answerIn is how long a server may take for one request. What it did then is found out by
// the same command.
const answerIn = time.Minute

// asked asks the server for a change, and does not wait forever.
func asked[T any](ctx context.Context, ask func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	return ask(ctx)
}

// record records a transition; a server has answerIn for it.
func record[S any, E journal.Event](ctx context.Context, l engine.Lease[S, E], next S, events []E) error {
	_, err := asked(ctx, func(ctx context.Context) (S, error) { return next, l.Commit(ctx, next, events) })
	return err
}
