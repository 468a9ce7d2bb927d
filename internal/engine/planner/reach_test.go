package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// remote is one that may be away, with the files that a team shares.
type remote struct {
	gone atomic.Bool
	// files: the files are away, and not the commits.
	files bool
}

func (r *remote) push() error {
	switch {
	case !r.gone.Load():
		return nil
	case r.files:
		return fmt.Errorf("get the files of the plan: %w", engine.ErrFiles{Err: errors.New("no such folder")})
	}
	return fmt.Errorf("push the commit that the work starts from: %w", git.ErrRemote{URL: "/there.git", Err: errors.New("git push: exit 128: fatal: no such repository")})
}

// waits is the note of a plan meanwhile.
func (r *remote) waits() string {
	if r.files {
		return "waits for the shared files: no such folder"
	}
	return "waits for the remote: git push: exit 128"
}

// remoteLoops are loops whose start needs a remote, remoteWork those whose landing does, and
// remotePlans plans whose creation does.
type (
	remoteLoops struct {
		*scripted
		*remote
	}
	remoteWork struct {
		*scripted
		*remote
	}
	remotePlans struct {
		engine.PlanStore
		*remote
	}
)

func (l remoteLoops) Start(ctx context.Context, s loop.Spec, o engine.Options, d engine.Drive) (loop.State, error) {
	if err := l.push(); err != nil {
		return loop.State{}, err
	}
	return l.scripted.Start(ctx, s, o, d)
}

func (l remoteWork) Integrate(ctx context.Context, id, commit, onto string) (engine.Integrated, error) {
	if err := l.push(); err != nil {
		return engine.Integrated{}, err
	}
	return l.scripted.Integrate(ctx, id, commit, onto)
}

func (p remotePlans) Create(ctx context.Context, first plan.State, spec []byte) (engine.PlanLease, error) {
	if err := p.push(); err != nil {
		return nil, err
	}
	return p.PlanStore.Create(ctx, first, spec)
}

// cutOff is a crew whose remote is away when a loop, or the plan in a task's place, is to begin.
type cutOff struct {
	crew
	*remote
	worker *Planner
	// waiting is the plan that waits for the remote, loops how many there are in all.
	waiting string
	loops   int
	// updated is called for each state of the plan that waits, if it is set.
	updated func(plan.State)
	// later is what the clock of the worker is ahead.
	later atomic.Int64
}

func newCutOff(t *testing.T, what string) *cutOff {
	t.Helper()
	text, loops := outerPlan, 3
	if what == "a loop" || what == "a landing" {
		text, loops = chain, 2
	}
	c := &cutOff{crew: newCrew(t, text, innerPlan, innerDoes), remote: &remote{}, loops: loops}
	c.gone.Store(true)
	what, c.files = strings.CutSuffix(what, " with files")
	c.worker, c.waiting = c.crew.worker(t), c.spec.ID
	switch what {
	case "a landing":
		c.worker.Loops = remoteWork{c.engine, c.remote}
	case "an inner plan":
		c.worker.Store = remotePlans{c.worker.Store, c.remote}
	case "a loop of an inner plan":
		c.waiting = IDOf(filepath.Join(c.root(), "sub/inner.json"))
		fallthrough
	default:
		c.worker.Loops = remoteLoops{c.engine, c.remote}
	}
	now := c.worker.Now
	c.worker.Now = func() time.Time { return now().Add(time.Duration(c.later.Load())) }
	c.ask(t, engine.Options{})
	return c
}

// drive drives the plan; once it waits for the remote something happens.
func (c *cutOff) drive(t *testing.T, happens func()) (plan.State, error) {
	t.Helper()
	var once sync.Once
	var done sync.WaitGroup
	defer done.Wait()
	return c.worker.Resume(t.Context(), c.spec.ID, engine.Options{Recovery: true}, engine.Drive{Watch: func(u engine.Update) {
		if u.Plan == nil || u.Plan.After.ID != c.waiting {
			return
		}
		if c.updated != nil {
			c.updated(u.Plan.After)
		}
		if strings.Contains(u.Plan.After.Note, c.waits()) {
			once.Do(func() { done.Go(happens) })
		}
	}})
}

// continues drives the plan to its end with the remote.
func (c *cutOff) continues(t *testing.T) {
	t.Helper()
	c.gone.Store(false)
	got, err := c.drive(t, func() {})
	c.passed(t, got, err)
}

