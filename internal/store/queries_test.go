//go:build unix

package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"sync/atomic"
	"testing"

	sqlite "modernc.org/sqlite"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// counter counts the transactions of its connections.
type counter struct {
	driver.Connector
	begun atomic.Int64
}

func (c *counter) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Connector.Connect(ctx)
	return countedConn{conn, c}, err
}

type countedConn struct {
	driver.Conn
	c *counter
}

func (c countedConn) BeginTx(ctx context.Context, o driver.TxOptions) (driver.Tx, error) {
	c.c.begun.Add(1)
	return c.Conn.(driver.ConnBeginTx).BeginTx(ctx, o)
}

func (c countedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	return c.Conn.(driver.ConnPrepareContext).PrepareContext(ctx, query)
}

// counted reads the database of a store through a counter.
func counted(t *testing.T, s *Store) *counter {
	t.Helper()
	connector, err := sqlite.NewConnector(address(s.dbPath(), "mode=ro"))
	must(t, err)
	c := &counter{Connector: connector}
	must(t, s.db.Swap(sql.OpenDB(c)).Close())
	return c
}

// TestListsAreOneTransaction, and one more where runs seem to have crashed, however many
// there are; a count is one.
func TestListsAreOneTransaction(t *testing.T) {
	t.Parallel()
	for name, state := range map[string]struct {
		most int64
		end  bool
	}{"ended": {1, true}, "crashed": {2, false}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			for i := range 10 {
				l, p := create(t, s, fmt.Sprintf("l%d", i)), takePlan(t, s, fmt.Sprintf("p%d", i), 2)
				if state.end {
					must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
					st := p.State()
					st.Status = loop.StatusFailed
					must(t, p.Commit(t.Context(), st, nil))
				}
				must(t, l.Release(t.Context()))
				must(t, p.Release(t.Context()))
			}
			change(t, s, `INSERT INTO recoveries SELECT 'plan', num, 2, 5, 7, '{"epoch": 1}' FROM plans`)
			c := counted(t, s)
			for what, call := range map[string]struct {
				f    func() (int, error)
				want int
				most int64
			}{
				"list of loops":    {func() (int, error) { all, err := s.List(t.Context(), Filter{}); return len(all), err }, 10, state.most},
				"entries of loops": {func() (int, error) { all, err := s.Entries(t.Context(), Filter{}); return len(all), err }, 10, state.most},
				"list of plans":    {func() (int, error) { all, err := s.Plans().List(t.Context(), Filter{}); return len(all), err }, 10, state.most},
				"count of loops":   {func() (int, error) { return s.Count(t.Context(), Filter{Apart: true}) }, 10, 1},
				"count of plans":   {func() (int, error) { return s.Plans().Count(t.Context(), Filter{Apart: true}) }, 10, 1},
			} {
				c.begun.Store(0)
				n, err := call.f()
				must(t, err)
				if got := c.begun.Load(); n != call.want || got != call.most {
					t.Errorf("%s: %d in %d transactions, want %d in %d", what, n, got, call.want, call.most)
				}
			}
			all, err := s.Plans().List(t.Context(), Filter{})
			must(t, err)
			for _, r := range all {
				if (r.Recovery != recovery.Restarts{}) == state.end || r.Crashed == state.end || len(r.State.Tasks) != 2 {
					t.Errorf("%+v", r)
				}
			}
		})
	}
}

// TestCountIsTheLengthOfTheList: counting asks another question of the database than
// listing, and comes to the same, for loops and plans and each field of the filter.
func TestCountIsTheLengthOfTheList(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	takePlan(t, s, "plan", 0)
	for _, parent := range []string{"", "plan", "loop-1", "elsewhere"} {
		for _, end := range []string{"active", "closed", "ended", "archived"} {
			listedLoop(t, s, parent, end)
			listedPlan(t, s, parent, end)
		}
	}
	kinds := map[string]struct {
		list  func(Filter) (int, error)
		count func(context.Context, Filter) (int, error)
	}{
		"loops": {func(f Filter) (int, error) { all, err := s.Entries(t.Context(), f); return len(all), err }, s.Count},
		"plans": {func(f Filter) (int, error) { all, err := s.Plans().List(t.Context(), f); return len(all), err }, s.Plans().Count},
	}
	for name, kind := range kinds {
		some := 0
		for bits := range 1 << 8 {
			is := func(n int) bool { return bits>>n&1 == 1 }
			f := Filter{Active: is(0), Ended: is(1), Archived: is(2), Apart: is(3), Unclosed: is(4)}
			if is(5) {
				f.Parent = "plan"
			}
			if is(6) {
				f.Since = clock()
			}
			if is(7) {
				f.Mode = loop.Supervised
			}
			listed, err := kind.list(f)
			must(t, err)
			f.Limit = 1
			if n, err := kind.count(t.Context(), f); err != nil || n != listed {
				t.Errorf("%s, %+v: counted %d of %d, %v", name, f, n, listed, err)
			}
			if listed > 0 {
				some++
			}
		}
		if some < 60 {
			t.Errorf("%s: only %d filters let any through", name, some)
		}
	}
}

// listedLoop records a loop of a parent, which has come to an end or not.
func listedLoop(t *testing.T, s *Store, parent, end string) {
	t.Helper()
	st := newState("of" + parent + "-" + end)
	if st.Parent = parent; parent == "elsewhere" { // a plan that is kept on a server
		st.Task.Plan = &loop.InPlan{}
	}
	l, err := s.Create(t.Context(), st, Admission{})
	must(t, err)
	switch end {
	case "closed":
		must(t, endWith(t.Context(), l, loop.Aborted, loop.Manual))
	case "ended", "archived":
		must(t, endWith(t.Context(), l, loop.StatusPassed, loop.Green))
	}
	must(t, l.Release(t.Context()))
	if end == "archived" {
		must(t, s.Archive(t.Context(), st.ID))
	}
}

// listedPlan is listedLoop for a plan.
func listedPlan(t *testing.T, s *Store, parent, end string) {
	t.Helper()
	id := "plan-of" + parent + "-" + end
	spec := []byte(`{}`)
	if parent != "" {
		spec = fmt.Appendf(nil, `{"ancestors": ["outermost", %q]}`, parent)
	}
	l, err := s.Plans().Create(t.Context(), plan.Begin(id, "/p.md", id, "b", "c0", plan.Rules{}), spec)
	must(t, err)
	st := l.State()
	switch end {
	case "active":
		st.Status = loop.Running
	case "closed":
		st.Status, st.Reason = loop.Aborted, loop.Manual
	default:
		st.Status = loop.StatusFailed
	}
	must(t, l.Commit(t.Context(), st, nil))
	must(t, l.Release(t.Context()))
	if end == "archived" {
		must(t, s.Plans().Archive(t.Context(), id))
	}
}
