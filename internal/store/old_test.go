//go:build unix

package store

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// TestOldStores opens stores that earlier versions left in the middle of things,
// as SQL in testdata/old, and continues what is in them. A sample is never
// edited; each version that changes the schema adds one.
func TestOldStores(t *testing.T) {
	t.Parallel()
	samples, err := filepath.Glob("testdata/old/*.sql")
	if err != nil || len(samples) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	for _, sample := range samples {
		t.Run(filepath.Base(sample), func(t *testing.T) {
			t.Parallel()
			continueOld(t, oldStore(t, sample))
		})
	}
}

// oldStore restores a sample and opens it, which migrates it.
func oldStore(t *testing.T, sample string) *Store {
	t.Helper()
	return openTest(t, oldDatabase(t, filepath.Join(t.TempDir(), "ralph"), sample), Options{Owner: "test"})
}

// oldDatabase restores a sample in dir.
func oldDatabase(t *testing.T, dir, sample string) string {
	t.Helper()
	text, err := os.ReadFile(sample)
	must(t, err)
	must(t, os.MkdirAll(dir, 0o700))
	s := &Store{o: Options{}}
	path := filepath.Join(dir, "ralph.db")
	must(t, os.WriteFile(path, nil, 0o600))
	db, err := s.connectTo(path, "rw")
	must(t, err)
	_, err = db.Exec("PRAGMA journal_mode=WAL")
	must(t, err)
	_, err = db.Exec(string(text))
	must(t, err)
	must(t, db.Close())
	return dir
}

func continueOld(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	all, err := s.List(ctx, Filter{Archived: true})
	must(t, err)
	found := map[string]loop.Status{}
	for _, r := range all {
		found[r.State.ID] = r.State.Status
		events, err := s.Events(ctx, r.State.ID, 0, 0)
		must(t, err)
		if int64(len(events)) != r.Seq || r.Seq == 0 {
			t.Errorf("%s: %d events, want %d", r.State.ID, len(events), r.Seq)
		}
		for _, e := range events {
			if _, err := loop.Decode(e.Name, e.Data); err != nil {
				t.Errorf("%s event %d: %v", r.State.ID, e.Seq, err)
			}
		}
	}
	for id, want := range map[string]loop.Status{
		"passed": loop.StatusPassed, "failed": loop.StatusFailed, "paused": loop.Paused, "driven": loop.Running, "crashed": loop.Running,
	} {
		if found[id] != want {
			t.Errorf("%s is %q, want %s", id, found[id], want)
		}
	}
	if r, err := s.Read(ctx, "crashed"); err != nil || !r.Crashed {
		t.Errorf("crashed: %+v, %v", r, err)
	}
	must(t, s.read(ctx, "read what a supervisor did", func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, "crashed")
		must(t, err)
		r, err := recoveryOf(ctx, tx, recovery.Loop, e.num)
		if r.Tries != 1 || r.Epoch != 1 || r.Last.IsZero() {
			t.Errorf("the record of the recovery: %+v", r)
		}
		return err
	}))
	if _, long := found["long"]; long {
		continueLongLoop(t, s)
	}
	for _, e := range entries(t, s, Filter{Apart: true, Archived: true}) {
		if e.Parent != "" {
			t.Errorf("%s of plan %s is listed apart", e.ID, e.Parent)
		}
	}
	continueOldLoop(t, s)
	continueOldPlan(t, s)
	problems, err := s.Problems(ctx)
	must(t, err)
	for _, p := range problems {
		if p.Area != "files" { // a sample is the database alone
			t.Errorf("%+v", p)
		}
	}
}

func entries(t *testing.T, s *Store, f Filter) []Entry {
	t.Helper()
	all, err := s.Entries(t.Context(), f)
	must(t, err)
	return all
}

// continueOldLoop acquires the paused loop and commits to it.
func continueOldLoop(t *testing.T, s *Store) {
	t.Helper()
	l, err := s.Acquire(t.Context(), "paused", false)
	must(t, err)
	before := l.Seq()
	next, err := loop.Apply(l.State(), loop.Steered{Stamp: loop.Stamp{At: clock()}, Text: "go left"})
	must(t, err)
	must(t, l.Commit(t.Context(), next, []loop.Event{loop.Steered{Stamp: loop.Stamp{At: clock()}, Text: "go left"}}))
	must(t, l.Release(t.Context()))
	if l.Seq() != before+1 {
		t.Errorf("seq %d, want %d", l.Seq(), before+1)
	}
}

// continueLongLoop continues a loop whose state has all of its 15 attempts: the next
// transition drops the oldest, and the history has them.
func continueLongLoop(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	l, err := s.Acquire(ctx, "long", false)
	must(t, err)
	want := l.State().Recent
	ended := loop.AgentEnded{Stamp: loop.Stamp{At: clock().AddDate(0, 1, 0)}, Outcome: loop.Outcome{End: loop.EndDone}}
	next, err := loop.Apply(l.State(), ended)
	must(t, err)
	must(t, l.Commit(ctx, next, []loop.Event{ended}))
	must(t, l.Release(ctx))
	r, err := s.Read(ctx, "long")
	must(t, err)
	got, err := s.History(ctx, r.State)
	must(t, err)
	if len(want) != 15 || len(got) != 15 || len(r.State.Recent) > 10 {
		t.Fatalf("%d attempts before, %d after, %d in the state", len(want), len(got), len(r.State.Recent))
	}
	if diff := cmp.Diff(want[:14], got[:14]); diff != "" {
		t.Error(diff)
	}
	if judged, _ := r.State.Judged(); judged != 14 {
		t.Errorf("%d judged", judged)
	}
}

