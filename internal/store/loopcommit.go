package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/store/sqlrow"
)

// Commit makes next the loop's state and records the events that led to it. took
// are the inbox messages that these events carry out. Either all of it is on
// disk, or an error is returned and nothing counts.
func (l *LoopLease) Commit(ctx context.Context, next loop.State, events []loop.Event, took ...int64) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	t, err := l.transition(next, events, took)
	if err != nil {
		return fmt.Errorf("commit loop %s: %w", l.id, err)
	}
	err = l.write(ctx, "commit loop "+l.id, func(tx *sql.Tx) error { return l.record(ctx, tx, t) })
	if err != nil {
		return err
	}
	l.state, l.seq, l.head = next, t.seq, t.head
	if l.s.showSoon(l.id); t.ended {
		l.s.finishViews() // no later commit of the loop shows what a kill leaves out
	}
	return nil
}

// transition is a commit, encoded before the database is locked.
type transition struct {
	next          loop.State
	data, summary []byte
	rows          []row
	attempts      []attemptRow // that it changes
	took          []int64
	seq           int64
	head          link        // of the newest event
	shown         []int64     // patterns that stand in the prompt
	ended         bool        // by this transition
	accepted      bool        // by this transition
	used          *money.Used // by a run of the agent that is over with it
	budget        bool        // it replaces what the loop may spend
	unanswered    bool        // it takes a default: no answer may be in the inbox
}

func (l *LoopLease) transition(next loop.State, events []loop.Event, took []int64) (t transition, err error) {
	if err := l.usable(next.ID); err != nil {
		return t, err
	}
	t = transition{next: next, took: took, seq: l.seq + int64(len(events))}
	t.ended = next.Unmoved().Status.Terminal() && !l.state.Unmoved().Status.Terminal()
	t.accepted = next.Accepted != "" && l.state.Accepted == ""
	if t.data, err = json.Marshal(next); err != nil {
		return t, err
	}
	if t.summary, err = json.Marshal(summarise(next)); err != nil {
		return t, err
	}
	if t.attempts, err = changedAttempts(l.state.Recent, next.Recent); err != nil {
		return t, err
	}
	if t.rows, err = encode(l.seq, events, loop.Encode); err != nil {
		return t, err
	}
	for _, e := range events {
		switch e := e.(type) {
		case loop.AttemptBegan:
			t.shown = append(t.shown, e.Learned...)
		case loop.Woke:
			t.unanswered = t.unanswered || e.Question != ""
		}
	}
	t.budget = next.Budget != l.state.Budget
	if used, ends := money.UsedBy(l.state, next, events); ends {
		t.used = &used
	}
	t.head = l.head.follow(l.epoch, t.rows)
	messages, err := busRows(l.state, next)
	t.rows = append(t.rows, messages...)
	return t, err
}

func (l *LoopLease) record(ctx context.Context, tx *sql.Tx, t transition) error {
	n := t.next
	err := l.advance(ctx, tx, t.seq, `status = ?, reason = ?, ended = ?, deadline = ?, summary = ?`,
		n.Status, n.Reason, n.Status.Terminal(), sqlrow.Nano(n.EndsAt()), string(t.summary))
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE states SET data = ? WHERE num = ?`, t.data, l.num); err != nil {
		return err
	}
	if err := writeAttempts(ctx, tx, l.num, t.attempts); err != nil {
		return err
	}
	if err := l.append(ctx, tx, t.rows...); err != nil {
		return err
	}
	if err := l.kind.putSeal(ctx, tx, l.num, t.head.seal(digest(t.data))); err != nil {
		return err
	}
	if t.unanswered {
		if err := noAnswerWaits(ctx, tx, l.num); err != nil {
			return err
		}
	}
	if err := l.markTaken(ctx, tx, t.took); err != nil {
		return err
	}
	if t.used != nil {
		if err := l.s.settleHeld(ctx, tx, l.num, *t.used); err != nil {
			return err
		}
	}
	if t.budget {
		if err := setBudget(ctx, tx, taskScope(l.num), n.Budget, true); err != nil {
			return err
		}
	}
	if err := l.s.use(ctx, tx, l.num, t.shown); err != nil {
		return err
	}
	if t.ended || t.accepted {
		if err := l.noteUnlearned(ctx, tx); err != nil {
			return err
		}
	}
	if !t.ended {
		return nil
	}
	return l.recordEnd(ctx, tx, t.next.Unmoved().Status)
}

// noteUnlearned notes that there is something to learn from the loop.
func (l *LoopLease) noteUnlearned(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO unlearned (loop) VALUES (?) ON CONFLICT DO NOTHING`, l.num)
	return err
}

// recordEnd counts the end and frees the tree of an in-place loop.
func (l *LoopLease) recordEnd(ctx context.Context, tx *sql.Tx, end loop.Status) error {
	if err := countEnd(ctx, tx, end, 1); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM trees WHERE loop = ? AND kind = ?`, l.num, inPlace)
	return err
}

func countEnd(ctx context.Context, tx *sql.Tx, end loop.Status, n int) error {
	column := map[loop.Status]string{
		loop.StatusPassed: "completed", loop.StatusFailed: "failed", loop.Aborted: "aborted",
	}[end]
	_, err := tx.ExecContext(ctx, `UPDATE registry SET `+column+` = `+column+` + ?`, n)
	return err
}
