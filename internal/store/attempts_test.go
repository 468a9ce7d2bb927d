//go:build unix

package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

// tried is a loop that may make n attempts, and is ready for the first.
func tried(t testing.TB, s *Store, id string, n int) *LoopLease {
	t.Helper()
	st := newState(id)
	st.Limits.MaxIterations, st.Limits.StuckAfter, st.Limits.NoChange = n+1, 3*n, 0
	st.Limits.Loop, st.Limits.Session = loop.Deadline{}, loop.Deadline{}
	l, err := s.Create(t.Context(), st, Admission{})
	must(t, err)
	t.Cleanup(func() { must(t, l.Release(context.Background())) })
	take(t, l,
		loop.Acquired{Owner: "test"},
		loop.Prepared{Worktree: "/w", GateTree: "/g", Base: "b0"},
		loop.GateEnded{Result: loop.Result{Gate: "tests", Verdict: loop.Failed, Reason: "exit code 1", Commit: "b0"}})
	return l
}

// take commits events, each a second after the one before.
func take(t testing.TB, l *LoopLease, events ...loop.Event) {
	t.Helper()
	next := l.State()
	for i, e := range events {
		at := loop.Stamp{At: next.LastAt.Add(time.Second)}
		switch v := e.(type) {
		case loop.Acquired:
			v.Stamp = at
			e = v
		case loop.Prepared:
			v.Stamp = at
			e = v
		case loop.AttemptBegan:
			v.Stamp = at
			e = v
		case loop.AgentEnded:
			v.Stamp = at
			e = v
		case loop.Committed:
			v.Stamp = at
			e = v
		case loop.GateEnded:
			v.Stamp = at
			e = v
		}
		events[i] = e
		var err error
		next, err = loop.Apply(next, e)
		must(t, err)
	}
	must(t, l.Commit(t.Context(), next, events))
}

// attempt makes one that fails, in one commit or in as many as a loop makes.
func attempt(t testing.TB, l *LoopLease, whole bool) {
	t.Helper()
	st := l.State()
	n := st.Iteration + 1
	commit := fmt.Sprintf("c%d", n)
	events := []loop.Event{
		loop.AttemptBegan{},
		loop.AgentEnded{Outcome: loop.Outcome{End: loop.EndDone, Message: "done"}},
		loop.Committed{Commit: commit, Changed: true, Differs: true, Files: []string{"main.go", fmt.Sprintf("f%d.go", n)}},
		loop.GateEnded{Result: loop.Result{
			Gate: "tests", Verdict: loop.Failed, Reason: "exit code 1", Fingerprint: fmt.Sprintf("%08x", n), Commit: commit,
			Excerpt: strings.Repeat("--- FAIL: TestSomething (0.00s)\n", 60),
		}},
	}
	if whole {
		take(t, l, events...)
		return
	}
	for _, e := range events {
		take(t, l, e)
	}
}

// TestHistoryIsWhole: rows tell of all attempts what a state that holds them all
// would, after a takeover and in the archive too, and views show all of them.
func TestHistoryIsWhole(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	l := tried(t, s, "long", 40)
	var want []loop.Attempt
	for n := range 35 {
		attempt(t, l, n%2 == 0)
		st := l.State()
		want = append(want, *st.Last())
		if len(st.Recent) > 10 {
			t.Fatalf("the state has %d attempts", len(st.Recent))
		}
		for i := range want[:max(len(want)-4, 0)] { // as the machine does: the newest keep their output
			want[i].Results[0].Excerpt = ""
		}
	}
	history := func() []loop.Attempt {
		r, err := s.Read(t.Context(), "long")
		must(t, err)
		all, err := s.History(t.Context(), r.State)
		must(t, err)
		return all
	}
	if diff := cmp.Diff(want, history()); diff != "" {
		t.Error(diff)
	}
	must(t, s.ViewError())
	for _, name := range []string{"state.md", "state.json"} {
		text := read(t, views, "loops", "long", name)
		for _, part := range map[string][]string{"state.md": {"f1.go", "| 1 | tests | 00000001 |", "| 35 |"}, "state.json": {`"iter": 1,`, `"iter": 35,`}}[name] {
			if !strings.Contains(text, part) {
				t.Errorf("%s is without %q", name, part)
			}
		}
	}
	must(t, endWith(t.Context(), l, loop.StatusFailed, loop.MaxAttempts))
	must(t, l.Release(t.Context()))
	must(t, s.Archive(t.Context(), "long"))
	if diff := cmp.Diff(want, history()); diff != "" {
		t.Errorf("archived: %s", diff)
	}
	must(t, s.Remove(t.Context(), "long"))
	must(t, s.read(t.Context(), "count", func(tx *sql.Tx) error {
		left, err := sqlrow.Column[int](t.Context(), tx, `SELECT n FROM attempts`)
		if len(left) > 0 {
			t.Errorf("removed, its attempts are still there: %v", left)
		}
		return err
	}))
}

