package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Plans are kept beside loops, in the same manner: a row that carries the epoch,
// events, an inbox. Each task has a row, so that a step of one task writes no
// more in a large plan than in a small one.

// PlanRecord is everything remembered of a plan.
type PlanRecord struct {
	State plan.State
	// Spec is the request of the run, as its engine wrote it.
	Spec     []byte
	Epoch    int64
	Seq      int64
	Owner    Owner
	Live     bool
	Archived bool
	Updated  time.Time
	// Dir is where its big files go.
	Dir string
	// Damage is what is wrong with the plan's rows, of which State then shows only the
	// name; empty is nothing.
	Damage string
	// Recovery records the restarts of a crashed plan since it last made progress.
	Recovery recovery.Restarts

	num   int64
	chain chain
	parts planParts
}

// planParts are the digests of what the seal of a plan covers.
type planParts struct {
	header, spec link
	tasks        []link
}

func (p planParts) seal(newest link) []byte {
	return newest.seal(append([]link{p.header, p.spec}, p.tasks...)...)
}

// Crashed reports whether the plan needs a process and has none.
func (r PlanRecord) Crashed() bool { return !r.Live && r.State.NeedsProcess() }

// ErrNoPlan: no plan of this name was ever run here.
var ErrNoPlan = errors.New("no such plan")

// Plans are the plans of a store, with the verbs that Store itself has for loops.
type Plans struct{ s *Store }

// Plans returns the plans of the store.
func (s *Store) Plans() Plans { return Plans{s} }

// Dir is where a plan's big files go, whether or not there is one.
func (p Plans) Dir(id string) string { return p.s.planDir(id) }

func (s *Store) planDir(id string) string { return filepath.Join(s.dir, "plans", id) }

func (s *Store) planLock(id string) string { return filepath.Join(s.planDir(id), "owner.lock") }

// Read returns one plan. As with loops, a running row whose lock is free is read
// again: an owner commits its end before it releases the lock.
func (p Plans) Read(ctx context.Context, id string) (PlanRecord, error) {
	r, err := p.s.planRow(ctx, id)
	if err != nil {
		return PlanRecord{}, err
	}
	if r.Live = lives(p.s.planLock(id), r.Epoch, r.Owner); r.Live || !r.Crashed() {
		return r, nil
	}
	epoch := r.Epoch
	if r, err = p.s.planRow(ctx, id); err != nil || !r.Crashed() {
		return r, err
	}
	if r.Epoch != epoch { // resumed in between
		if r.Live = lives(p.s.planLock(id), r.Epoch, r.Owner); r.Live {
			return r, nil
		}
	}
	err = p.s.read(ctx, "read the recovery of plan "+id, func(tx *sql.Tx) error {
		have, err := recoveryOf(ctx, tx, recovery.Plan, r.num)
		if err != nil || have == (recovery.Restarts{}) {
			return err
		}
		n, err := planProgress(ctx, tx, id)
		r.Recovery = have.Since(n)
		return err
	})
	return r, err
}

func (s *Store) planRow(ctx context.Context, id string) (PlanRecord, error) {
	var r PlanRecord
	found := false
	err := s.read(ctx, "read plan "+id, func(tx *sql.Tx) (err error) {
		found = true
		r, err = s.planOf(ctx, tx, id)
		return err
	})
	if what, damaged := damageOf(err); damaged {
		r.State = plan.State{ID: id, Title: id, Status: loop.Waiting, Reason: loop.Damaged, Message: (&DamageError{recovery.Plan, id, what}).Error(), File: r.State.File, Branch: r.State.Branch}
		r.Damage, err = what, nil
	}
	if err == nil && !found { // there is no database yet
		err = fmt.Errorf("plan %s: %w", id, ErrNoPlan)
	}
	return r, err
}

// planListing: which plans that have ended are unsettled tells their state, which List reads.
var planListing = listing{
	active: "NOT " + planEnded, ended: planEnded, unsettled: "archived = 0 AND " + planEnded,
	mode: "''", of: planParent + " = ?", inPlan: planParent + " <> ''",
}

var (
	planEnded  = "(archived = 1 OR " + summaryPart("CAST(data AS TEXT)", "status") + " IN ('passed', 'failed', 'aborted'))"
	planParent = summaryPart("CAST(spec AS TEXT)", "ancestors[#-1]")
)

