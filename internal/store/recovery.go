package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// judged counts the attempts that have a verdict.
func judged(st loop.State) int {
	n, _ := st.Judged()
	return n
}

// Claim takes an action for the caller, and tells the bus. It reports false when
// the run is no longer as it was seen: another supervisor was faster, or its owner
// is back.
func (s *Store) Claim(ctx context.Context, a recovery.Action, by string) (won bool, err error) {
	err = s.write(ctx, fmt.Sprintf("%s %s %q", a.Verb, a.Kind, a.ID), func(tx *sql.Tx) error {
		e, err := kindOf(a.Kind).entry(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		now, err := recoveryOf(ctx, tx, a.Kind, e.num)
		if err != nil {
			return err
		}
		held, err := heldBy(s.runLock(e.kind, e.ID), e.Epoch, e.Owner)
		if err != nil || e.Epoch != a.Epoch || e.Archived || e.Status.Terminal() || held != a.Live || !same(now, a.Before) {
			return err
		}
		won = true
		n := outsideMessage{string(a.Reason), busFields{Detail: a.Why, By: by}}
		if a.Verb != recovery.Leave {
			n.Try = a.After.Tries
		}
		return s.putRecovery(ctx, tx, e, a.After, a.Name(), n)
	})
	if won && err == nil {
		s.show(ctx, a.ID)
	}
	return won && err == nil, err
}

// RecoveryFailed corrects the record of a try that failed, unless another
// supervisor has replaced it since.
func (s *Store) RecoveryFailed(ctx context.Context, a recovery.Action, now recovery.Restarts, by string) error {
	err := s.write(ctx, fmt.Sprintf("record the recovery of %s %q", a.Kind, a.ID), func(tx *sql.Tx) error {
		e, err := kindOf(a.Kind).entry(ctx, tx, a.ID)
		if err != nil {
			return err
		}
		if have, err := recoveryOf(ctx, tx, a.Kind, e.num); err != nil || !same(have, a.After) {
			return err
		}
		return s.putRecovery(ctx, tx, e, now, "rescue_failed", outsideMessage{busFields: busFields{Detail: oneLine(now.Why, 200), By: by, Try: a.After.Tries}})
	})
	if err == nil {
		s.show(ctx, a.ID)
	}
	return err
}

// same compares what tells two records apart.
func same(a, b recovery.Restarts) bool {
	return a.Tries == b.Tries && a.Left == b.Left && a.Last.Equal(b.Last)
}

// recoveryNote is the part of a record that no query needs.
type recoveryNote struct {
	Judged int    `json:"judged,omitempty"`
	Epoch  int64  `json:"epoch,omitempty"`
	Left   bool   `json:"left,omitempty"`
	Why    string `json:"why,omitempty"`
}

func recoveryOf(ctx context.Context, tx *sql.Tx, kind recovery.Kind, num int64) (r recovery.Restarts, err error) {
	var last, next int64
	var note string
	err = tx.QueryRowContext(ctx, `SELECT tries, last, next, note FROM recoveries WHERE kind = ? AND run = ?`, kind, num).
		Scan(&r.Tries, &last, &next, &note)
	if errors.Is(err, sql.ErrNoRows) {
		return r, nil
	}
	if err != nil {
		return r, err
	}
	var n recoveryNote
	if err := json.Unmarshal([]byte(note), &n); err != nil {
		n = recoveryNote{Why: "the note about the earlier tries is damaged"}
	}
	r.Last, r.Next, r.Progress, r.Epoch, r.Left, r.Why = sqlrow.Time(last), sqlrow.Time(next), n.Judged, n.Epoch, n.Left, n.Why
	return r, nil
}

// putRecovery replaces the record and tells the bus, in the caller's transaction.
// The bus numbers its lines in the table of the loops' events; a plan stands there
// with its number below zero.
func (s *Store) putRecovery(ctx context.Context, tx *sql.Tx, e Entry, r recovery.Restarts, name string, n outsideMessage) error {
	note, err := json.Marshal(recoveryNote{r.Progress, r.Epoch, r.Left, oneLine(r.Why, 500)})
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx,
		`INSERT INTO recoveries (kind, run, tries, last, next, note) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
		 ON CONFLICT (kind, run) DO UPDATE SET tries = ?3, last = ?4, next = ?5, note = ?6`,
		e.kind.name, e.num, r.Tries, sqlrow.Nano(r.Last), sqlrow.Nano(r.Next), string(note))
	if err != nil {
		return err
	}
	message, err := busRow(name, s.o.Now(), n)
	if err != nil {
		return err
	}
	num := e.num
	if e.kind.name == recovery.Plan {
		num = -num
	}
	return loopRuns.append(ctx, tx, num, e.Epoch, message)
}

