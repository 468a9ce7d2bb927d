package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// Record is all that is known about one run; S is the state of its machine.
type Record[S any] struct {
	State S
	// Spec is the request of a plan's run, as its engine wrote it; that of a loop is in its
	// state.
	Spec       []byte
	Epoch, Seq int64
	Owner      Owner
	Live       bool
	// Crashed: the run needs a process and has none.
	Crashed  bool
	Archived bool
	Updated  time.Time
	// Holds: it counts against the limit of loops.
	Holds bool
	// Damage is what is wrong with the run's rows, of which State then shows little more
	// than the name; empty is nothing.
	Damage string
	// Recovery records the restarts of a crashed run since it last made progress.
	Recovery recovery.Restarts
	// Dir holds the run's big files.
	Dir string
}

// LoopRecord is the record of a loop, PlanRecord that of a plan with its tasks.
type (
	LoopRecord = Record[loop.State]
	PlanRecord = Record[plan.State]
)

// Read returns one loop. One whose row is damaged waits for a person: see Record.Damage.
func (s *Store) Read(ctx context.Context, id string) (LoopRecord, error) {
	return loopReader().one(ctx, s, id)
}

// List is Entries with the full record of each loop, in one transaction for commands
// that show many. An ended loop has no owner here.
func (s *Store) List(ctx context.Context, f Filter) ([]LoopRecord, error) {
	return loopReader().all(ctx, s, f)
}

// reader reads the records of one kind; S is the state of its machine.
type reader[S any] struct {
	kind
	// facts are those of a state that its row has as well.
	facts func(*S) (id string, status loop.Status, reason loop.Reason)
	// rest adds to a state what has rows of its own.
	rest func(ctx context.Context, tx *sql.Tx, e Entry, c *content[S]) error
	// damaged is the state that is shown in place of one that cannot be believed.
	damaged func(e *Entry, was S, message string) S
	// progress counts the steps forward of a run.
	progress func(ctx context.Context, tx *sql.Tx, st S) (int, error)
}

// content is what the rows of a run hold.
type content[S any] struct {
	state S
	spec  []byte
	chain chain
	// parts are the digests of what the seal covers.
	parts []link
	// damage is a *DamageError: the rows cannot be believed.
	damage error
}

func (k kind) damage(id, format string, args ...any) error {
	return &DamageError{k.name, id, fmt.Sprintf(format, args...)}
}

func (r reader[S]) one(ctx context.Context, s *Store, id string) (Record[S], error) {
	what := fmt.Sprintf("read %s %q", r.name, id)
	found, err := r.read(ctx, s, what, true, func(tx *sql.Tx) ([]Entry, error) {
		e, err := r.entry(ctx, tx, id)
		return []Entry{e}, err
	})
	switch {
	case err != nil:
		return Record[S]{}, err
	case len(found) == 0: // there is no database yet
		return Record[S]{}, fmt.Errorf("%s: %w", what, r.missing)
	}
	return found[0], nil
}

func (r reader[S]) all(ctx context.Context, s *Store, f Filter) ([]Record[S], error) {
	return r.read(ctx, s, "list "+r.runs, false, func(tx *sql.Tx) ([]Entry, error) { return r.list(ctx, tx, f) })
}

