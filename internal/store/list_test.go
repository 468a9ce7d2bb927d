//go:build unix

package store

import (
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
)

func TestListAndResolve(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	for _, id := range []string{"fix-1a", "fix-1b", "other", "fix", "old-1", "old-2"} {
		l := create(t, s, id)
		if id == "old-1" || id == "old-2" || id == "other" {
			must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
			must(t, l.Release(t.Context()))
		}
	}
	must(t, s.Archive(t.Context(), "old-1"))
	lists := []struct {
		name string
		f    Filter
		want []string
	}{
		{"all", Filter{}, []string{"old-2", "fix", "other", "fix-1b", "fix-1a"}},
		{"active", Filter{Active: true}, []string{"fix", "fix-1b", "fix-1a"}},
		{"with archived", Filter{Archived: true}, []string{"old-2", "old-1", "fix", "other", "fix-1b", "fix-1a"}},
		{"one", Filter{Limit: 1}, []string{"old-2"}},
		{"two active", Filter{Active: true, Limit: 2}, []string{"fix", "fix-1b"}},
	}
	for _, tt := range lists {
		got, err := s.Entries(t.Context(), tt.f)
		must(t, err)
		var ids []string
		for _, e := range got {
			ids = append(ids, e.ID)
		}
		if diff := cmp.Diff(tt.want, ids); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
		n, err := s.Count(t.Context(), tt.f)
		must(t, err)
		if tt.f.Limit == 0 && n != len(tt.want) {
			t.Errorf("%s: counted %d of %d", tt.name, n, len(tt.want))
		}
	}
	for prefix, want := range map[string]string{"fix": "fix", "o": "", "ot": "other", "fix-": "", "fix-1a": "fix-1a", "old": "old-2", "old-1": "old-1", "x": ""} {
		if got, err := s.Resolve(t.Context(), prefix); got != want || (err == nil) != (want != "") {
			t.Errorf("Resolve(%q) = %q, %v", prefix, got, err)
		}
	}
	_, err := s.Resolve(t.Context(), "fix-")
	if e, ok := errors.AsType[*AmbiguousError](err); !ok || len(e.IDs) != 2 {
		t.Errorf("ambiguous: %v", err)
	}
}