// List returns plans with their tasks, the one that changed last first.
func (p Plans) List(ctx context.Context, f Filter) (out []PlanRecord, err error) {
	where, values := f.where(planListing)
	ids, err := p.s.planIDs(ctx, `SELECT id FROM plans WHERE `+where+` ORDER BY updated DESC, num DESC`, values...)
	for _, id := range ids {
		r, err := p.Read(ctx, id)
		switch {
		case errors.Is(err, ErrNoPlan): // gone since
			continue
		case err != nil:
			return nil, err
		case f.Unsettled && !r.State.Acceptable() && !r.State.Unsettled():
			continue
		}
		if out = append(out, r); len(out) == f.Limit {
			break
		}
	}
	return out, err
}

func (s *Store) planIDs(ctx context.Context, query string, args ...any) (ids []string, err error) {
	err = s.read(ctx, "list plans", func(tx *sql.Tx) (err error) {
		ids, err = sqlrow.Column[string](ctx, tx, query, args...)
		return err
	})
	return ids, err
}

// planOf reads a plan and its tasks. With a *DamageError its row can be read, but
// not its state.
func (s *Store) planOf(ctx context.Context, tx *sql.Tx, id string) (PlanRecord, error) {
	r, err := s.planHeader(ctx, tx, id)
	if err == nil {
		err = s.planTasks(ctx, tx, &r)
	}
	if err == nil && r.chain.seal != nil {
		err = r.chain.compute(ctx, tx, planRuns, r.num, r.Seq, id)
	}
	if err == nil && r.chain.seal != nil && !bytes.Equal(r.chain.seal, r.parts.seal(r.chain.head)) {
		err = planDamage(id, "its state is not the one that was recorded with event %d", r.Seq)
	}
	return r, err
}

func planDamage(id, format string, args ...any) error {
	return &DamageError{recovery.Plan, id, fmt.Sprintf(format, args...)}
}

// planHeader reads a plan without its tasks.
func (s *Store) planHeader(ctx context.Context, tx *sql.Tx, id string) (PlanRecord, error) {
	r := PlanRecord{Dir: s.planDir(id)}
	var owner string
	var data []byte
	var updated int64
	var row chainRow
	err := tx.QueryRowContext(ctx,
		planRuns.q(`SELECT r.num, r.epoch, r.seq, r.archived, r.updated, r.owner, r.spec, r.data, `+chainColumns+` FROM %runs r`+chainJoin+` WHERE r.id = ?`), id).
		Scan(append([]any{&r.num, &r.Epoch, &r.Seq, &r.Archived, &updated, &owner, &r.Spec, &data}, row.to()...)...)
	if errors.Is(err, sql.ErrNoRows) {
		return r, fmt.Errorf("plan %s: %w", id, ErrNoPlan)
	}
	if err != nil {
		return r, err
	}
	r.Owner, r.Updated = decodeOwner(owner), sqlrow.Time(updated)
	r.parts.header, r.parts.spec = digest(data), digest(r.Spec)
	if err := json.Unmarshal(data, &r.State); err != nil {
		return r, planDamage(id, "its state cannot be read: %v", err)
	}
	switch {
	case r.State.ID != id:
		return r, planDamage(id, "its state is about %q", r.State.ID)
	case len(r.Spec) > 0 && !json.Valid(r.Spec):
		return r, planDamage(id, "its request cannot be read")
	}
	var what string
	if r.chain, what = row.chain(planRuns, id, r.Seq); what != "" {
		return r, planDamage(id, "%s", what)
	}
	return r, nil
}

func (s *Store) planTasks(ctx context.Context, tx *sql.Tx, r *PlanRecord) error {
	all, err := sqlrow.Column[[]byte](ctx, tx, `SELECT data FROM plan_tasks WHERE plan = ? ORDER BY n`, r.num)
	if err != nil {
		return err
	}
	r.State.Tasks = make([]plan.TaskState, len(all))
	for i, data := range all {
		if err := json.Unmarshal(data, &r.State.Tasks[i]); err != nil {
			return planDamage(r.State.ID, "its task %d cannot be read: %v", i+1, err)
		}
		r.parts.tasks = append(r.parts.tasks, digest(data))
	}
	return nil
}
