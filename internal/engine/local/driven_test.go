//go:build linux

package local_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/local"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/store"
	"ralph/internal/testing/tier"
)

// hour is a clock that moves when it is told to.
type hour struct {
	sync.Mutex
	t time.Time
}

func (h *hour) now() time.Time {
	h.Lock()
	defer h.Unlock()
	return h.t
}

func (h *hour) pass(d time.Duration) {
	h.Lock()
	defer h.Unlock()
	h.t = h.t.Add(d)
}

// desk is a repository in which agents drive loops, under a clock of its own.
type desk struct {
	*local.Engine
	world
	*hour
	t     *testing.T
	store *store.Store
	hands func(dir string) *worker.Worker
}

func newDesk(t *testing.T) desk {
	t.Helper()
	w, _ := newWorld(t, scene{max: 5})
	h := &hour{t: time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)}
	repo, err := git.OpenEnv(t.Context(), w.repo(), environment())
	must(t, err)
	s, err := store.Open(t.Context(), filepath.Join(repo.CommonDir, "ralph"), store.Options{Now: h.now})
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	hands := func(string) *worker.Worker {
		return &worker.Worker{Repo: repo, TreeRoot: w.trees(), Env: environment(), Grace: 200 * time.Millisecond, Now: h.now}
	}
	return desk{local.New(s, hands, local.Options{Now: h.now}), w, h, t, s, hands}
}

// spec is a loop whose gate passes when the file ok is there.
func (d desk) spec(id string, change func(*loop.Spec)) loop.Spec {
	s := loop.Spec{
		ID: id, Task: loop.Task{Text: "do it"}, Root: d.repo(), Base: d.git(d.t, "rev-parse", "HEAD"), Limits: loop.AgentDrivenLimits(),
		Gates: []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "test -e ok", Parse: "exit"}},
	}
	if change != nil {
		change(&s)
	}
	return s
}

func (d desk) init(id string, change func(*loop.Spec)) engine.Loop {
	d.t.Helper()
	l, err := d.Init(d.t.Context(), d.spec(id, change), engine.Options{Max: 4, PerParent: 3})
	must(d.t, err)
	return l
}

func (d desk) check(id string) loop.State {
	d.t.Helper()
	l, err := d.Check(d.t.Context(), id, "")
	must(d.t, err)
	return l.State
}

func (d desk) stands(s loop.State, status loop.Status, reason loop.Reason, iteration int) {
	d.t.Helper()
	if s.Status != status || s.Reason != reason || s.Iteration != iteration {
		d.t.Fatalf("%s/%s at %d (%s), want %s/%s at %d", s.Status, s.Reason, s.Iteration, s.Message, status, reason, iteration)
	}
}

func (d desk) write(name, text string) {
	d.t.Helper()
	must(d.t, os.WriteFile(filepath.Join(d.repo(), name), []byte(text), 0o600))
}