// continueOldPlan acquires the paused plan and reads all of it.
func continueOldPlan(t *testing.T, s *Store) {
	t.Helper()
	plans, err := s.Plans().List(t.Context(), Filter{Active: true})
	must(t, err)
	if len(plans) != 1 || len(plans[0].State.Tasks) != 3 || plans[0].State.Tasks[0].Status != plan.Done {
		t.Fatalf("plans: %+v", plans)
	}
	events, err := s.Plans().Events(t.Context(), plans[0].State.ID, 0, 0)
	must(t, err)
	for _, e := range events {
		if _, err := plan.Decode(e.Name, e.Data); err != nil {
			t.Errorf("plan event %d: %v", e.Seq, err)
		}
	}
	l, err := s.Plans().Acquire(t.Context(), plans[0].State.ID, nil, false)
	must(t, err)
	if l.Seq() != int64(len(events)) || l.State().Status != plans[0].State.Status {
		t.Errorf("seq %d with %d events", l.Seq(), len(events))
	}
	must(t, l.Release(t.Context()))
}

// TestADamagedStateIsMigrated with all others: it stays as it was, and no other loop
// suffers.
func TestADamagedStateIsMigrated(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/old/v7.sql")
	must(t, err)
	sample := filepath.Join(t.TempDir(), "damaged.sql")
	text = append(text, "UPDATE states SET data = CAST('{\"id\": \"pas' AS BLOB) WHERE num = 1;\n"...)
	must(t, os.WriteFile(sample, text, 0o600))
	s := oldStore(t, sample)
	if r, err := s.Read(t.Context(), "passed"); err != nil || r.Damage == "" || r.State.Status == loop.StatusPassed {
		t.Errorf("a damaged state was read: %+v, %v", r, err)
	}
	r, err := s.Read(t.Context(), "long")
	must(t, err)
	all, err := s.History(t.Context(), r.State.Bounded())
	must(t, err)
	if len(all) != 15 {
		t.Errorf("%d attempts", len(all))
	}
}

// TestOldPlansAreListed: which plans have ended, in whose task's place they run and what
// waits for a person follows from their rows, also of older versions and where one is damaged.
func TestOldPlansAreListed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/old/v12.sql")
	must(t, err)
	sample := filepath.Join(t.TempDir(), "plans.sql")
	const plans = `INSERT INTO plans (id, epoch, seq, updated, owner, spec, data) VALUES
		('accepted', 1, 0, 1, '{}', '{}', '{"id":"accepted","status":"passed","base":"c0","tip":"c1","accepted":"c1"}'),
		('left', 1, 0, 2, '{}', '{}', '{"id":"left","status":"aborted","reason":"manual","base":"c0","tip":"c0"}'),
		('nothing', 1, 0, 3, '{}', '{}', '{"id":"nothing","status":"passed","base":"c0","tip":"c0"}'),
		('waits', 1, 0, 4, '{}', '{}', '{"id":"waits","status":"passed","base":"c0","tip":"c1"}'),
		('again', 1, 0, 5, '{}', '{}', '{"id":"again","status":"failed","base":"c0","tip":"c1","accepted":"c1","accepted_at":"2026-11-20T10:00:00Z","ended_at":"2026-11-20T10:00:01Z"}'),
		('findings', 1, 0, 6, '{}', '{}', '{"id":"findings","status":"passed","base":"c0","tip":"c0","findings":[{"id":"f1"}]}'),
		('inner', 1, 0, 7, '{}', '{"ancestors":["outermost","outer"]}', '{"id":"inner","status":"paused"}'),
		('torn', 1, 0, 8, '{}', '{"ances', '{"id":"torn","sta'), ('bytes', 1, 0, 9, '{}', X'00FF', X'00FF');
		INSERT INTO plan_tasks SELECT num, 0, '{"id":"t","status":"done"}' FROM plans WHERE id = 'nothing';
		INSERT INTO journals (kind, run, first) SELECT 'plan', num, 0 FROM plans WHERE seq = 0;
		`
	must(t, os.WriteFile(sample, append(text, plans...), 0o600))
	s := oldStore(t, sample)
	for want, f := range map[string]Filter{
		"[plan-ff859e8e bytes torn inner]":             {Active: true},
		"[findings again waits nothing left accepted]": {Ended: true},
		"[findings again waits]":                       {Unclosed: true},
		"[inner]":                                      {Parent: "outer"},
		"[plan-ff859e8e bytes torn findings again waits nothing left]": {Apart: true, Since: time.Unix(0, 1), Limit: 8},
		"[]": {Mode: loop.Supervised},
	} {
		all, err := s.Plans().List(t.Context(), f)
		must(t, err)
		ids := []string{}
		for _, r := range all {
			ids = append(ids, r.State.ID)
			if damaged := r.State.ID == "torn" || r.State.ID == "bytes"; damaged != (r.Damage != "") {
				t.Errorf("%s: %q", r.State.ID, r.Damage)
			}
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("%+v: %s, want %s", f, got, want)
		}
	}
	if found := problems(t, s); strings.Contains(found, "plan nothing") || strings.Contains(found, "plan accepted") {
		t.Error(found)
	}
}
