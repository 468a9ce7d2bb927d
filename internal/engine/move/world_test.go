package move_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/store"
	"ralph/internal/testing/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	noon   = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	server = loop.Home{Engine: "temporal://box:7233/shop"}
)

// world is a server and two clones. Its calls fail, or are where the process is killed.
type world struct {
	*testing.T
	there *enginetest.Memory[loop.State, loop.Event, engine.LoopLease]
	now   time.Time

	// calls counts the calls of a move; the one with the number at is where trouble is.
	calls, at int
	trouble   trouble
	killed    bool
	// offered, published and trees are what a move did outside of the records.
	offered, published, fetched, arrived, left int
	nested                                     bool
}

type trouble int

const (
	none trouble = iota
	killBefore
	killAfter
	failBefore
	failAfter
)

func newWorld(t *testing.T) *world {
	return &world{T: t, there: enginetest.NewLoops(), now: noon.Add(time.Hour)}
}

type kill struct{}

var errTrouble = errors.New("the network is down")

// call is one call to the world around a move.
func (w *world) call(do func() error) error {
	w.calls++
	here := w.calls == w.at
	switch {
	case here && w.trouble == killBefore:
		w.killed = true
		panic(kill{})
	case here && w.trouble == failBefore:
		return errTrouble
	}
	err := do()
	switch {
	case here && w.trouble == killAfter:
		w.killed = true
		panic(kill{})
	case here && w.trouble == failAfter:
		return errTrouble
	}
	return err
}

// clone is a repository with its database.
type clone struct {
	w    *world
	dir  string
	home loop.Home
	// attempts are those of its loop.
	attempts int
	*store.Store
}

// cutOff kills the move of a paused loop to the server at a call. reached: it makes as many.
func cutOff(t *testing.T, at int) (w *world, one *clone, was loop.State, reached bool) {
	t.Helper()
	w = newWorld(t)
	one = w.clone("one")
	one.attempts = 1
	was = one.begin("paused")
	w.at, w.trouble = at, killAfter
	_, _ = one.do(out(t.Context()))
	return w, one, was, w.calls >= at
}

func (w *world) clone(name string) *clone {
	w.Helper()
	c := &clone{w: w, attempts: 2, dir: filepath.Join(w.TempDir(), name), home: loop.Home{Engine: loop.LocalEngine, Place: name + ":/src", Machine: name}}
	c.open()
	w.Cleanup(func() { _ = c.Close() })
	return c
}

func (c *clone) open() {
	c.w.Helper()
	s, err := store.Open(c.w.Context(), c.dir, store.Options{Owner: "test", Now: func() time.Time { return c.w.now }})
	c.w.ok(err)
	c.Store = s
}