// read returns the records of the runs that find finds, all of one moment; see enliven.
func (r reader[S]) read(ctx context.Context, s *Store, what string, ended bool, find func(*sql.Tx) ([]Entry, error)) ([]Record[S], error) {
	var entries []Entry
	var contents []content[S]
	err := s.read(ctx, what, func(tx *sql.Tx) (err error) {
		if entries, err = find(tx); err == nil {
			contents, err = r.contents(ctx, tx, entries)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := make([]Record[S], len(entries))
	for i, c := range contents {
		if out[i].Damage, _ = damageOf(c.damage); c.damage != nil {
			c.state = r.damaged(&entries[i], c.state, c.damage.Error())
		}
		out[i].State, out[i].Spec = c.state, c.spec
	}
	moved, err := s.enliven(ctx, entries, ended, func(tx *sql.Tx, i int) error {
		have, err := recoveryOf(ctx, tx, r.name, entries[i].num)
		if err != nil || have == (recovery.Restarts{}) {
			return err
		}
		n, err := r.progress(ctx, tx, out[i].State)
		out[i].Recovery = have.Since(n)
		return err
	})
	switch {
	case err != nil:
		return nil, err
	case moved:
		return r.read(ctx, s, what, ended, find)
	}
	for i, e := range entries {
		o := &out[i]
		o.Epoch, o.Seq, o.Owner, o.Live, o.Crashed, o.Archived, o.Updated = e.Epoch, e.Seq, e.Owner, e.Live, e.Crashed, e.Archived, e.UpdatedAt
		o.Holds, o.Dir = e.holdsSlot(s.o.Now()), s.filesOf(e)
	}
	return out, nil
}

// content reads the state of one run. One that cannot be read, or is not the one that was
// recorded, is a *DamageError.
func (r reader[S]) content(ctx context.Context, tx *sql.Tx, e Entry) (content[S], error) {
	all, err := r.contents(ctx, tx, []Entry{e})
	if err != nil {
		return content[S]{}, err
	}
	return all[0], all[0].damage
}

// contents are those of entries, each with its damage.
func (r reader[S]) contents(ctx context.Context, tx *sql.Tx, entries []Entry) ([]content[S], error) {
	query, err := tx.PrepareContext(ctx, r.q(`SELECT `+chainColumns+`, `+r.state+chainJoin+` WHERE r.num = ?`))
	if err != nil {
		return nil, err
	}
	defer query.Close()
	out := make([]content[S], len(entries))
	for i, e := range entries {
		err := r.fill(ctx, tx, query, e, &out[i])
		if _, damaged := damageOf(err); damaged {
			out[i].damage = err
		} else if err != nil {
			return nil, fmt.Errorf("read the state of %s %s: %w", r.name, e.ID, err)
		}
	}
	return out, nil
}

func (r reader[S]) fill(ctx context.Context, tx *sql.Tx, query *sql.Stmt, e Entry, c *content[S]) error {
	var data []byte
	var row chainRow
	if err := query.QueryRowContext(ctx, e.num).Scan(append(row.to(), &c.spec, &data)...); err != nil {
		return err
	}
	if err := json.Unmarshal(data, &c.state); err != nil {
		return r.damage(e.ID, "its state cannot be read: %v", err)
	}
	var what string
	if c.chain, what = row.chain(r.kind, e.ID, e.Seq); what != "" {
		return r.damage(e.ID, "%s", what)
	}
	c.parts = []link{digest(data)}
	if err := r.rest(ctx, tx, e, c); err != nil {
		return err
	}
	if err := c.chain.sealed(ctx, tx, r.kind, e.num, e.Seq, e.ID, c.parts...); err != nil {
		return err
	}
	if id, status, reason := r.facts(&c.state); id != e.ID || status != e.Status || reason != e.Reason {
		return r.damage(e.ID, "its row is about %s (%s) and its state about %s (%s)", e.ID, e.Status, id, status)
	}
	return nil
}

func loopReader() reader[loop.State] {
	return reader[loop.State]{
		kind:     loopRuns,
		facts:    func(st *loop.State) (string, loop.Status, loop.Reason) { return st.ID, st.Status, st.Reason },
		rest:     func(context.Context, *sql.Tx, Entry, *content[loop.State]) error { return nil },
		damaged:  func(e *Entry, _ loop.State, message string) loop.State { return e.damaged(message) },
		progress: func(_ context.Context, _ *sql.Tx, st loop.State) (int, error) { return judged(st), nil },
	}
}

// damaged is the state that is shown of a loop in place of one that cannot be believed.
func (e *Entry) damaged(message string) loop.State {
	st := loop.State{Status: loop.Waiting, Reason: loop.Damaged, Iteration: e.Iteration, StartedAt: e.StartedAt, Message: message}
	st.ID, st.Mode, st.Parent, st.Branch = e.ID, e.Mode, e.Parent, e.Branch
	st.Task.Text, st.Task.ID, st.Agent.Name, st.Limits.MaxIterations = e.Task, e.TaskID, e.Agent, e.MaxIterations
	return st
}

// stateOf reads the state of a loop. One that cannot be read, or is not the one that was
// recorded, is a *DamageError.
func stateOf(ctx context.Context, tx *sql.Tx, e Entry) (loop.State, chain, error) {
	c, err := loopReader().content(ctx, tx, e)
	return c.state, c.chain, err
}

// loopEntry reads one loop without its state.
func (s *Store) loopEntry(ctx context.Context, id string) (e Entry, err error) {
	found := false
	err = s.read(ctx, fmt.Sprintf("read loop %q", id), func(tx *sql.Tx) error {
		found = true
		e, err = loopRuns.entry(ctx, tx, id)
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("read loop %q: %w", id, ErrNoLoop)
	}
	return e, err
}

// filesOf is where the run's files are. Archiving moves those of a loop before the row, so
// in between they are where the row does not say.
func (s *Store) filesOf(e Entry) string {
	here, there := s.runDir(e.kind, e.ID), s.archiveDir(e.ID)
	if e.kind.name == recovery.Plan {
		return here
	}
	if e.Archived {
		here, there = there, here
	}
	if _, err := os.Lstat(here); err != nil {
		if _, err := os.Lstat(there); err == nil {
			return there
		}
	}
	return here
}