func TestDrivenTime(t *testing.T) {
	t.Parallel()
	endless := func(s *loop.Spec) { s.Limits.MaxIterations, s.Limits.Stall = 100, 0 }
	for name, test := range map[string]func(d desk){
		"without progress it stalls, whoever looks": func(d desk) {
			d.init("a", nil)
			d.check("a")
			d.pass(5*time.Minute - 1)
			if l, err := d.Show(t.Context(), "a"); err != nil || l.Due || !l.Live {
				t.Errorf("one instant before: due %v, live %v, %v", l.Due, l.Live, err)
			}
			d.pass(1)
			l, err := d.Show(t.Context(), "a")
			must(t, err)
			if !l.Due || l.Live || l.Crashed {
				t.Errorf("due %v, live %v, crashed %v", l.Due, l.Live, l.Crashed)
			}
			d.stands(l.State, loop.Aborted, loop.Stalled, 1)
			d.write("ok", "")
			d.stands(d.check("a"), loop.Aborted, loop.Stalled, 1)
		},
		"without stall its time is up ten minutes after init": func(d desk) {
			d.init("a", endless)
			d.pass(10*time.Minute - time.Second)
			d.stands(d.check("a"), loop.Running, "", 1)
			d.pass(time.Second)
			must(t, d.RecordDue(t.Context()))
			l, err := d.Show(t.Context(), "a")
			must(t, err)
			d.stands(l.State, loop.Aborted, loop.Timeout, 1)
			if l.Due {
				t.Error("what is recorded is not due")
			}
		},
		"a pause costs no time, and holds no slot": func(d desk) {
			for _, id := range []string{"a", "b", "c", "d"} {
				d.init(id, nil)
			}
			_, err := d.Send(t.Context(), "a", engine.Command{Kind: engine.Pause})
			must(t, err)
			d.init("e", nil)
			d.pass(time.Hour)
			_, err = d.Send(t.Context(), "a", engine.Command{Kind: engine.Unpause, Max: 4})
			must(t, err)
			d.stands(d.check("a"), loop.Running, "", 1)
		},
		"going on needs a slot": func(d desk) {
			d.init("a", nil)
			_, err := d.Send(t.Context(), "a", engine.Command{Kind: engine.Pause})
			must(t, err)
			for _, id := range []string{"b", "c", "d", "e"} {
				d.init(id, nil)
			}
			_, err = d.Send(t.Context(), "a", engine.Command{Kind: engine.Unpause, Max: 4})
			if _, full := errors.AsType[*engine.AdmissionError](err); !full {
				t.Errorf("continue: %v", err)
			}
			l, err := d.Show(t.Context(), "a")
			must(t, err)
			d.stands(l.State, loop.Paused, "", 0)
		},
		"a clock that was set back a year": func(d desk) {
			d.init("a", nil)
			d.pass(-365 * 24 * time.Hour)
			d.stands(d.check("a"), loop.Running, "", 1)
			d.pass(5 * time.Minute)
			d.stands(d.check("a"), loop.Aborted, loop.Stalled, 1)
		},
		"a clock that was set forward a year": func(d desk) {
			d.init("a", nil)
			d.pass(365 * 24 * time.Hour)
			d.stands(d.check("a"), loop.Aborted, loop.Timeout, 0)
		},
		"progress begins the stall anew": func(d desk) {
			d.init("a", func(s *loop.Spec) { s.Gates[0].Run = "cat out; false" })
			for i, text := range []string{"first thing", "second thing"} {
				d.write("out", text)
				d.pass(4 * time.Minute)
				d.stands(d.check("a"), loop.Running, "", i+1)
			}
		},
		"slots of loops whose time is over are free": func(d desk) {
			for _, id := range []string{"a", "b", "c", "d"} {
				d.init(id, nil)
			}
			d.pass(5 * time.Minute)
			d.init("e", nil)
			totals, err := d.store.Entries(t.Context(), store.Filter{Active: true})
			must(t, err)
			if len(totals) != 1 {
				t.Errorf("%d loops are active", len(totals))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			d.t = t
			test(d)
		})
	}
}

func TestDrivenEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.init("a", nil)
	d.stands(d.check("a"), loop.Running, "", 1)
	d.write("ok", "")
	s := d.check("a")
	d.stands(s, loop.StatusPassed, loop.Green, 2)
	if a := s.Last(); a.Tree == "" || a.Results[0].Tree != a.Tree || a.Results[0].Clean {
		t.Errorf("the evidence names tree %q of %q, clean %v", a.Results[0].Tree, a.Tree, a.Results[0].Clean)
	}
	must(t, os.Remove(filepath.Join(d.repo(), "ok")))
	d.stands(d.check("a"), loop.StatusPassed, loop.Green, 2)
	for _, k := range []engine.CommandKind{engine.Pause, engine.Abort, engine.Steer} {
		if _, err := d.Send(t.Context(), "a", engine.Command{Kind: k}); !errors.Is(err, engine.ErrEnded) {
			t.Errorf("%s of an ended loop: %v", k, err)
		}
	}
	if _, err := d.Resume(t.Context(), "a", engine.Options{}, engine.Drive{}); err == nil {
		t.Error("somebody resumed what an agent drives")
	}
	if _, err := d.Resume(t.Context(), "a", engine.Options{TakeOver: true}, engine.Drive{}); err == nil {
		t.Error("somebody took over what an agent drives")
	}
	must(t, d.Archive(t.Context(), "a"))
	if l, err := d.Check(t.Context(), "a", ""); err != nil || l.State.Status != loop.StatusPassed {
		t.Errorf("an archived loop answers %s, %v", l.State.Status, err)
	}
}