func (w *world) ok(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (c *clone) mover() *move.Mover {
	return &move.Mover{
		Stored: stored.Copies{Store: c.Store}, Local: local{c}, Server: served[loop.State, loop.Event, engine.LoopLease]{c.w.there, c.w, loop.Encode}, Travel: travel{c.w}, Here: c.home, There: server,
		Now: func() time.Time { c.w.now = c.w.now.Add(time.Second); return c.w.now },
		Fault: func(string) {
			if err := c.w.call(func() error { return nil }); err != nil && c.w.trouble != none {
				return // only a kill comes between two lines
			}
		},
	}
}

// do moves, and survives a kill as another process finds it: the leases on the server stay.
func (c *clone) do(move func(*move.Mover) (move.Moved, error)) (done move.Moved, err error) {
	defer func() {
		switch r := recover(); {
		case r == nil:
		case r == kill{}:
			err = errors.New("killed")
			c.w.ok(c.Close())
			c.open()
			c.w.killed = false
		default:
			panic(r)
		}
	}()
	return move(c.mover())
}

// moves is do for a move that nothing is in the way of.
func (c *clone) moves(move func(*move.Mover) (move.Moved, error)) move.Moved {
	c.w.Helper()
	done, err := c.do(move)
	c.w.ok(err)
	return done
}

type local struct{ *clone }

func (l local) Rest(ctx context.Context, id string) error {
	return l.w.call(func() error {
		h, err := l.Acquire(ctx, id, false)
		if err != nil {
			return err
		}
		defer func() { _ = h.Release(ctx) }()
		s := h.State()
		for _, e := range []loop.Event{loop.Acquired{Stamp: l.stamp(), Owner: "o"}, loop.PauseAsked{Stamp: l.stamp(), By: loop.NoOwner, Why: "rest"}, loop.Interrupted{Stamp: l.stamp(), Why: "rest"}} {
			next, err := loop.Apply(s, e)
			if err != nil {
				continue
			}
			if err := h.Commit(ctx, next, []loop.Event{e}); err != nil {
				return err
			}
			s = next
		}
		return nil
	})
}

func (c *clone) stamp() loop.Stamp { return loop.Stamp{At: c.w.now} }

func (l local) MayLeave(context.Context, *store.LoopLease) error {
	return l.w.call(func() error {
		if l.w.nested {
			return engine.ErrNested
		}
		return nil
	})
}

func (l local) Leave(_ context.Context, h *store.LoopLease) (string, error) {
	if s := h.State(); !s.Away() {
		l.w.Errorf("the trees are handed back while the loop is %s", s.Status)
	}
	return "", l.w.call(func() error { l.w.left++; return nil })
}

func (l local) Arrive(_ context.Context, h *store.LoopLease, _ string) error {
	if s := h.State(); engine.MovedOf(s) == nil {
		l.w.Error("branches are made for a loop that is here already")
	}
	return l.w.call(func() error { l.w.arrived++; return nil })
}

type travel struct{ w *world }

func (t travel) Offer(context.Context, loop.State, bool) error {
	return t.w.call(func() error { t.w.offered++; return nil })
}

func (t travel) FetchWhole(context.Context, loop.State) (string, error) {
	return "", t.w.call(func() error { t.w.fetched++; return nil })
}

func (t travel) PutFiles(context.Context, string, int64, string) error {
	return t.w.call(func() error { t.w.published++; return nil })
}

func (t travel) GetFiles(context.Context, string, string) error {
	return t.w.call(func() error { return nil })
}

// served are the loops or plans of the server as a process reaches them.
type served[S any, E journal.Event, L engine.Lease[S, E]] struct {
	*enginetest.Memory[S, E, L]
	w      *world
	encode func(E) (string, []byte, error)
}

func (s served[S, E, L]) granted(do func() (L, error)) (l engine.Lease[S, E], err error) {
	err = s.w.call(func() error {
		got, err := do()
		l = remote[S, E]{got, s.w, s.encode}
		return err
	})
	if err != nil {
		return nil, err
	}
	return l, nil
}

func (s served[S, E, L]) Create(ctx context.Context, first S, spec []byte) (engine.Lease[S, E], error) {
	return s.granted(func() (L, error) { return s.Memory.Create(ctx, first, spec) })
}

func (s served[S, E, L]) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (engine.Lease[S, E], error) {
	return s.granted(func() (L, error) { return s.Memory.Acquire(ctx, id, spec, takeOver) })
}

func (s served[S, E, L]) Read(ctx context.Context, id string) (r engine.Stored[S], err error) {
	err = s.w.call(func() error { r, err = s.Memory.Read(ctx, id); return err })
	return r, err
}

func (s served[S, E, L]) Events(ctx context.Context, id string, after int64) (all []engine.Event, err error) {
	err = s.w.call(func() error {
		all, err = s.Memory.Events(ctx, id, after)
		all = all[:min(len(all), 3)] // a page
		return err
	})
	return all, err
}

// remote is a lease that outlives a process that is killed.
type remote[S any, E journal.Event] struct {
	engine.Lease[S, E]
	w      *world
	encode func(E) (string, []byte, error)
}

func (r remote[S, E]) Commit(ctx context.Context, next S, events []E, took ...int64) error {
	size := 0
	for _, e := range events {
		name, data, err := r.encode(e)
		r.w.ok(err)
		size += len(name) + len(data)
	}
	state, err := json.Marshal(next)
	r.w.ok(err)
	if most := 256 << 10; size > most || len(state) > most {
		return fmt.Errorf("too large: %d bytes of events, %d of state", size, len(state))
	}
	return r.w.call(func() error { return r.Lease.Commit(ctx, next, events, took...) })
}

func (r remote[S, E]) Owned(ctx context.Context) error {
	return r.w.call(func() error { return r.Lease.Owned(ctx) })
}

func (r remote[S, E]) Release(ctx context.Context) error {
	if r.w.killed {
		return nil
	}
	return r.Lease.Release(ctx)
}

// begin makes a loop in a clone that rests in one of these ways.
func (c *clone) begin(how string) loop.State {
	c.w.Helper()
	spec := enginetest.Played("a")
	spec.Budget = loop.Amounts{Attempts: 9}
	first := loop.New(spec, noon)
	l, err := stored.LoopsOf(c.Store).Create(c.w.Context(), first, nil)
	c.w.ok(err)
	at := loop.Stamp{At: noon}
	events := enginetest.Begun(at)
	for n := 1; n <= c.attempts; n++ {
		verdict := loop.Failed
		if how == "passed" && n == c.attempts {
			verdict = loop.Passed
		}
		events = append(events, enginetest.Attempt(at, n, verdict)...)
	}
	switch how {
	case "passed":
		events = append(events, loop.Tidied{Stamp: at})
	case "aborted":
		events = append(events, loop.AbortAsked{Stamp: at}, loop.Kept{Stamp: at, Ref: "wip/x", Commit: "k"}, loop.Tidied{Stamp: at})
	case "paused":
		events = append(events, loop.PauseAsked{Stamp: at}, loop.Interrupted{Stamp: at, Why: "paused"})
	}
	c.w.ok(enginetest.Play(c.w.T, l, events...))
	c.w.ok(l.Release(c.w.Context()))
	return l.State()
}

// stands is a record of the loop, where there is one.
func stands(r engine.Stored[loop.State], err error) (s loop.State, journal int64, is bool) {
	return r.State, r.Seq, err == nil
}

func (w *world) onServer() (loop.State, int64, bool) {
	return stands(w.there.Read(context.Background(), "a"))
}

func (c *clone) here() (loop.State, int64, bool) {
	return stands(stored.LoopsOf(c.Store).Read(context.Background(), "a"))
}

// living are the stores in which the loop can continue.
func (w *world) living(clones ...*clone) (all []string) {
	if s, _, is := w.onServer(); is && engine.MovedOf(s) == nil {
		all = append(all, "server")
	}
	for _, c := range clones {
		if s, _, is := c.here(); is && engine.MovedOf(s) == nil {
			all = append(all, c.home.Machine)
		}
	}
	return all
}

// journal are the events of a record, but not "created", as their record has them.
func (w *world) journal(page func(ctx context.Context, id string, after int64) ([]engine.Event, error)) (all []string) {
	w.Helper()
	for r, err := range engine.Events(w.Context(), page, "a", 0, engine.Newest) {
		w.ok(err)
		if r.Name == (loop.Created{}).Name() {
			continue
		}
		text, err := json.Marshal([]any{r.At, r.Name, string(r.Data)})
		w.ok(err)
		all = append(all, string(text))
	}
	return all
}

func (w *world) journalThere() []string { return w.journal(w.there.Events) }

func (c *clone) journal() []string { return c.w.journal(stored.LoopsOf(c.Store).Events) }

// steer gives guidance to a loop.
func (c *clone) steer(text string) { c.commit(loop.Steered{Stamp: c.stamp(), Text: text}) }

// commit records an event of the loop at rest.
func (c *clone) commit(e loop.Event) {
	c.w.Helper()
	l, err := c.Acquire(c.w.Context(), "a", false)
	c.w.ok(err)
	next, err := loop.Apply(l.State(), e)
	c.w.ok(err)
	c.w.ok(l.Commit(c.w.Context(), next, []loop.Event{e}))
	c.w.ok(l.Release(c.w.Context()))
}
