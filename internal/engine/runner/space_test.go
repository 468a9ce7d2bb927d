package runner_test

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/runner"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/testing/enginetest"
)

// smallDisk is full at the n-th record and at each one after it, until there is room.
type smallDisk struct {
	engine.LoopLease
	n    int
	full bool
}

func (d *smallDisk) space() error {
	if d.full {
		return engine.NoSpace("/disk")
	}
	return nil
}

func (d *smallDisk) Commit(ctx context.Context, next loop.State, events []loop.Event, took ...int64) error {
	if d.n--; d.n == 0 {
		d.full = true
	}
	if err := d.space(); err != nil {
		return err
	}
	return d.LoopLease.Commit(ctx, next, events, took...)
}

func (d *smallDisk) CommitReserved(ctx context.Context, next loop.State, events []loop.Event, r engine.Reserve) (time.Duration, error) {
	if d.n--; d.n == 0 {
		d.full = true
	}
	if err := d.space(); err != nil {
		return 0, err
	}
	return d.LoopLease.CommitReserved(ctx, next, events, r)
}

// onDisk is a worker whose trees are on the disk, too.
type onDisk struct {
	scripted
	*smallDisk
}

func (w onDisk) Lacks(loop.State) error { return w.space() }

// TestWaitsForSpace fills the disk at every record of a loop, once each: the loop waits
// until there is room, ends as without it, and its journal says since when it waited.
func TestWaitsForSpace(t *testing.T) {
	t.Parallel()
	for n := 2; ; n++ { // the first record belongs to start
		disk, waits := &smallDisk{n: n}, 0
		s := enginetest.NewLoops()
		r := start(t, s, func(l engine.LoopLease) runner.Config {
			disk.LoopLease = l
			c := config(disk, onDisk{smallDisk: disk})
			c.SpaceWait = func(context.Context, error) error {
				waits, disk.full = waits+1, false
				return nil
			}
			return c
		})
		got, err := r.Run(t.Context())
		if err != nil || got.Status != loop.StatusPassed || got.Commit != "c2" || got.Iteration != 2 {
			t.Fatalf("full at record %d: %v, %s on %q after %d attempts", n, err, got.Status, got.Commit, got.Iteration)
		}
		if waits == 0 {
			if n < 10 {
				t.Errorf("the disk was filled at %d records only", n-2)
			}
			return
		}
		if gaps := gapsOf(t, s); len(gaps) != 1 || gaps[0].Cause != loop.GapDiskFull || gaps[0].Since.IsZero() {
			t.Errorf("full at record %d: the journal has the gaps %v", n, gaps)
		}
	}
}

func gapsOf(t *testing.T, s store) (gaps []loop.Gap) {
	t.Helper()
	events, err := s.Events(t.Context(), "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e, is := e.Decoded.(loop.Acquired); is && e.Gap != (loop.Gap{}) {
			gaps = append(gaps, e.Gap)
		}
	}
	return gaps
}

// TestNoSpace: a loop on a full disk ends with ErrNoSpace where nothing waits, and where
// the process is asked to stop; the record is as it was.
func TestNoSpace(t *testing.T) {
	t.Parallel()
	stops := make(chan engine.Stop, 1)
	for name, with := range map[string]func(*runner.Config){
		"nothing waits": func(*runner.Config) {},
		"stopped": func(c *runner.Config) {
			c.SpaceWait = func(ctx context.Context, _ error) error {
				stops <- engine.AfterStep
				<-ctx.Done()
				return context.Cause(ctx)
			}
			c.Drive.Stops = stops
		},
	} {
		disk := &smallDisk{n: 4}
		s := enginetest.NewLoops()
		r := start(t, s, func(l engine.LoopLease) runner.Config {
			disk.LoopLease = l
			c := config(disk, onDisk{smallDisk: disk})
			with(&c)
			return c
		})
		got, err := r.Run(t.Context())
		if !errors.Is(err, engine.ErrNoSpace) || got.Status != loop.Running {
			t.Errorf("%s: %v, %s", name, err, got.Status)
		}
		if there, err := s.Read(t.Context(), "a"); err != nil || there.State.Status != loop.Running {
			t.Errorf("%s: %v, recorded as %s", name, err, there.State.Status)
		}
	}
}

