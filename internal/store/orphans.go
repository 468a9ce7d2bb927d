package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// Unended returns the loops and plans that have not ended and whose last owner
// ran on this machine, with what supervisors did for them. Package recovery
// decides which of them need a process. Agent-driven loops never do.
func (s *Store) Unended(ctx context.Context) (all []recovery.Run, err error) {
	entries, err := s.List(ctx, Filter{Active: true, Mode: loop.Supervised})
	if err != nil {
		return nil, err
	}
	plans, err := s.Plans(ctx, PlanFilter{})
	if err != nil {
		return nil, err
	}
	me := s.myself()
	err = s.read(ctx, "look for orphaned runs", func(tx *sql.Tx) error {
		known, err := column[string](ctx, tx, `SELECT id FROM plans`)
		if err != nil {
			return err
		}
		for _, p := range plans {
			if !me.sameMachine(p.Owner) {
				continue
			}
			r, err := s.unendedPlan(ctx, tx, p)
			if err != nil {
				return err
			}
			r.Rebooted = !r.Live && me.rebooted(p.Owner)
			all = append(all, r)
		}
		for _, e := range entries {
			if !me.sameMachine(e.Owner) {
				continue
			}
			r, err := s.unendedLoop(ctx, tx, e)
			if err != nil {
				return err
			}
			r.Rebooted = !r.Live && me.rebooted(e.Owner)
			if slices.Contains(known, e.Parent) {
				r.In = []string{e.Parent}
			}
			all = append(all, r)
		}
		return nil
	})
	return all, err
}

func (s *Store) unendedLoop(ctx context.Context, tx *sql.Tx, e Entry) (r recovery.Run, err error) {
	r = recovery.Run{
		ID: e.ID, Kind: recovery.Loop, Epoch: e.Epoch, Live: e.Live, Crashed: e.Crashed,
		Asks: e.Status == loop.Waiting && e.Reason == loop.ForHuman, Progress: e.Judged,
	}
	if e.Status == loop.Waiting {
		r.Wake = e.Wake
	}
	if e.Live {
		r.Heartbeat = s.beatOf(loopRuns, e.ID, e.Epoch)
	}
	r.Prompted = r.Asks && s.Prompted(e.ID)
	r.Record, err = recoveryOf(ctx, tx, recovery.Loop, e.num)
	return r, err
}

// unendedPlan leaves out the waits of the plan's loops: they are runs of their own.
func (s *Store) unendedPlan(ctx context.Context, tx *sql.Tx, p PlanRecord) (r recovery.Run, err error) {
	r = recovery.Run{
		ID: p.State.ID, Kind: recovery.Plan, Epoch: p.Epoch, Live: p.Live, Crashed: p.Crashed(),
		Asks: p.State.Status == loop.Waiting, PauseAsked: p.State.PauseAsked,
	}
	var spec struct {
		Ancestors []string `json:"ancestors"`
	}
	_ = json.Unmarshal(p.Spec, &spec) // what cannot be read belongs to no other plan
	r.In = spec.Ancestors
	for _, q := range p.State.OpenQuestions() {
		r.Wake = sooner(r.Wake, q.Deadline)
	}
	r.Prompted = r.Asks && s.Prompted(r.ID)
	if r.Live {
		r.Heartbeat = s.beatOf(planRuns, r.ID, r.Epoch)
	}
	if r.Record, err = recoveryOf(ctx, tx, recovery.Plan, p.num); err != nil {
		return r, err
	}
	r.Progress, err = planProgress(ctx, tx, r.ID)
	return r, err
}

// progressEvents are those of a plan that move it forward. That it was opened and
// its file was read is repeated by each resume, and that a task stopped too.
var progressEvents = []string{
	plan.Landed{}.Name(), plan.NotLanded{}.Name(), plan.Repaired{}.Name(), plan.Judged{}.Name(), plan.Proof{}.Name(),
}

// planProgress counts the steps forward of a plan: landings, reviews and proofs,
// and the attempts of its loops that have a verdict; those of the plans in its
// tasks' places too.
func planProgress(ctx context.Context, tx *sql.Tx, id string) (n int, err error) {
	names, err := json.Marshal(progressEvents)
	if err != nil {
		return 0, err
	}
	const q = `WITH family AS (
		SELECT num, id FROM plans WHERE id = ?1 OR json_valid(CAST(spec AS TEXT))
			AND EXISTS (SELECT 1 FROM json_each(CAST(spec AS TEXT), '$.ancestors') a WHERE a.value = ?1))
	SELECT (SELECT count(*) FROM plan_events WHERE plan IN (SELECT num FROM family) AND name IN (SELECT value FROM json_each(?2)))
		+ (SELECT coalesce(sum(json_extract(summary, '$.judged')), 0) FROM loops WHERE json_extract(summary, '$.parent') IN (SELECT id FROM family))`
	err = tx.QueryRowContext(ctx, q, id, string(names)).Scan(&n)
	return n, err
}

// sooner returns the earlier of two times; zero is none.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
