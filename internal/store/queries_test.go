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
