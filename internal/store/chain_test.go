//go:build unix

package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// longLoop is a released loop with events from 1 to 9.
func longLoop(t *testing.T, s *Store, id string) {
	t.Helper()
	l := create(t, s, id)
	for _, e := range []loop.Event{
		loop.Acquired{Owner: "test"},
		loop.Steered{Text: "one"},
		loop.Steered{Text: "two"},
		loop.Steered{Text: "three"},
		loop.Steered{Text: "four"},
		loop.Steered{Text: "five"},
		loop.Steered{Text: "six"},
		loop.Steered{Text: "seven"},
	} {
		record(t, l, e)
	}
	must(t, l.Release(t.Context()))
}

func record(t *testing.T, l *LoopLease, e loop.Event) {
	t.Helper()
	e = withTime(e)
	next, err := loop.Apply(l.State(), e)
	must(t, err)
	must(t, l.Commit(t.Context(), next, []loop.Event{e}))
}

func withTime(e loop.Event) loop.Event {
	at := loop.Stamp{At: clock()}
	switch e := e.(type) {
	case loop.Acquired:
		e.Stamp = at
		return e
	case loop.Steered:
		e.Stamp = at
		return e
	}
	panic(fmt.Sprintf("%T", e))
}

// longPlan is a released plan with two tasks and events from 1 to 6.
func longPlan(t *testing.T, s *Store, id string) {
	t.Helper()
	l, err := s.Plans().Create(t.Context(), plan.Begin(id, "/"+id+".md", id, "b", "c0", plan.Rules{Parallel: 2, PerTask: 1}), []byte(`{"id":"x"}`))
	must(t, err)
	at := loop.Stamp{At: clock()}
	for _, e := range []plan.Event{
		plan.Read{Stamp: at, Tasks: []plan.ReadTask{{ID: "t1", Digest: "d"}, {ID: "t2", Digest: "d"}}},
		plan.Started{Stamp: at, Task: "t1", Loop: "l1", From: "c0", Most: 1},
		plan.Started{Stamp: at, Task: "t2", Loop: "l2", From: "c0", Most: 1},
		plan.PauseAsked{Stamp: at},
	} {
		next, err := plan.Apply(l.State(), e)
		must(t, err)
		must(t, l.Commit(t.Context(), next, []plan.Event{e}))
	}
	must(t, l.Release(t.Context()))
}

// change runs SQL as an editor of the database would.
func change(t *testing.T, s *Store, query string) {
	t.Helper()
	_, err := s.db.Load().ExecContext(t.Context(), query)
	must(t, err)
}

// TestEditedJournals: whatever is done to the rows of a journal by hand is found when
// the run is acquired and by Check, which names the events.
func TestEditedJournals(t *testing.T) {
	t.Parallel()
	const restOfRow = ` epoch, at, name, data, hash FROM events WHERE loop = 1 AND seq = `
	tests := map[string]struct{ query, want string }{
		"removed":                  {`DELETE FROM events WHERE loop = 1 AND seq = 4`, "event 4 is missing"},
		"several removed":          {`DELETE FROM events WHERE loop = 1 AND seq IN (3, 4, 5)`, "events 3 to 5: each is missing"},
		"the newest removed":       {`DELETE FROM events WHERE loop = 1 AND seq = 9`, "event 9 is missing"},
		"the newest, and its row":  {`DELETE FROM events WHERE loop = 1 AND seq = 9; UPDATE loops SET seq = 8 WHERE num = 1`, "its state is not the one that was recorded with event 8"},
		"doubled":                  {`INSERT INTO events (loop, seq, epoch, at, name, data, hash) SELECT loop, seq,` + restOfRow + `4`, "event 4 is recorded twice"},
		"added":                    {`INSERT INTO events (loop, seq, epoch, at, name, data, hash) SELECT loop, 10,` + restOfRow + `9`, "event 10 was"},
		"exchanged":                {`UPDATE events SET seq = 9 - seq WHERE loop = 1 AND seq IN (4, 5)`, "events 4 to 6: each was changed"},
		"changed":                  {`UPDATE events SET data = CAST(replace(data, 'two', 'too') AS BLOB) WHERE loop = 1`, "event 4 was changed"},
		"of another time":          {`UPDATE events SET at = at + 1 WHERE loop = 1 AND seq = 4`, "event 4 was changed"},
		"of another epoch":         {`UPDATE events SET epoch = 7 WHERE loop = 1 AND seq = 4`, "event 4 was changed"},
		"renamed":                  {`UPDATE events SET name = 'ticked' WHERE loop = 1 AND seq = 4`, "event 4 was changed"},
		"a hash removed":           {`UPDATE events SET hash = NULL WHERE loop = 1 AND seq = 4`, "event 4 has lost its hash"},
		"all hashes removed":       {`UPDATE events SET hash = NULL WHERE loop = 1`, "events 1 to 9: each has lost its hash"},
		"all hashes, and the seal": {`UPDATE events SET hash = NULL; UPDATE journals SET seal = NULL`, "events 1 to 9: each has lost its hash"},
		"the seal":                 {`UPDATE journals SET seal = NULL`, "its seal is missing"},
		"the journal forgotten":    {`DELETE FROM journals`, "its journal is not registered"},
		"declared older":           {`UPDATE events SET hash = NULL WHERE loop = 1; UPDATE journals SET first = 9, seal = NULL WHERE run = 1`, "events 1 to 9: each has no hash, and is not in a copy made before a migration"},
	}
	for name, tt := range tests {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			longLoop(t, s, "a")
			create(t, s, "other")
			change(t, s, tt.query)
			_, err := s.Acquire(t.Context(), "a", false)
			if d, ok := errors.AsType[*DamageError](err); !ok || d.ID != "a" || d.Kind != recovery.Loop {
				t.Errorf("acquired: %v", err)
			}
			if found := problems(t, s); !strings.Contains(found, "records: loop a: ") || !strings.Contains(found, tt.want) || strings.Contains(found, "loop other") && !strings.Contains(tt.query, "journals") {
				t.Errorf("Check: %s", found)
			}
		})
	}
}

