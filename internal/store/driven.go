package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"ralph/internal/loop"
)

// Enter records a new loop that its agent drives. No process holds it: it
// belongs to its session until its time is over. A refusal leaves nothing
// behind, as with Create.
func (s *Store) Enter(ctx context.Context, st loop.State, a Admission) error {
	if st.Mode != loop.AgentDriven {
		return fmt.Errorf("enter loop %s: %w", st.ID, errSupervised)
	}
	l := s.newLoopLease(ctx, st.ID)
	defer l.end()
	if err := s.create(ctx, l, st, a, func() error { return nil }); err != nil {
		return err
	}
	s.showSoon(st.ID)
	return nil
}

var (
	errSupervised = errors.New("a supervised loop is written under its lease only")
	// ErrDriven refuses a lease on a loop that its agent drives.
	ErrDriven = errors.New("its agent drives this loop: no process of ralph may")
)

// Change reads the state of a loop that its agent drives, lets f decide, and
// records what it decided, all in one transaction: a concurrent call decides on
// the result. f must be quick; without events nothing is written. A loop that
// takes a slot again must be admitted.
func (s *Store) Change(ctx context.Context, id string, a Admission, f func(loop.State) (loop.State, []loop.Event, error)) (loop.State, error) {
	l := s.newLoopLease(ctx, id)
	defer l.end()
	changed := false
	err := s.write(ctx, "change loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case e.Archived:
			return ErrArchived
		case e.Mode != loop.AgentDriven:
			return errSupervised
		}
		c, err := l.read(ctx, tx, e)
		if err != nil {
			return err
		}
		next, events, err := f(l.state)
		if err != nil || len(events) == 0 {
			return err
		}
		over := 0
		if l.state.Status == loop.Paused && next.Status != loop.Paused && !next.Status.Terminal() {
			a.Parent = next.Parent
			if over, err = s.admit(ctx, tx, id, a); err != nil {
				return err
			}
		}
		if over > 0 {
			next.ForcedOver = over
			if err := l.forced(ctx, tx, over); err != nil {
				return err
			}
		}
		if err := c.compute(ctx, tx, l.kind, l.num, l.seq, l.id); err != nil {
			return err
		}
		if err := l.continueJournal(ctx, tx, c); err != nil {
			return err
		}
		t, err := l.transition(next, events, nil)
		if err != nil {
			return err
		}
		changed = true
		l.state = next
		return l.record(ctx, tx, t)
	})
	if err != nil {
		return loop.State{}, err
	}
	if changed {
		s.showSoon(id)
	}
	return l.state, nil
}

// TreesOf returns the right to the worktrees of an agent-driven loop, which a check of the
// loop needs. The loop has no owner: the epoch stays the same, Change writes the events, and
// no reader sees that the worktrees are held. The caller has waited for its turn (Queue) or
// has ended the loop, and releases the right.
func (s *Store) TreesOf(ctx context.Context, id string) (TreeLease, error) {
	l := s.newLoopLease(ctx, id)
	err := s.read(ctx, "hold the worktrees of loop "+id, func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, id)
		switch {
		case err != nil:
			return err
		case e.Mode != loop.AgentDriven:
			return errSupervised
		}
		_, err = l.read(ctx, tx, e)
		return err
	})
	if err != nil {
		l.end()
	}
	return l.Trees(), err
}