// sameMachine reports whether another owner ran here: a host may be renamed while
// it runs, and keeps its name when it starts again.
func (o Owner) sameMachine(p Owner) bool {
	return o.Host == p.Host || o.Boot != "" && o.Boot == p.Boot
}

// Rebooted reports whether this machine was started again since an owner ran on it.
func (s *Store) Rebooted(o Owner) bool {
	me := s.myself()
	return me.Host == o.Host && me.Boot != "" && o.Boot != "" && me.Boot != o.Boot
}

// Unended returns the loops and plans that have not ended and whose last owner
// ran on this machine, with what supervisors did for them. Package recovery
// decides which of them need a process. Agent-driven loops never do.
func (s *Store) Unended(ctx context.Context) (all []recovery.Run, err error) {
	entries, err := s.Entries(ctx, Filter{Active: true, Mode: loop.Supervised})
	if err != nil {
		return nil, err
	}
	plans, err := s.Plans().List(ctx, Filter{Active: true})
	if err != nil {
		return nil, err
	}
	me := s.myself()
	err = s.read(ctx, "look for orphaned runs", func(tx *sql.Tx) error {
		known := map[string]int64{}
		err := sqlrow.Each(ctx, tx, func(rows *sql.Rows) error {
			var id string
			var num int64
			err := rows.Scan(&id, &num)
			known[id] = num
			return err
		}, `SELECT id, num FROM plans`)
		if err != nil {
			return err
		}
		for _, p := range plans {
			if !me.sameMachine(p.Owner) {
				continue
			}
			r, err := s.unendedPlan(ctx, tx, p, known[p.State.ID])
			if err != nil {
				return err
			}
			r.Rebooted = !r.Live && s.Rebooted(p.Owner)
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
			r.Rebooted = !r.Live && s.Rebooted(e.Owner)
			if known[e.Parent] > 0 {
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
	r.Restarts, err = recoveryOf(ctx, tx, recovery.Loop, e.num)
	return r, err
}

// unendedPlan leaves out the waits of the plan's loops: they are runs of their own.
func (s *Store) unendedPlan(ctx context.Context, tx *sql.Tx, p PlanRecord, num int64) (r recovery.Run, err error) {
	r = recovery.Run{
		ID: p.State.ID, Kind: recovery.Plan, Epoch: p.Epoch, Live: p.Live, Crashed: p.Crashed,
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
	if r.Restarts, err = recoveryOf(ctx, tx, recovery.Plan, num); err != nil {
		return r, err
	}
	r.Progress, err = planProgress(ctx, tx, r.ID)
	return r, err
}

// progressEvents are those of a plan that move it forward. That it was opened and
// its file was read is repeated by each resume, and that a task stopped too.
var progressEvents = []string{
	plan.Landed{}.Name(), plan.NotLanded{}.Name(), plan.Repaired{}.Name(), plan.ReviewEnded{}.Name(), plan.Proof{}.Name(),
}

// planProgress counts the steps forward of a plan: landings, reviews and proofs,
// and the attempts of its loops that have a verdict; those of the plans in its
// tasks' places too.
func planProgress(ctx context.Context, tx *sql.Tx, id string) (n int, err error) {
	names, err := json.Marshal(progressEvents)
	if err != nil {
		return 0, err
	}
	judged := summaryPart("summary", "judged")
	q := `WITH family AS (
		SELECT num, id FROM plans WHERE id = ?1 OR json_valid(CAST(spec AS TEXT))
			AND EXISTS (SELECT 1 FROM json_each(CAST(spec AS TEXT), '$.ancestors') a WHERE a.value = ?1))
	SELECT (SELECT count(*) FROM plan_events WHERE plan IN (SELECT num FROM family) AND name IN (SELECT value FROM json_each(?2)))
		+ (SELECT coalesce(sum(CAST(` + judged + ` AS INTEGER)), 0) FROM loops WHERE parent IN (SELECT id FROM family))`
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