func problems(t *testing.T, s *Store) string {
	t.Helper()
	found, err := s.Problems(t.Context())
	must(t, err)
	return fmt.Sprint(found)
}

// TestEditedStates: a state that was edited is shown as damaged, whatever else was
// edited with it, and nobody gets its lease.
func TestEditedStates(t *testing.T) {
	t.Parallel()
	const passed = `UPDATE states SET data = CAST(json_set(CAST(data AS TEXT), '$.status', 'passed', '$.reason', 'green') AS BLOB) WHERE num = 1;`
	for name, query := range map[string]string{
		"the state":              passed,
		"the state and its row":  passed + `UPDATE loops SET status = 'passed', reason = 'green', ended = 1 WHERE num = 1`,
		"the row":                `UPDATE loops SET status = 'passed', reason = 'green', ended = 1 WHERE num = 1`,
		"no JSON":                `UPDATE states SET data = CAST('{"id": "a' AS BLOB) WHERE num = 1`,
		"removed":                `DELETE FROM states WHERE num = 1`,
		"that of another loop":   `UPDATE states SET data = (SELECT data FROM states WHERE num = 2) WHERE num = 1`,
		"state, row and no seal": passed + `UPDATE loops SET status = 'passed', ended = 1 WHERE num = 1; UPDATE journals SET seal = NULL WHERE run = 1`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			longLoop(t, s, "a")
			must(t, create(t, s, "other").Release(t.Context()))
			change(t, s, query)
			r, err := s.Read(t.Context(), "a")
			if err != nil || r.Damage == "" || r.State.Status != loop.Waiting || r.State.Reason != loop.Damaged {
				t.Errorf("Load: %s/%s %q, %v", r.State.Status, r.State.Reason, r.Damage, err)
			}
			if _, err := s.Acquire(t.Context(), "a", false); !as[*DamageError](err) {
				t.Errorf("acquired: %v", err)
			}
			if found := problems(t, s); !strings.Contains(found, "records: loop a: ") || strings.Contains(found, "loop other") {
				t.Errorf("Check: %s", found)
			}
		})
	}
}