func TestEntryTellsWhatAListNeeds(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	st := failing("a")
	st.Usage.CostMicroUSD = new(int64(5))
	must(t, l.Commit(t.Context(), st, nil))
	got, err := s.Entries(t.Context(), Filter{})
	must(t, err)
	want := Summary{
		Task: "Add authentication with tokens", TaskID: "auth-feature", Parent: "plan-1", Agent: "scripted",
		Branch: "ralph/a", Step: loop.StepAgent, Iteration: 3, MaxIterations: 5, StartedAt: clock(), CostMicroUSD: new(int64(5)), Judged: 3,
	}
	if diff := cmp.Diff(want, got[0].Summary); diff != "" {
		t.Error(diff)
	}
	if e := got[0]; e.Status != loop.Running || !e.Live || e.Crashed || e.Owner.PID != os.Getpid() {
		t.Errorf("%+v", e)
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"": "", "a\n\tb": "a b", "abcdef": "abcde", "abcde": "abcde", "äöüßé!": "äöüß…", "a\xffb": "a\uFFFDb", "   ": "",
	} {
		if want == "abcde" && in == "abcdef" {
			want = "abcd…"
		}
		if got := oneLine(in, 5); got != want {
			t.Errorf("oneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestCheckFindsWhatIsLeftOver(t *testing.T) {
	t.Parallel()
	s, dir, views := viewed(t)
	l := create(t, s, "a")
	gone := create(t, s, "gone")
	if found, err := s.Problems(t.Context()); err != nil || len(found) != 0 {
		t.Fatalf("nothing is wrong, but: %v, %v", found, err)
	}
	must(t, os.Mkdir(filepath.Join(dir, "loops", "stranger"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "ralph.db.new"), nil, 0o600))
	must(t, os.RemoveAll(gone.Dir()))
	must(t, os.WriteFile(filepath.Join(views, "registry.json"), []byte("{}"), 0o600))
	must(t, os.Remove(filepath.Join(views, "loops", "a", "state.json")))
	must(t, os.Truncate(filepath.Join(views, "log.jsonl"), 5))
	takeTree(t, s, l, "agent", "")
	st := l.State()
	st.Status = loop.Aborted
	s.o.Views = ""
	must(t, l.Commit(t.Context(), st, nil))
	s.o.Views = views
	found, err := s.Problems(t.Context())
	must(t, err)
	var got []string
	for _, p := range found {
		got = append(got, p.Area+" "+filepath.Base(p.Path))
	}
	want := []string{
		"files gone", "files stranger", "files ralph.db.new", "worktrees agent-1", "views registry.json", "views log.jsonl",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s\n%v", diff, found)
	}
}

func TestCheckNamesDamage(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	for _, id := range []string{"a", "b", "c"} {
		must(t, tick(t.Context(), create(t, s, id)))
	}
	_, err := s.db.Load().Exec("PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	must(t, s.Close())
	path := filepath.Join(dir, "ralph.db")
	data := []byte(read(t, path))
	// The pages of the tables, not those of the schema.
	for i := 2 * 4096; i < 8*4096; i++ {
		data[i] ^= 0x5a
	}
	must(t, os.WriteFile(path, data, 0o600))
	broken, err := Open(t.Context(), dir, Options{ReadOnly: true})
	must(t, err)
	defer broken.Close()
	if found, err := broken.Problems(t.Context()); err != nil || len(found) == 0 || found[0].Area != "database" {
		t.Errorf("Check: %v, %v", found, err)
	}
	if _, err := broken.Read(t.Context(), "a"); !as[*CorruptError](err) {
		t.Errorf("Load: %v", err)
	}
	if string(data) != read(t, path) {
		t.Error("the damaged file was changed")
	}
}

// TestListsByIndex: SQLite uses a partial index only for a query that has its condition
// word by word. Without it a list of a few reads all that have ended.
func TestListsByIndex(t *testing.T) {
	t.Parallel()
	s := openTest(t, filepath.Join(t.TempDir(), "ralph"), Options{})
	for _, k := range []kind{loopRuns, planRuns} {
		for index, filters := range map[string][]Filter{
			"%runs_unsettled": {{Unclosed: true}, {Unclosed: true, Apart: true, Limit: 3}},
			"%runs_within":    {{Parent: "p"}, {Parent: "p", Archived: true}},
			"%runs_ended":     {{Ended: true}, {Ended: true, Apart: true, Limit: 3}},
			"%runs_active":    {{Active: true}, {Active: true, Apart: true}},
		} {
			for _, f := range filters {
				query, values := f.query(k)
				if got := queryPlan(t, s, query, values); !strings.Contains(got, k.q(index)) {
					t.Errorf("%+v: %s, want %s", f, got, k.q(index))
				}
			}
		}
		for _, f := range []Filter{{Ended: true, Archived: true}, {Ended: true, Archived: true, Apart: true}} {
			where, _ := f.where()
			if got := queryPlan(t, s, k.q(`SELECT count(*) FROM %runs WHERE `+where), nil); !strings.Contains(got, k.q("INDEX %runs_ended")) {
				t.Errorf("count %+v: %s", f, got)
			}
		}
	}
	where, _ := Filter{Ended: true, Archived: true, Apart: true}.where()
	if got := queryPlan(t, s, `SELECT count(*) FROM loops WHERE `+where, nil); !strings.Contains(got, "COVERING INDEX") {
		t.Errorf("a count reads loops: %s", got)
	}
}

func queryPlan(t *testing.T, s *Store, query string, values []any) string {
	t.Helper()
	var plan strings.Builder
	must(t, s.write(t.Context(), "explain", func(tx *sql.Tx) error {
		return sqlrow.Each(t.Context(), tx, func(rows *sql.Rows) error {
			var id, parent, unused int
			var detail string
			err := rows.Scan(&id, &parent, &unused, &detail)
			plan.WriteString(detail + "\n")
			return err
		}, "EXPLAIN QUERY PLAN "+query, values...)
	}))
	return plan.String()
}