func TestConfirmConsumesNoAttempt(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.init("a", func(s *loop.Spec) { s.Limits.ConfirmPasses, s.Limits.MaxIterations = 3, 1 })
	d.write("ok", "")
	d.stands(d.check("a"), loop.StatusPassed, loop.Green, 1)
	d.init("b", func(s *loop.Spec) {
		s.Limits.ConfirmPasses = 2
		s.Gates[0].Run = "test ! -e .git/twice && : > .git/twice" // passes once
	})
	d.stands(d.check("b"), loop.Running, "", 1)
}

// TestACheckThatIsCutOffHasNotHappened: neither a cancelled one nor one that
// somebody overtook counts.
func TestACheckThatIsCutOffHasNotHappened(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.init("a", func(s *loop.Spec) { s.Gates[0].Run = ": > .git/began; sleep 60" })
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error, 1)
	go func() {
		_, err := d.Check(ctx, "a", "")
		over <- err
	}()
	tier.Eventually(t, "the gate", func() bool { _, err := os.Stat(filepath.Join(d.repo(), ".git", "began")); return err == nil })
	cancel()
	if err := <-over; err == nil {
		t.Error("a check that was cut off answered")
	}
	l, err := d.Show(t.Context(), "a")
	must(t, err)
	d.stands(l.State, loop.Running, "", 0)
}

func TestAbortOvertakesACheck(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.init("a", func(s *loop.Spec) {
		s.Gates[0].Run = ": > .git/began; while ! test -e .git/go; do sleep 0.01; done"
	})
	over := make(chan loop.State, 1)
	go func() {
		l, err := d.Check(context.WithoutCancel(t.Context()), "a", "")
		if err != nil {
			t.Errorf("check: %v", err)
		}
		over <- l.State
	}()
	tier.Eventually(t, "the gate", func() bool { _, err := os.Stat(filepath.Join(d.repo(), ".git", "began")); return err == nil })
	_, err := d.Send(t.Context(), "a", engine.Command{Kind: engine.Abort, Text: "enough"})
	must(t, err)
	must(t, os.WriteFile(filepath.Join(d.repo(), ".git", "go"), nil, 0o600))
	d.stands(<-over, loop.Aborted, loop.Manual, 0)
}

// TestChecksQueue: while one check stands still, others wait for the loop's
// time and not longer.
func TestChecksQueue(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.init("a", nil)
	done, turn, err := d.store.Queue(t.Context(), "a", time.Second)
	if err != nil || !turn {
		t.Fatalf("queue: %v, %v", turn, err)
	}
	defer done()
	over := make(chan loop.State, 1)
	go func() { over <- d.check("a") }()
	if _, turn, err := d.store.Queue(t.Context(), "a", time.Millisecond); err != nil || turn {
		t.Errorf("a second check had its turn: %v, %v", turn, err)
	}
	d.pass(time.Hour)
	d.stands(<-over, loop.Aborted, loop.Timeout, 0)
}

// TestTheTreeIsTheCallers: the tree is that which is asked
// from, and no other repository.
func TestTheTreeIsTheCallers(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	tree := filepath.Join(d.home, "linked")
	d.git(t, "worktree", "add", "-q", tree)
	d.init("a", nil)
	must(t, os.WriteFile(filepath.Join(tree, "ok"), nil, 0o600))
	d.stands(d.check("a"), loop.Running, "", 1)
	must(t, os.Mkdir(filepath.Join(tree, "sub"), 0o700))
	l, err := d.Check(t.Context(), "a", filepath.Join(tree, "sub"))
	must(t, err)
	d.stands(l.State, loop.StatusPassed, loop.Green, 2)
	d.init("b", nil)
	if _, err := d.Check(t.Context(), "b", t.TempDir()); err == nil {
		t.Error("a folder of no repository was checked")
	}
}
