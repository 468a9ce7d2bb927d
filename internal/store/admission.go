package store

import (
	"context"
	"database/sql"
	"slices"
)

// Admission is the limit of loops that run at once.
type Admission struct {
	// Max is how many; 0 is no limit.
	Max int
	// Force starts the loop all the same; that is recorded.
	Force bool
	// PerParent is how many loops of one orchestration may run at once; 0 is no
	// limit. Force does not lift it.
	PerParent int
	// Parent is the orchestration; Enter and Change fill it in.
	Parent string
}

// admit refuses one loop too many. It returns how many hold slots when more than
// allowed was forced.
func (s *Store) admit(ctx context.Context, tx *sql.Tx, id string, a Admission) (forced int, err error) {
	if err := s.admitChild(ctx, tx, id, a); err != nil || a.Max <= 0 {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE registry SET max = ?1 WHERE max <> ?1`, a.Max); err != nil {
		return 0, err
	}
	holding, err := s.slots(ctx, tx, id)
	n := len(holding)
	switch {
	case err != nil || n < a.Max:
		return 0, err
	case a.Force:
		return n, nil
	}
	return 0, &FullError{Max: a.Max, Active: holding, Paths: paths(n + 1)}
}

// admitChild refuses one loop too many of an orchestration (seed 000: 3).
func (s *Store) admitChild(ctx context.Context, tx *sql.Tx, id string, a Admission) error {
	if a.PerParent <= 0 || a.Parent == "" {
		return nil
	}
	holding, err := s.slots(ctx, tx, id)
	if err != nil {
		return err
	}
	siblings := slices.DeleteFunc(holding, func(e Entry) bool { return e.Parent != a.Parent })
	if n := len(siblings); n >= a.PerParent {
		return &FullError{Max: a.PerParent, Active: siblings, Paths: paths(n + 1), Parent: a.Parent}
	}
	return nil
}

// slots lists the loops that count against the limit, besides the one that wants
// in. Nobody can begin or end one meanwhile; an owner that dies meanwhile is
// counted once more.
func (s *Store) slots(ctx context.Context, tx *sql.Tx, id string) ([]Entry, error) {
	active, err := list(ctx, tx, Filter{Active: true})
	if err != nil {
		return nil, err
	}
	var holding []Entry
	for _, e := range active {
		e.Live = s.lives(e)
		e.Crashed = e.crashed()
		if e.ID != id && e.holdsSlot(s.o.Now()) {
			holding = append(holding, e)
		}
	}
	return holding, nil
}

// paths of communication between n loops (seed 001).
func paths(n int) int { return n * (n - 1) / 2 }
