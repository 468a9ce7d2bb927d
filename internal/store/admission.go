package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"ralph/internal/loop"
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
	// Alone refuses the loop while another one of the same task has not ended.
	Alone bool
	// Parent is the orchestration; the store fills it in.
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
	return 0, &AdmissionError{Max: a.Max, Active: holding, Paths: loop.Paths(n + 1)}
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
		return &AdmissionError{Max: a.PerParent, Active: siblings, Paths: loop.Paths(n + 1), Parent: a.Parent}
	}
	return nil
}

// slots lists the loops that count against the limit, besides the one that asks
// for admission. No loop can begin or end meanwhile; an owner that dies
// meanwhile is counted once more.
func (s *Store) slots(ctx context.Context, tx *sql.Tx, id string) ([]Entry, error) {
	active, err := loopRuns.list(ctx, tx, Filter{Active: true})
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

// forced records that a loop that had given up its slot got one of too many.
func (l *LoopLease) forced(ctx context.Context, tx *sql.Tx, over int) error {
	data, err := json.Marshal(forced{over, loop.Paths(over + 1)})
	if err != nil {
		return err
	}
	return l.append(ctx, tx, row{at: l.s.o.Now(), name: "forced", data: data})
}

// forced is the part of an event that tells of a start with --force: so many
// loops held a slot, as many as allowed or more.
type forced struct {
	Over  int `json:"forced_over,omitempty"`
	Paths int `json:"communication_paths,omitempty"`
}

// SameTaskError: another loop works on the very same task and has not ended.
type SameTaskError struct{ ID string }

func (e *SameTaskError) Error() string {
	return fmt.Sprintf("loop %s of this task is unfinished", e.ID)
}

// alone refuses a second unfinished loop of a task. In the transaction that
// would record it, so that of any number of starts at one instant one is first.
func alone(ctx context.Context, tx *sql.Tx, st loop.State) error {
	active, err := loopRuns.list(ctx, tx, Filter{Active: true})
	if err != nil {
		return err
	}
	begin := summarise(st).Task
	for _, e := range active {
		if e.Task != begin || e.ID == st.ID {
			continue
		}
		other, _, err := stateOf(ctx, tx, e)
		if _, damaged := damageOf(err); damaged {
			return &SameTaskError{e.ID} // it may be
		}
		if err != nil {
			return err
		}
		if other.Task.Text == st.Task.Text {
			return &SameTaskError{e.ID}
		}
	}
	return nil
}