// TestEditedPlans does the same with plans.
func TestEditedPlans(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"state":           `UPDATE plans SET data = CAST(json_set(CAST(data AS TEXT), '$.status', 'passed') AS BLOB)`,
		"no JSON":         `UPDATE plans SET data = CAST('{' AS BLOB)`,
		"request":         `UPDATE plans SET spec = CAST('{}' AS BLOB)`,
		"task":            `UPDATE plan_tasks SET data = CAST(json_set(CAST(data AS TEXT), '$.status', 'done') AS BLOB) WHERE n = 1`,
		"task removed":    `DELETE FROM plan_tasks WHERE n = 1`,
		"tasks exchanged": `UPDATE plan_tasks SET n = n + 7 WHERE n = 0`,
		"event changed":   `UPDATE plan_events SET data = CAST(replace(data, 'l1', 'l3') AS BLOB)`,
		"event removed":   `DELETE FROM plan_events WHERE seq = 2`,
		"no request":      `UPDATE plans SET spec = CAST('{' AS BLOB)`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			longPlan(t, s, "p")
			change(t, s, query)
			_, err := s.Plans().Acquire(t.Context(), "p", nil, false)
			if d, ok := errors.AsType[*DamageError](err); !ok || d.ID != "p" || d.Kind != recovery.Plan {
				t.Errorf("acquired: %v", err)
			}
			if found := problems(t, s); !strings.Contains(found, "records: plan p: ") {
				t.Errorf("Check: %s", found)
			}
			if all, err := s.Plans().List(t.Context(), Filter{}); err != nil || len(all) != 1 {
				t.Errorf("Plans: %v, %v", all, err)
			}
		})
	}
}

// TestEventsMissing: a journal with an event too few or too many is shown as damaged
// without reading it.
func TestEventsMissing(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	longLoop(t, s, "a")
	longPlan(t, s, "p")
	change(t, s, `DELETE FROM events WHERE loop = 1 AND seq = 4;
		INSERT INTO plan_events (plan, seq, epoch, at, name, data, hash) SELECT plan, 7, epoch, at, name, data, hash FROM plan_events WHERE seq = 4`)
	l, err := s.Read(t.Context(), "a")
	if err != nil || l.State.Reason != loop.Damaged || !strings.Contains(l.Damage, "only 8 of its 9 events are left") {
		t.Errorf("loop: %+v, %v", l.Damage, err)
	}
	p, err := s.Plans().Read(t.Context(), "p")
	if err != nil || p.State.Reason != loop.Damaged || !strings.Contains(p.Damage, "it has 5 events, and 4 were recorded") {
		t.Errorf("plan: %+v, %v", p.Damage, err)
	}
}

// TestSetPlanAside: a damaged plan that is archived makes room for another one of its
// name, and every row of it is kept.
func TestSetPlanAside(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	longPlan(t, s, "p")
	longPlan(t, s, "q")
	must(t, s.Plans().Send(t.Context(), "p", journal.Message{Kind: "steer", Text: "hold"}))
	rows := 2 + 2 + 4 + 1 // its own and its journal's, tasks, events, a message
	change(t, s, `DELETE FROM plan_events WHERE plan = 1 AND seq = 2`)
	if err := s.Plans().Archive(t.Context(), "q"); !errors.Is(err, ErrNotEnded) {
		t.Errorf("archive of a plan that goes on: %v", err)
	}
	change(t, s, `UPDATE plans SET archived = 1 WHERE id = 'q'`)
	for _, id := range []string{"p", "q"} {
		if _, err := s.Plans().SetAside(t.Context(), id); !errors.Is(err, ErrSound) {
			t.Errorf("%s, damaged or archived but not both: %v", id, err)
		}
	}
	must(t, s.Plans().Archive(t.Context(), "p"))
	tasks, err := s.Plans().SetAside(t.Context(), "p")
	if err != nil || len(tasks) != 2 {
		t.Errorf("set aside: %+v, %v", tasks, err)
	}
	if _, err := s.Plans().SetAside(t.Context(), "p"); !errors.Is(err, ErrNoPlan) {
		t.Errorf("twice: %v", err)
	}
	all, err := s.SetAsides(t.Context())
	if err != nil || len(all) != 1 || all[0].ID != "p" || !strings.Contains(all[0].String(), "event 2 is missing") || all[0].At.IsZero() {
		t.Errorf("set aside: %+v, %v", all, err)
	}
	kept := 0
	must(t, s.db.Load().QueryRow(`SELECT count(*) FROM damaged WHERE run = 1 AND json_valid(data)`).Scan(&kept))
	if kept != rows-1 {
		t.Errorf("%d rows are kept, want %d", kept, rows-1)
	}
	longPlan(t, s, "p")
	if found := problems(t, s); strings.Contains(found, "records") {
		t.Errorf("Check: %s", found)
	}
}

