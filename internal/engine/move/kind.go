package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// kind is one of the two kinds of runs, loops or plans, as a move needs it. The steps that both
// have in one order are functions of a kind; H is the lease here.
type kind[S any, E journal.Event, H engine.Lease[S, E]] struct {
	machine[S, E]
	noun    string
	transit func(*S) loop.Transit
	here    records[S]
	there   engine.Store[S, E, engine.Lease[S, E]]
	hold    func(ctx context.Context, id string) (H, error)
	// moved is engine.MovedOf. alone refuses a loop that moves with its plan only; immovable
	// returns why a run cannot be moved. same refuses another run of the same id.
	moved     func(S) error
	alone     func(S) error
	immovable func(S) string
	same      func(ctx context.Context, have, there engine.Stored[S]) error
	// rest leaves a run here where it can move from. come refuses one of the server that
	// cannot be moved here now, and bring moves it here.
	rest  func(ctx context.Context, r engine.Stored[S]) error
	come  func(ctx context.Context, b both[S]) error
	bring func(ctx context.Context, b both[S]) (Outcome[S], error)
	// recall takes back what moves before a run itself. left hands back the trees of a run that
	// left, and returns the branches with what was not committed. returned completes a move to
	// here. keep makes one that has left, or is leaving, complete here without its server.
	recall   func(ctx context.Context, s S) error
	left     func(ctx context.Context, l H) (kept []string, err error)
	returned func(ctx context.Context, id string) error
	keep     func(ctx context.Context, l H) (kept []string, err error)
}

// records are those of this machine.
type records[S any] interface {
	Read(ctx context.Context, id string) (engine.Stored[S], error)
	Events(ctx context.Context, id string, after int64) ([]engine.Event, error)
}

func (m *Mover) loops() kind[loop.State, loop.Event, stored.Copy] {
	return kind[loop.State, loop.Event, stored.Copy]{
		machine: loopMachine, noun: "loop", transit: (*loop.State).Transit, here: m.Copies, there: m.Server, hold: m.reacquired,
		moved: engine.MovedOf, alone: m.alone, immovable: m.immovable, same: m.sameHere,
		rest: m.restHere, come: m.mayCome, bring: m.bring,
		recall: func(context.Context, loop.State) error { return nil }, left: m.leave,
		returned: func(context.Context, string) error { return nil }, keep: m.keep,
	}
}

func (m *Mover) plans() kind[plan.State, plan.Event, engine.PlanLease] {
	return kind[plan.State, plan.Event, engine.PlanLease]{
		machine: planMachine, noun: "plan", transit: (*plan.State).Transit, here: m.Plans.Here, there: m.Plans.There,
		hold: func(ctx context.Context, id string) (engine.PlanLease, error) {
			return m.Plans.Here.Acquire(ctx, id, nil, false)
		},
		moved: engine.PlanMovedOf, alone: func(plan.State) error { return nil },
		immovable: func(s plan.State) string { return s.Immovable() }, same: m.samePlan,
		rest: m.planRestsHere, come: m.planMayCome, bring: m.bringPlan,
		recall: m.recallLoops, left: func(context.Context, engine.PlanLease) ([]string, error) { return nil, nil },
		returned: m.writeBack, keep: m.keepPlan,
	}
}

// both are the records of a run here and on the server, where there are any.
type both[S any] struct {
	have, there     engine.Stored[S]
	isHere, isThere bool
}

func (k kind[S, E, H]) read(ctx context.Context, id string) (b both[S], err error) {
	if b.have, b.isHere, err = known(k.here.Read(ctx, id)); err == nil {
		b.there, b.isThere, err = known(k.there.Read(ctx, id))
	}
	for _, s := range []S{b.have.State, b.there.State} {
		if err == nil {
			err = k.alone(s)
		}
	}
	return b, err
}

// readHere returns the record of a run that may move by itself.
func (k kind[S, E, H]) readHere(ctx context.Context, id string) (engine.Stored[S], error) {
	r, ok, err := known(k.here.Read(ctx, id))
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s", engine.ErrNotFound, id)
	}
	if err == nil {
		err = k.alone(r.State)
	}
	return r, err
}

// continueHere records that a run here, which left or was about to, continues here.
func (k kind[S, E, H]) continueHere(ctx context.Context, l H, arrived E) (S, error) {
	next, err := k.apply(l.State(), arrived)
	if err == nil {
		err = l.Commit(context.WithoutCancel(ctx), next, []E{arrived})
	}
	return next, err
}

// acquireThere acquires a run on the server.
func (k kind[S, E, H]) acquireThere(ctx context.Context, id string, takeOver bool) (engine.Lease[S, E], error) {
	return asked(ctx, func(ctx context.Context) (engine.Lease[S, E], error) {
		return k.there.Acquire(ctx, id, nil, takeOver)
	})
}

func (k kind[S, E, H]) cannotMove(id, why string) error {
	return &engine.ImmovableError{ID: id, Plan: k.noun == "plan", Why: why}
}