// brieflyFull is a worker on a disk that is full while the agent of the first attempt runs,
// and only then.
type brieflyFull struct {
	scripted
	seen chan struct{}
	full *atomic.Bool
	fill *sync.Once
}

func (w brieflyFull) Lacks(loop.State) error {
	if !w.full.Load() {
		return nil
	}
	select {
	case w.seen <- struct{}{}:
	default:
	}
	return engine.NoSpace("/tmp")
}

func (w brieflyFull) Do(ctx context.Context, s loop.State, a loop.Action, h *worker.Hooks) (loop.Event, error) {
	if a.Do == loop.DoAgent {
		w.fill.Do(func() { w.full.Store(true) })
	}
	if !w.full.Load() {
		return w.scripted.Do(ctx, s, a, h)
	}
	<-w.seen
	w.full.Store(false)
	return loop.AgentEnded{Outcome: loop.Outcome{End: loop.EndFailed, Message: "exit code 1"}}, nil
}

// TestADiskThatWasFull: an agent that failed has no result where a disk was full during its
// run, also where there is room when it ends: the attempt is interrupted, and not used.
func TestADiskThatWasFull(t *testing.T) {
	t.Parallel()
	w := brieflyFull{seen: make(chan struct{}, 1), full: new(atomic.Bool), fill: new(sync.Once)}
	s := enginetest.NewLoops()
	r := start(t, s, func(l engine.LoopLease) runner.Config { return config(l, w) })
	got, err := r.Run(t.Context())
	if err != nil || got.Status != loop.StatusPassed || got.Iteration != 2 {
		t.Fatalf("%v, %s after %d attempts: %s", err, got.Status, got.Iteration, got.Message)
	}
	if n := interruptions(t, s); n != 1 {
		t.Errorf("%d interruptions for lack, want 1", n)
	}
}

// interruptions are those of the loop for lack.
func interruptions(t *testing.T, s store) (n int) {
	t.Helper()
	events, err := s.Events(t.Context(), "a", 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range events {
		if e, is := e.Decoded.(loop.Interrupted); is && e.Cause == loop.CauseLack {
			n++
		}
	}
	return n
}

// goneAt is a worker whose repository is gone from its n-th action on, until it is waited for.
type goneAt struct {
	scripted
	n    *int
	gone *atomic.Bool
}

func (w goneAt) Lacks(loop.State) error {
	if w.gone.Load() {
		return engine.Unusable("/repo/.git", fs.ErrNotExist)
	}
	return nil
}

func (w goneAt) Do(ctx context.Context, s loop.State, a loop.Action, h *worker.Hooks) (loop.Event, error) {
	if *w.n--; *w.n == 0 {
		w.gone.Store(true)
		return nil, errors.New("not a git repository")
	}
	return w.scripted.Do(ctx, s, a, h)
}

// TestWaitsForADirectory lets a directory go at every action of a loop, once each: the loop
// waits until it is there, and ends as without that.
func TestWaitsForADirectory(t *testing.T) {
	t.Parallel()
	for n := 1; ; n++ {
		left, waits := n, 0
		w := goneAt{n: &left, gone: new(atomic.Bool)}
		s := enginetest.NewLoops()
		r := start(t, s, func(l engine.LoopLease) runner.Config {
			c := config(l, w)
			c.SpaceWait = func(context.Context, error) error {
				waits++
				w.gone.Store(false)
				return nil
			}
			return c
		})
		got, err := r.Run(t.Context())
		if err != nil || got.Status != loop.StatusPassed || got.Commit != "c2" || got.Iteration != 2 {
			t.Fatalf("gone at action %d: %v, %s on %q after %d attempts", n, err, got.Status, got.Commit, got.Iteration)
		}
		if waits == 0 {
			if n < 8 {
				t.Errorf("it was gone at %d actions only", n-1)
			}
			return
		}
		if gaps := gapsOf(t, s); len(gaps) != 1 || gaps[0].Cause != loop.GapUnusable || gaps[0].Since.IsZero() {
			t.Errorf("gone at action %d: the journal has the gaps %v", n, gaps)
		}
	}
}