// TestOneDamagedRun leaves all lists usable.
func TestOneDamagedRun(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	longLoop(t, s, "a")
	longLoop(t, s, "b")
	longPlan(t, s, "p")
	longPlan(t, s, "q")
	change(t, s, `UPDATE states SET data = CAST('{"id": "a' AS BLOB) WHERE num = 1; UPDATE loops SET summary = '{"task' WHERE num = 1;
		UPDATE plans SET data = CAST('[' AS BLOB), spec = CAST('{"anc' AS BLOB) WHERE num = 1; UPDATE events SET data = CAST('{' AS BLOB) WHERE loop = 1 AND seq = 3;
		INSERT INTO recoveries VALUES ('loop', 1, 1, 1, 1, '{"jud')`)
	records, err := s.List(t.Context(), Filter{})
	if err != nil || len(records) != 2 || records[0].Damage != "" || records[1].Damage == "" {
		t.Errorf("Records: %+v, %v", records, err)
	}
	for _, f := range []Filter{{}, {Active: true}, {Parent: "x"}, {Apart: true}, {Mode: loop.Supervised}, {Archived: true}} {
		if _, err := s.Entries(t.Context(), f); err != nil {
			t.Errorf("List(%+v): %v", f, err)
		}
	}
	plans, err := s.Plans().List(t.Context(), Filter{})
	if err != nil || len(plans) != 2 || plans[0].Damage != "" || plans[1].Damage == "" {
		t.Errorf("Plans: %+v, %v", plans, err)
	}
	if all, err := s.Unended(t.Context()); err != nil || len(all) != 4 {
		t.Errorf("Unended: %+v, %v", all, err)
	}
	if events, err := s.Events(t.Context(), "a", 0, 0); err != nil || len(events) != 9 {
		t.Errorf("Events: %d, %v", len(events), err)
	}
	l := create(t, s, "c")
	must(t, l.Release(t.Context()))
	if found := problems(t, s); strings.Contains(found, "loop b") || strings.Contains(found, "plan q") || strings.Contains(found, "loop c") {
		t.Errorf("Check: %s", found)
	}
}

// TestRepair: a damaged state is restored from the events, exactly, and what was
// replaced is kept.
func TestRepair(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"state":       `UPDATE states SET data = CAST('{"id": "a' AS BLOB) WHERE num = 1`,
		"passed":      `UPDATE states SET data = CAST(json_set(CAST(data AS TEXT), '$.status', 'passed') AS BLOB) WHERE num = 1; UPDATE loops SET status = 'passed', ended = 1 WHERE num = 1`,
		"row":         `UPDATE loops SET status = 'failed', summary = '{' WHERE num = 1`,
		"removed":     `DELETE FROM states WHERE num = 1`,
		"seal":        `UPDATE journals SET seal = NULL WHERE kind = 'loop'`,
		"event twice": `INSERT INTO events (loop, seq, epoch, at, name, data, hash) SELECT loop, seq, epoch, at, name, data, hash FROM events WHERE loop = 1 AND seq = 4`,
		"event added": `INSERT INTO events (loop, seq, epoch, at, name, data, hash) SELECT loop, 10, epoch, at, name, data, hash FROM events WHERE loop = 1 AND seq = 9`,
		"plan":        `UPDATE plans SET data = CAST('[' AS BLOB)`,
		"plan's task": `UPDATE plan_tasks SET data = CAST('[' AS BLOB) WHERE n = 1`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			longLoop(t, s, "a")
			longPlan(t, s, "p")
			before := contents(t, s)
			change(t, s, query)
			done, err := s.Repair(t.Context())
			must(t, err)
			for _, r := range done {
				if r.Err != nil || len(r.From) == 0 {
					t.Errorf("%+v", r)
				}
			}
			if after := contents(t, s); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
			if found := problems(t, s); strings.Contains(found, "records") {
				t.Errorf("Check: %s", found)
			}
			var kept int
			must(t, s.db.Load().QueryRow(`SELECT count(*) FROM damaged`).Scan(&kept))
			if removed := name == "removed"; len(done) == 0 || (kept == 0) != removed {
				t.Errorf("%d repaired, %d kept", len(done), kept)
			}
			if l, err := s.Acquire(t.Context(), "a", false); err != nil {
				t.Error(err)
			} else {
				must(t, l.Release(t.Context()))
			}
		})
	}
}