// TestViewsOfALongLoop: they show the newest attempts, and count the others.
func TestViewsOfALongLoop(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	l := tried(t, s, "long", mostShown+9)
	for n := 1; n <= mostShown+2; n++ {
		attempt(t, l, true)
		if n < mostShown-1 {
			continue
		}
		must(t, s.ViewError())
		var got struct {
			Events []loop.Checked
			Before int `json:"events_before"`
		}
		must(t, json.Unmarshal([]byte(read(t, views, "loops", "long", "state.json")), &got))
		before := max(n-mostShown, 0)
		if len(got.Events) != n-before || got.Events[0].Iter != before+1 || got.Before != before {
			t.Errorf("%d attempts: %d shown from %d on, %d before", n, len(got.Events), got.Events[0].Iter, got.Before)
		}
		text := read(t, views, "loops", "long", "state.md")
		if strings.Contains(text, "| not shown |") != (before > 0) || strings.Count(text, "| tests |") != n-before {
			t.Errorf("%d attempts: %s", n, text)
		}
	}
}

// TestADamagedAttempt is named, and the others are shown.
func TestADamagedAttempt(t *testing.T) {
	t.Parallel()
	s, _, views := viewed(t)
	l := tried(t, s, "long", 30)
	for range 15 {
		attempt(t, l, true)
	}
	_, err := s.db.Load().Exec(`UPDATE attempts SET data = CAST('{"n": 2, "verd' AS BLOB) WHERE n = 2`)
	must(t, err)
	all, err := s.History(t.Context(), l.State())
	must(t, err)
	if len(all) != 15 || all[1].N != 2 || !strings.Contains(all[1].Error, "damaged") || all[2].Fingerprint != "00000003" {
		t.Errorf("%+v", all[:3])
	}
	attempt(t, l, true)
	must(t, s.ViewError())
	if text := read(t, views, "loops", "long", "state.md"); !strings.Contains(text, "| 3 | tests | 00000003 |") {
		t.Errorf("state.md: %s", text)
	}
	found, err := s.Problems(t.Context())
	must(t, err)
	if len(found) != 1 || found[0].Path != "loop long" || found[0].What != "attempt 2 is not the one of its events" {
		t.Errorf("%v", found)
	}
}

// TestAStepWritesAsMuchLater: what an attempt writes does not grow with the number
// of those before it.
func TestAStepWritesAsMuchLater(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	l := tried(t, s, "long", 500)
	written := func() int64 {
		_, err := s.db.Load().Exec(`PRAGMA wal_checkpoint(TRUNCATE)`)
		must(t, err)
		attempt(t, l, false)
		fi, err := os.Stat(dir + "/ralph.db-wal")
		must(t, err)
		return fi.Size()
	}
	at := map[int]int64{}
	for n := 1; n <= 400; n++ {
		switch n {
		case 1, 11, 40, 400:
			at[n] = written()
		default:
			attempt(t, l, true)
		}
	}
	t.Logf("bytes written by attempt: %v", at)
	if at[400] > at[11]*3/2 {
		t.Errorf("attempt 400 writes %d bytes, attempt 11 %d", at[400], at[11])
	}
}
