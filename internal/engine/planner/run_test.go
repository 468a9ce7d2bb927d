package planner

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/enginetest"
	"ralph/internal/testing/tier"
)

// loops is an engine of a test: what starting a loop comes to, by its id.
type loops struct {
	engine.Loops
	start func(ctx context.Context, id string) (loop.State, error)

	mu  sync.Mutex
	all map[string]engine.Loop
	// sent are the commands that found their loop.
	sent []engine.Command
}

func (l *loops) put(id string, change func(*engine.Loop)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one := l.all[id]
	one.State.ID = id
	change(&one)
	l.all[id] = one
}

func (l *loops) Start(ctx context.Context, s loop.Spec, _ engine.Options, _ engine.Drive) (loop.State, error) {
	return l.start(ctx, s.ID)
}

func (l *loops) Resume(ctx context.Context, id string, _ engine.Options, _ engine.Drive) (loop.State, error) {
	return l.start(ctx, id)
}

func (l *loops) Show(_ context.Context, id string) (engine.Loop, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	one, ok := l.all[id]
	if !ok {
		return one, engine.ErrNotFound
	}
	return one, nil
}

func (l *loops) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	one, err := l.Show(ctx, id)
	if err != nil {
		return one.State, err
	}
	switch {
	case one.State.Status.Terminal():
		return one.State, engine.ErrEnded
	case c.Kind == engine.Answer && one.State.Open() == nil:
		return one.State, &journal.RefusedError{Why: "no question is open"}
	case c.Kind == engine.Abort:
		l.put(id, func(o *engine.Loop) { o.State.Status = loop.Aborted })
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, c)
	return l.all[id].State, nil
}

// desk is a planner with a plan of one task whose loops are the test's.
type desk struct {
	*Planner
	loops *loops
	spec  engine.PlanSpec
}

func newDesk(t *testing.T) desk {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "plan.json")
	must(t, os.WriteFile(file, []byte(`{"tasks": [{"id": "a", "title": "a", "dependencies": []}]}`), 0o600))
	env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-qm", "first"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	repo, err := git.OpenEnv(t.Context(), dir, env)
	must(t, err)
	head, err := repo.Head(t.Context())
	must(t, err)
	memory := enginetest.NewPlans()
	folder := func(id string) string { return filepath.Join(repo.CommonDir, "ralph", "plans", id) }
	l := &loops{all: map[string]engine.Loop{}}
	worker := func(string) *worker.Worker { return &worker.Worker{Repo: repo, TreeRoot: filepath.Join(dir, "trees")} }
	return desk{
		Planner: &Planner{Loops: l, Store: memory, Approvals: memory, Dir: folder, Repo: repo, Now: time.Now, By: "test", NewWorker: worker},
		loops:   l,
		spec:    engine.PlanSpec{ID: "p", File: file, Base: head.Commit, Rules: plan.Rules{Parallel: 2, PerTask: 2}},
	}
}

// post puts a command into the plan's inbox, as somebody does who saw its owner.
func (d desk) left(t *testing.T, c engine.Command) {
	t.Helper()
	must(t, d.Store.Send(t.Context(), d.spec.ID, c.Message()))
}

// run runs the plan, and gives up on one that does not come to rest.
func (d desk) run(t *testing.T, drive engine.Drive) plan.State {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), tier.Hang)
	defer cancel()
	s, err := d.Start(ctx, d.spec, engine.Options{}, drive)
	must(t, err)
	return s
}

func (d desk) unheard(t *testing.T) bool {
	t.Helper()
	waits, err := d.Store.Unread(t.Context(), d.spec.ID)
	must(t, err)
	return waits
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// asks is a loop that waits for a person's answer.
func (l *loops) asks(_ context.Context, id string) (loop.State, error) {
	s := loop.State{Spec: loop.Spec{ID: id}, Status: loop.Waiting, Reason: loop.ForHuman, Message: "Which?"}
	s.Questions = []loop.Question{{ID: "q1", Text: "Which?", Default: "this", AskedAt: time.Now().Add(-time.Hour)}}
	l.put(id, func(o *engine.Loop) { o.State = s })
	return s, nil
}

// TestSentWhileAPlanComesToRest: what reaches a run that does not look any more is
// carried out.
func TestSentWhileAPlanComesToRest(t *testing.T) {
	t.Parallel()
	for kind, want := range map[engine.CommandKind]loop.Status{engine.Abort: loop.Aborted, engine.Pause: loop.Paused} {
		for _, point := range []string{"after:" + plan.Rested{}.Name(), "before:release"} {
			t.Run(string(kind)+" "+point, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t)
				d.loops.start = d.loops.asks
				said := false
				d.Fault = func(at string) {
					if at == point && !said {
						said = true
						d.left(t, engine.Command{Kind: kind, By: "test"})
					}
				}
				if s := d.run(t, engine.Drive{}); s.Status != want || !said || d.unheard(t) {
					t.Errorf("%s/%s %s, unheard %v", s.Status, s.Reason, s.Message, d.unheard(t))
				}
			})
		}
	}
}

