package move

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A plan moves as a loop does, and its loops move between its intent and its arrival:
//
//	from: plan_move_began
//	every loop of it moves, as above
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
}

// MovedPlan is what came of the move of a plan.
type MovedPlan struct {
	// State is that of the plan where it is now.
	State plan.State
	// Already and TakenBack are those of Moved. Kept are the branches here with what was not
	// committed in the trees of its loops.
	Already, TakenBack bool
	Kept               []string
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

// KnownPlan reports whether this machine has a record of a plan.
func (m *Mover) KnownPlan(ctx context.Context, id string) (storedPlan, bool, error) {
	return known(m.Plans.Here.Read(ctx, id))
}

// end is one of the stores between which a plan moves.
type end struct {
	home loop.Home
	// journal returns the events after a number.
	journal func(ctx context.Context, id string, after int64) ([]engine.Record, error)
	// file is what this end calls the file of a plan of the other one.
	file func(id, file string) string
}

func (m *Mover) endHere() end { return end{m.Here, m.Plans.Here.Events, m.Plans.Path} }

func (m *Mover) endThere() end {
	return end{m.There, m.Plans.There.Events, func(_, path string) string { return m.Plans.Name(path) }}
}

// carry copies the record of a plan, and lets it arrive. It returns the state there.
func (m *Mover) carry(ctx context.Context, src end, from planLease, dst end, to planLease) (plan.State, error) {
	m.fault("acquired the plan")
	if to.Seq() <= from.Seq() { // else the request of a process that was killed has just arrived
		s := from.State()
		s.File = dst.file(s.ID, s.File)
		if err := m.copyPlan(ctx, src, from.Seq(), to, s.Incomplete(src.home, dst.home)); err != nil {
			return s, err
		}
		m.fault("copied the plan")
		if err := from.Owned(ctx); err != nil {
			return s, err
		}
		events := []plan.Event{plan.MovedAway{Stamp: m.stamp()}, plan.Arrived{Stamp: m.stamp()}}
		next, err := journal.Fold(plan.Apply, s, events...)
		if err == nil {
			err = recordPlan(ctx, to, next, events)
		}
		if err != nil {
			return s, err
		}
		m.fault("the plan arrived")
	}
	return to.State(), m.confirm(ctx, dst, from)
}

// copyPlan copies the events that a store lacks, up to a number. Until then nothing continues
// from its state.
func (m *Mover) copyPlan(ctx context.Context, src end, last int64, to planLease, s plan.State) error {
	for to.Seq() < last {
		page, err := src.journal(ctx, to.ID(), to.Seq())
		if err != nil {
			return err
		}
		if page = upTo(page, last); len(page) == 0 {
			return missing(to.ID())
		}
		for len(page) > 0 {
			n := batch(page)
			events, err := decoded(page[:n])
			if err != nil {
				return err
			}
			if err := recordPlan(ctx, to, s, events); err != nil {
				return err
			}
			page = page[n:]
			m.fault("copied a part of the plan")
		}
	}
	return nil
}

// confirm records in the store that a plan left what the other one has: that it left.
func (m *Mover) confirm(ctx context.Context, dst end, from planLease) error {
	page, err := dst.journal(ctx, from.ID(), from.Seq())
	if err != nil {
		return err
	}
	if page = page[:min(len(page), 1)]; len(page) == 0 {
		return missing(from.ID())
	}
	events, err := decoded(page)
	if err != nil {
		return err
	}
	away, is := events[0].(plan.MovedAway)
	if !is {
		return fmt.Errorf("%w: the other record has another event than the departure of plan %s", engine.ErrDamaged, from.ID())
	}
	next, err := plan.Apply(from.State(), away)
	if err == nil {
		err = recordPlan(ctx, from, next, []plan.Event{away})
	}
	m.fault("confirmed the plan")
	return err
}

func missing(id string) error {
	return fmt.Errorf("%w: events of plan %s are missing", engine.ErrDamaged, id)
}

func upTo(page []engine.Record, last int64) []engine.Record {
	return slices.DeleteFunc(page, func(r engine.Record) bool { return r.Seq > last })
}

func decoded(page []engine.Record) (events []plan.Event, err error) {
	for _, r := range page {
		e, is := r.Event.(plan.Event)
		if !is {
			return nil, fmt.Errorf("%w (%s)", engine.ErrNewer, r.Name)
		}
		events = append(events, e)
	}
	return events, nil
}

func recordPlan(ctx context.Context, l planLease, next plan.State, events []plan.Event) error {
	_, err := asked(ctx, func(ctx context.Context) (planLease, error) { return l, l.Commit(ctx, next, events) })
	return err
}

func releasePlan(ctx context.Context, l planLease) { _ = l.Release(context.WithoutCancel(ctx)) }

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
	var last [2]string
	for i, of := range []end{m.endHere(), m.endThere()} {
		page, err := of.journal(ctx, here.State.ID, n-1)
		if err != nil {
			return err
		}
		events, err := decoded(page[:min(len(page), 1)])
		if err != nil {
			return err
		}
		for _, e := range events {
			name, data, err := plan.Encode(e)
			if err != nil {
				return err
			}
			last[i] = name + string(data)
		}
	}
	if last[0] == "" || last[0] != last[1] {
		return fmt.Errorf("%w on the other side, and its events are others", engine.ErrExists)
	}
	return nil
}

// moveLoops moves the loops of a plan, and returns the branches with what was not committed.
func moveLoops(ids []string, move func(id string) (Moved, error)) (kept []string, err error) {
	for _, id := range ids {
		done, err := move(id)
		if errors.Is(err, engine.ErrNotFound) { // the record of its plan names it, and it never began
			continue
		}
		if done.Kept != "" {
			kept = append(kept, done.Kept)
		}
		if err != nil {
			return kept, err
		}
	}
	return kept, nil
}