// passed: the plan passed, each loop began once, and no task failed.
func (c *cutOff) passed(t *testing.T, got plan.State, err error) {
	t.Helper()
	if must(t, err); got.Status != loop.StatusPassed || len(c.engine.order) != c.loops || strings.Contains(got.Note, c.remote.waits()) {
		t.Errorf("%s %s: %s, loops %s, note %q", got.Status, got.Message, statuses(got), c.began(), got.Note)
	}
	for _, task := range got.Tasks {
		if task.Fails > 0 {
			t.Errorf("task %s failed: %s", task.ID, task.Message)
		}
	}
}

// TestRemoteAway: a plan waits for a remote, or for shared files, that are away when a loop, or a
// plan in a task's place, is to begin, and tells so. It continues when the remote is back, is paused and aborted
// meanwhile, and is left to other workers after a while.
func TestRemoteAway(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"a loop", "an inner plan", "a loop of an inner plan", "an inner plan with files"} {
		t.Run(what+" begins when it is back", func(t *testing.T) {
			t.Parallel()
			c := newCutOff(t, what)
			got, err := c.drive(t, func() { c.gone.Store(false) })
			c.passed(t, got, err)
		})
		t.Run(what+" is paused", func(t *testing.T) {
			t.Parallel()
			c := newCutOff(t, what)
			got, err := c.drive(t, func() {
				if _, err := c.user.Send(t.Context(), c.spec.ID, engine.Command{Kind: engine.Pause, By: "test"}); err != nil {
					t.Error(err)
				}
			})
			if must(t, err); got.Status != loop.Paused {
				t.Fatalf("%s %s: %s", got.Status, got.Message, statuses(got))
			}
			_, err = c.user.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
			must(t, err)
			c.continues(t)
		})
		t.Run(what+" is aborted", func(t *testing.T) {
			t.Parallel()
			c := newCutOff(t, what)
			got, err := c.drive(t, func() {
				if _, err := c.user.Send(t.Context(), c.spec.ID, engine.Command{Kind: engine.Abort, By: "test", Text: "enough"}); err != nil {
					t.Error(err)
				}
			})
			if must(t, err); got.Status != loop.Aborted || len(c.engine.order) > 0 {
				t.Errorf("%s %s: %s, loops %s", got.Status, got.Message, statuses(got), c.began())
			}
		})
		t.Run(what+" is left to others", func(t *testing.T) {
			t.Parallel()
			c := newCutOff(t, what)
			_, err := c.drive(t, func() { c.later.Store(int64(engine.RemotePatience)) })
			if !isUnreached(err) {
				t.Errorf("it ends with %v", err)
			}
			if r, err := c.server.Read(t.Context(), c.waiting); err != nil || r.Live || r.State.Status != loop.Running || !strings.Contains(r.State.Note, c.waits()) {
				t.Errorf("recorded as %s, live %v, note %q, %v", r.State.Status, r.Live, r.State.Note, err)
			}
			c.continues(t)
		})
	}
}

// TestRemoteAwayAtALanding: a landing that needs the remote waits for it, also where the plan
// is to pause, and fails no task.
func TestRemoteAwayAtALanding(t *testing.T) {
	t.Parallel()
	c := newCutOff(t, "a landing")
	c.updated = func(s plan.State) {
		if s.PauseAsked {
			c.gone.Store(false)
		}
	}
	got, err := c.drive(t, func() {
		if _, err := c.user.Send(t.Context(), c.spec.ID, engine.Command{Kind: engine.Pause, By: "test"}); err != nil {
			t.Error(err)
		}
	})
	if must(t, err); got.Status != loop.Paused || statuses(got) != "a=done b=done" {
		t.Errorf("%s %s: %s", got.Status, got.Message, statuses(got))
	}
	_, err = c.user.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{})
	must(t, err)
	c.continues(t)
}

// TestPausedBeforeItBegan: what was paused before it began does not continue by itself.
func TestPausedBeforeItBegan(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", chain, nil)
	for _, child := range []bool{false, true} {
		if goes, err := s.continues(t.Context(), restingRun{task: "a", id: "none", child: child}); goes || err != nil {
			t.Errorf("child %v: continues %v, %v", child, goes, err)
		}
	}
}