// contents is what a repair has to bring back, as text.
func contents(t *testing.T, s *Store) string {
	t.Helper()
	var all []string
	must(t, s.read(t.Context(), "read everything", func(tx *sql.Tx) (err error) {
		for _, q := range []string{
			`SELECT num || ' ' || CAST(data AS TEXT) FROM states`, `SELECT id || ' ' || status || ' ' || reason || ' ' || ended || ' ' || summary FROM loops`,
			`SELECT id || ' ' || CAST(spec AS TEXT) || ' ' || CAST(data AS TEXT) FROM plans`, `SELECT plan || ' ' || n || ' ' || CAST(data AS TEXT) FROM plan_tasks ORDER BY plan, n`,
			`SELECT kind || ' ' || run || ' ' || hex(seal) FROM journals ORDER BY kind, run`,
			`SELECT loop || ' ' || seq || ' ' || hex(hash) FROM events WHERE seq > 0 ORDER BY loop, seq`,
		} {
			rows, err := sqlrow.Column[string](t.Context(), tx, q)
			must(t, err)
			all = append(all, rows...)
		}
		return nil
	}))
	return strings.Join(all, "\n")
}

// TestRepairLeavesTheRest: what no source has, and what a process runs, stays as it is.
func TestRepairLeavesTheRest(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	longLoop(t, s, "a")
	change(t, s, `UPDATE events SET data = CAST('{' AS BLOB) WHERE loop = 1 AND seq = 3`)
	running := create(t, s, "b")
	must(t, tick(t.Context(), running))
	longPlan(t, s, "p")
	change(t, s, `UPDATE plans SET spec = CAST('{"commands": {}}' AS BLOB)`)
	change(t, s, `UPDATE states SET data = CAST('{' AS BLOB) WHERE num = 2`)
	before := contents(t, s)
	done, err := s.Repair(t.Context())
	must(t, err)
	if len(done) != 3 || !errors.Is(done[0].Err, errRepair) || done[1].Err == nil || !errors.Is(done[2].Err, errRepair) || contents(t, s) != before {
		t.Errorf("%+v", done)
	}
}

// TestRepairFromACopy: what the events and the state do not tell any more, the copy
// that was made before a migration does.
func TestRepairFromACopy(t *testing.T) {
	t.Parallel()
	for name, query := range map[string]string{
		"event changed":  `UPDATE events SET data = CAST(replace(data, 'two', 'too') AS BLOB) WHERE loop = 1`,
		"event removed":  `DELETE FROM events WHERE loop = 1 AND seq IN (3, 4)`,
		"no base":        `UPDATE journals SET base = NULL; UPDATE states SET data = CAST('{' AS BLOB) WHERE num = 1`,
		"plan's request": `UPDATE plans SET spec = CAST('{' AS BLOB)`,
		"plan event":     `DELETE FROM plan_events WHERE seq = 2`,
		"plan, no base":  `UPDATE journals SET base = NULL; UPDATE plan_tasks SET data = CAST('{' AS BLOB)`,
	} {
		t.Run(strings.ReplaceAll(name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			old, dir := fresh(t)
			longLoop(t, old, "a")
			longPlan(t, old, "p")
			before := contents(t, old)
			s, err := openNext(t, dir, Options{Owner: "test"})
			must(t, err)
			change(t, s, query)
			done, err := s.Repair(t.Context())
			must(t, err)
			if len(done) != 1 || done[0].Err != nil {
				t.Errorf("%+v", done)
			}
			if after := contents(t, s); after != before {
				t.Errorf("before:\n%s\nafter:\n%s", before, after)
			}
		})
	}
}

// TestJournalFromBeforeTheChain: events without hashes are covered by the first one
// that has a hash, and a state from before the chain is where later events begin.
func TestJournalFromBeforeTheChain(t *testing.T) {
	t.Parallel()
	s := oldStore(t, "testdata/old/v7.sql")
	l, err := s.Acquire(t.Context(), "paused", false)
	must(t, err)
	record(t, l, loop.Steered{Text: "one"})
	record(t, l, loop.Steered{Text: "two"})
	must(t, l.Release(t.Context()))
	before := contents(t, s)
	num := fmt.Sprint(l.num)
	change(t, s, `UPDATE states SET data = CAST('{' AS BLOB) WHERE num = `+num)
	done, err := s.Repair(t.Context())
	must(t, err)
	if len(done) != 1 || done[0].Err != nil || contents(t, s) != before {
		t.Errorf("%+v", done)
	}
	change(t, s, `UPDATE events SET at = at + 1 WHERE seq = 2 AND loop = `+num)
	if _, err := s.Acquire(t.Context(), "paused", false); !as[*DamageError](err) {
		t.Errorf("acquired: %v", err)
	}
	if found := problems(t, s); !strings.Contains(found, "or one before it") {
		t.Errorf("Check: %s", found)
	}
}