// TestRecheckOfARestingPlan: a process that answers a loop is told that the process of
// the plan has released, before or after it was asked to look, and continues the plan.
func TestRecheckOfARestingPlan(t *testing.T) {
	t.Parallel()
	recheck := engine.Command{Kind: engine.Recheck, By: "test"}
	d := newDesk(t)
	d.loops.start = d.loops.asks
	d.run(t, engine.Drive{})
	if _, err := d.Send(t.Context(), d.spec.ID, recheck); !errors.Is(err, engine.ErrNotRunning) {
		t.Errorf("a plan at rest: %v", err)
	}
	lease, err := d.Store.Acquire(t.Context(), d.spec.ID, nil, false)
	must(t, err)
	d.Store = releasing{d.Store, func() { must(t, lease.Release(t.Context())) }}
	if _, err := d.Send(t.Context(), d.spec.ID, recheck); !errors.Is(err, engine.ErrNotRunning) || d.unheard(t) {
		t.Errorf("a plan that is released while it is asked: %v", err)
	}
}

// releasing is a store in which the owner of a plan releases it before a message arrives.
type releasing struct {
	engine.PlanStore
	release func()
}

func (r releasing) Send(ctx context.Context, id string, m journal.Message) error {
	r.release()
	return r.PlanStore.Send(ctx, id, m)
}

// TestSentBehindACommand: who carries out a command holds the plan for a moment, and
// runs nothing; what reaches it then is carried out too.
func TestSentBehindACommand(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.loops.start = d.loops.asks
	d.run(t, engine.Drive{})
	lease, err := d.Store.Acquire(t.Context(), d.spec.ID, nil, false)
	must(t, err)
	_, err = d.Send(t.Context(), d.spec.ID, engine.Command{Kind: engine.Abort, By: "test"})
	must(t, err)
	if !d.unheard(t) {
		t.Fatal("it was not left to whoever holds the plan")
	}
	must(t, d.release(t.Context(), lease))
	rec, err := d.Store.Read(t.Context(), d.spec.ID)
	if must(t, err); rec.State.Status != loop.Aborted || d.unheard(t) {
		t.Errorf("%s, unheard %v", rec.State.Status, d.unheard(t))
	}
}

// TestAPlanEndedBeforeItsLoopIsThere: a task that waits for its place, or whose loop
// is just being recorded, is not worked on any more.
func TestAPlanEndedBeforeItsLoopIsThere(t *testing.T) {
	t.Parallel()
	abort := engine.Command{Kind: engine.Abort, By: "test"}
	t.Run("for want of a place", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		var once sync.Once
		d.loops.start = func(context.Context, string) (loop.State, error) {
			once.Do(func() { d.left(t, abort) })
			return loop.State{}, &engine.AdmissionError{Err: engine.ErrNotNow}
		}
		if s := d.run(t, engine.Drive{}); s.Status != loop.Aborted {
			t.Errorf("%s", s.Status)
		}
	})
	t.Run("about to be recorded", func(t *testing.T) {
		t.Parallel()
		d := newDesk(t)
		aborted := make(chan struct{})
		d.Fault = func(at string) {
			if at == "after:"+(plan.AbortAsked{}).Name() {
				close(aborted)
			}
		}
		d.loops.start = func(ctx context.Context, id string) (loop.State, error) {
			d.left(t, abort)
			select {
			case <-aborted:
			case <-ctx.Done():
			}
			d.loops.put(id, func(o *engine.Loop) { o.State.Status, o.Live = loop.Running, true })
			for { // its agent works until it is told
				select {
				case <-ctx.Done():
					return loop.State{}, context.Cause(ctx)
				case <-time.After(time.Millisecond):
				}
				if l, err := d.loops.Show(ctx, id); err != nil || l.State.Status.Terminal() {
					return l.State, err
				}
			}
		}
		if s := d.run(t, engine.Drive{}); s.Status != loop.Aborted || len(d.loops.sent) == 0 {
			t.Errorf("%s, sent %v", s.Status, d.loops.sent)
		}
	})
}

