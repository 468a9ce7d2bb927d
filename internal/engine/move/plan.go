package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A plan moves as a loop does, and its loops move between its intent and its arrival:
//
//	from: plan_move_began
//	every loop of it moves, as above
//	its own files ▶ shared folder ▶ to
//	to:   the events so far, incomplete
//	to:   plan_moved_away, plan_arrived
//	from: plan_moved_away
//
// Its journal has the same numbers in both stores. The state is copied with it, not made of
// it: a plan that begins anew gets a state that no event leads to. What one machine calls the
// plan's file is translated.

// Plans is what a Mover needs of the plans of both ends.
type Plans struct {
	Here   stored.Plans
	There  engine.SharedPlans
	Local  LocalPlans
	Travel PlanTravel
	// Root is the tree of this machine in which loops of a plan begin.
	Root string
	// Path is where the file of a plan is on this machine, Name what others call it.
	Path func(id, name string) string
	Name func(path string) string
}

// LocalPlans are the files and branches of the plans of this machine.
type LocalPlans interface {
	// Rest carries out what was sent to a plan that no process drives.
	Rest(ctx context.Context, id string) error
	// Text returns the content of a plan's file, for workers.
	Text(ctx context.Context, s plan.State) ([]byte, error)
	// Arrive makes the branch of a plan, and its file where that is not here.
	Arrive(ctx context.Context, s plan.State, text []byte) error
	// WriteBack writes into the file what the plan did elsewhere.
	WriteBack(ctx context.Context, l engine.PlanLease) error
}

// PlanTravel takes the landed work of plans to other machines and brings it here.
type PlanTravel interface {
	// OfferPlan pushes the landed work. Ours: the branch on the remote is the plan's own.
	OfferPlan(ctx context.Context, spec engine.PlanSpec, s plan.State, ours bool) error
	FetchLanded(ctx context.Context, s plan.State) error
	// PutPlanFiles publishes the files of a plan itself (approved approaches, reviews, evidence
	// of the merged work) under the epoch of its lease there; GetPlanFiles brings them here.
	PutPlanFiles(ctx context.Context, id string, epoch int64, dir string) error
	GetPlanFiles(ctx context.Context, id, dir string) error
}

type (
	planLease  = engine.Lease[plan.State, plan.Event]
	storedPlan = engine.Stored[plan.State]
)

// with returns the mover of the loops of a plan.
func (m *Mover) with(id string) *Mover {
	with := *m
	with.plan = id
	return &with
}

// end is one of the stores between which a plan moves.
type end struct {
	home loop.Home
	// journal returns the events after a number.
	journal journalOf
	// file is what this end calls the file of a plan of the other one.
	file func(id, file string) string
	// bring brings the files of the plan to this end, where to is its lease.
	bring func(ctx context.Context, to planLease) error
}

func (m *Mover) endHere() end {
	get := func(ctx context.Context, to planLease) error {
		return m.Plans.Travel.GetPlanFiles(ctx, to.ID(), m.Plans.dir(to.ID()))
	}
	return end{m.Here, m.Plans.Here.Events, m.Plans.Path, get}
}

func (m *Mover) endThere() end {
	name := func(_, path string) string { return m.Plans.Name(path) }
	put := func(ctx context.Context, to planLease) error {
		return m.Plans.Travel.PutPlanFiles(ctx, to.ID(), to.Epoch(), m.Plans.dir(to.ID()))
	}
	return end{m.There, m.Plans.There.Events, name, put}
}

// dir has the files of a plan on this machine.
func (p Plans) dir(id string) string { return p.Here.Store.Plans().Dir(id) }

// carry brings the files of a plan, copies its record, and lets it arrive. It returns the state there.
func (m *Mover) carry(ctx context.Context, src end, from planLease, dst end, to planLease) (plan.State, error) {
	m.fault("acquired the plan")
	if to.Seq() <= from.Seq() { // else the request of a process that was killed has just arrived
		s := from.State()
		s.File = dst.file(s.ID, s.File)
		if err := dst.bring(ctx, to); err != nil {
			return s, err
		}
		m.fault("brought the files of the plan")
		err := copyMissing(ctx, src.journal, from.Seq(), to, func(r engine.Event) (plan.State, plan.Event, error) {
			e, err := decoded(r)
			return s.Incomplete(src.home, dst.home), e, err
		}, m.fault)
		if err != nil {
			return s, err
		}
		err = arrive(ctx, m, planMachine, from, to, s, dst.journal)
		return to.State(), err
	}
	err := confirm(ctx, m, planMachine, from, dst.journal)
	return to.State(), err
}

func decoded(r engine.Event) (plan.Event, error) {
	e, is := r.Decoded.(plan.Event)
	if !is {
		return nil, fmt.Errorf("%w (%s)", engine.ErrNewer, r.Name)
	}
	return e, nil
}

func (m *Mover) acquirePlanThere(ctx context.Context, id string, spec []byte, takeOver bool) (planLease, error) {
	return asked(ctx, func(ctx context.Context) (planLease, error) {
		return m.Plans.There.Acquire(ctx, id, spec, takeOver)
	})
}

// requestOf decodes the request of a plan.
func requestOf(r storedPlan) (spec engine.PlanSpec, err error) {
	if err := json.Unmarshal(r.Spec, &spec); err != nil {
		return spec, fmt.Errorf("%w: the request of plan %s cannot be read: %w", engine.ErrDamaged, r.State.ID, err)
	}
	return spec, nil
}

// samePlan refuses a plan that has the id of another one. The two records have the same
// event under the highest number that both have.
func (m *Mover) samePlan(ctx context.Context, here, there storedPlan) error {
	n := min(here.Seq, there.Seq)
	if n == 0 { // nothing of it was copied yet
		p := there.State.Partial
		if p == nil {
			p = here.State.Partial
		}
		if p != nil && (p.From.Same(m.Here) || p.To.Same(m.Here)) {
			return nil
		}
		return fmt.Errorf("%w on the other side, and it is another one", engine.ErrExists)
	}
	return sameEvent(ctx, planMachine, m.Plans.Here.Events, m.Plans.There.Events, here.State.ID, n)
}

// moveLoops moves the loops of a plan, and returns the branches with what was not committed.
func moveLoops(ids []string, move func(id string) (Moved, error)) (kept []string, err error) {
	for _, id := range ids {
		done, err := move(id)
		if errors.Is(err, engine.ErrNotFound) { // the record of its plan names it, and it never began
			continue
		}
		kept = append(kept, done.Kept...)
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}

// loopsOf are the loops of a plan that move with it: those that its record names, and those of
// a list of its store.
func loopsOf(ctx context.Context, s plan.State, list func(context.Context, engine.Filter) ([]engine.Stored[loop.State], error), moves func(id string) (bool, error)) (ids []string, err error) {
	all, err := list(ctx, engine.Filter{Parent: s.ID})
	if err != nil {
		return nil, err
	}
	ids = s.Loops() // a list names a new one a moment late
	for _, l := range all {
		ids = append(ids, l.State.ID)
	}
	slices.Sort(ids)
	ids = slices.DeleteFunc(slices.Compact(ids), func(id string) bool {
		is, bad := moves(id)
		err = errors.Join(err, bad)
		return !is
	})
	return ids, err
}
