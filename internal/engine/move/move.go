package move

import (
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// Mover moves loops and plans between this machine and a server.
type Mover struct {
	// Stored are the loops of this machine, Server those of the server.
	Stored stored.Copies
	Server engine.SharedLoops
	Local  Local
	Travel Travel
	// Plans is what plans need besides.
	Plans Plans
	// Here and There name the two stores: the repository of this machine, and the server.
	Here, There loop.Home
	Now         func() time.Time
	// Fault is called at every point at which a kill must be survived; nil is none.
	Fault func(point string)

	// plan is the one with which its parts move; empty: a run moves alone.
	plan string
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
	// of its parts.
	Kept []string
}

// Moved is what came of the move of a loop, MovedPlan of that of a plan.
type (
	Moved     = Outcome[loop.State]
	MovedPlan = Outcome[plan.State]
)

func (m *Mover) stamp() loop.Stamp { return loop.Stamp{At: m.Now().Round(0)} }

// intent is what the beginning of a move records.
func (m *Mover) intent(from, to loop.Home) (at loop.Stamp, _, _ loop.Home, withPlan bool) {
	return m.stamp(), from, to, m.plan != ""
}

func (m *Mover) fault(point string) {
	if m.Fault != nil {
		m.Fault(point)
	}
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