// TestAPersonIsFaster: a question whose time is over, and that a person answers at
// this moment, ends no run.
func TestAPersonIsFaster(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.spec.Unattended = engine.Unattended{Policy: takeDefault, After: time.Minute}
	answered := false
	d.loops.start = func(ctx context.Context, id string) (loop.State, error) {
		if answered {
			return loop.State{Spec: loop.Spec{ID: id}, Status: loop.Paused}, nil
		}
		return d.loops.asks(ctx, id)
	}
	d.Loops = faster{d.loops, func(id string) {
		answered = true
		d.loops.put(id, func(o *engine.Loop) { o.State.Questions[0].Answered = true; o.State.Status = loop.Paused })
	}}
	if s := d.run(t, engine.Drive{}); s.Status != loop.Paused {
		t.Errorf("%s/%s %s", s.Status, s.Reason, s.Message)
	}
}

// faster lets a person answer before a command arrives.
type faster struct {
	*loops
	answer func(id string)
}

func (f faster) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	f.answer(id)
	return f.loops.Send(ctx, id, c)
}

// TestSteeringIsNotGoingOn: who steers a loop that a person has paused holds it for a
// moment; the plan does not take that for going on with it.
func TestSteeringIsNotGoingOn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.loops.put("l", func(o *engine.Loop) { o.State.Status, o.Live = loop.Paused, true })
	if goes, err := d.continues(t.Context(), restingRun{id: "l", why: loop.Reason(loop.Paused)}); goes || err != nil {
		t.Errorf("it goes on: %v", err)
	}
	d.loops.put("l", func(o *engine.Loop) { o.State.Status = loop.Running })
	if goes, err := d.continues(t.Context(), restingRun{id: "l", why: loop.Reason(loop.Paused)}); !goes || err != nil {
		t.Errorf("it does not go on: %v", err)
	}
}

// TestTheFileChangesUnderAProof: what is reported of a plan that has more to do by now
// decides nothing, and ends no run. The loop that looked is ended.
func TestTheFileChangesUnderAProof(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	const task = `{"id": "a", "title": "a", "dependencies": [], "commands": ["true"]}`
	grown := `{"tasks": [` + task + `, {"id": "b", "title": "b", "dependencies": []}]}`
	must(t, os.WriteFile(d.spec.File, []byte(`{"tasks": [`+task+`]}`), 0o600))
	final := ""
	d.spec.Commands = map[string]loop.Gate{"true": {Name: "g", Level: loop.Hard, Run: "true"}}
	d.loops.start = func(ctx context.Context, id string) (loop.State, error) {
		if final == "" && id == loopID("p", "final", "", 1) {
			final = id
			d.loops.put(id, func(o *engine.Loop) { o.State.Status, o.Live = loop.Running, true })
			must(t, os.WriteFile(d.spec.File, []byte(grown), 0o600))
			for { // it looks until it is ended
				if l, err := d.loops.Show(ctx, id); err != nil || l.State.Status.Terminal() {
					return l.State, err
				}
				select {
				case <-ctx.Done():
					return loop.State{}, context.Cause(ctx)
				case <-time.After(time.Millisecond):
				}
			}
		}
		s := loop.State{Spec: loop.Spec{ID: id}, Status: loop.StatusPassed, Commit: d.spec.Base}
		d.loops.put(id, func(o *engine.Loop) { o.State = s })
		return s, nil
	}
	s := d.run(t, engine.Drive{})
	if final == "" || s.Status != loop.StatusPassed || len(s.Tasks) != 2 {
		t.Errorf("final %q: %s/%s %s, %d tasks", final, s.Status, s.Reason, s.Message, len(s.Tasks))
	}
}
