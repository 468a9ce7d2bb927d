package runner_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/engine"
	"ralph/internal/engine/runner"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/testing/enginetest"
	"ralph/internal/testing/tier"
)

// scripted is a worker without git, agents and gates: the gate passes at the second
// attempt.
type scripted struct {
	runner.Worker
	// during is called while an agent runs.
	during func(ctx context.Context) error
}

func (w scripted) Do(ctx context.Context, s loop.State, a loop.Action, _ *worker.Hooks) (loop.Event, error) {
	switch a.Do {
	case loop.DoPrepare:
		return loop.Prepared{Worktree: "/w", GateTree: "/g"}, nil
	case loop.DoAgent:
		if w.during != nil {
			if err := w.during(ctx); err != nil {
				return nil, err
			}
		}
		return loop.AgentEnded{Outcome: loop.Outcome{End: loop.EndDone}}, nil
	case loop.DoCommit:
		return loop.Committed{Commit: fmt.Sprintf("c%d", a.Attempt), Changed: true, Differs: true}, nil
	case loop.DoGate:
		r := loop.Result{Gate: a.Gate.Name, Commit: a.Commit, Verdict: loop.Failed, Reason: "1 test fails"}
		if s.Iteration == 2 {
			r.Verdict, r.Reason = loop.Passed, ""
		}
		return loop.GateEnded{Result: r}, nil
	case loop.DoKeep:
		return loop.Kept{}, nil
	case loop.DoTidy:
		return loop.Tidied{}, nil
	}
	return nil, fmt.Errorf("unexpected action %v", a.Do)
}

func (scripted) Begin(context.Context, loop.State, loop.Action) (loop.AttemptBegan, error) {
	return loop.AttemptBegan{}, nil
}
func (scripted) Recover(context.Context, loop.State) (int, error) { return 0, nil }
func (scripted) Move(_ context.Context, s loop.State) (loop.Moved, bool, error) {
	return loop.Moved{Root: "/here", Worktree: s.Worktree, GateTree: s.GateTree}, s.Root != "/here", nil
}
func (scripted) LostTree(loop.State) string                             { return "" }
func (scripted) Lacks(loop.State) error                                 { return nil }
func (scripted) Consults(loop.State, loop.Action) bool                  { return false }
func (scripted) UsedIn(int) (loop.Usage, string)                        { return loop.Usage{}, "" }
func (scripted) Priced(_ loop.Agent, u loop.Usage, _ string) loop.Usage { return u }
func (scripted) Quota(loop.Agent) agent.Quota                           { return agent.Quota{} }

func (scripted) Checkpoint(context.Context, loop.State, int) (string, int, error) { return "k", 1, nil }

type store = engine.Store[loop.State, loop.Event, engine.LoopLease]

func config(l engine.LoopLease, w runner.Worker) runner.Config {
	return runner.Config{
		Lease: l, Worker: w, Owner: "test", Now: time.Now, Fault: func(string) {}, Warn: func(error) {},
		CheckpointEvery: time.Hour,
	}
}

func spec() loop.Spec {
	return loop.Spec{
		ID: "a", Task: loop.Task{ID: "a", Text: "Say hello."}, Base: "b0",
		Gates:  []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard}},
		Limits: loop.DefaultLimits(),
	}
}

// start returns the runner of a new loop.
func start(t *testing.T, s store, c func(engine.LoopLease) runner.Config) *runner.Runner {
	t.Helper()
	lease, err := s.Create(t.Context(), loop.New(spec(), time.Now().Round(0)), nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := runner.New(t.Context(), c(lease))
	if err == nil {
		err = r.Recover(t.Context(), loop.Gap{})
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestRun: a loop is driven to its end under a lease that no database granted.
func TestRun(t *testing.T) {
	t.Parallel()
	s := enginetest.NewLoops()
	r := start(t, s, func(l engine.LoopLease) runner.Config { return config(l, scripted{}) })
	got, err := r.Run(t.Context())
	if err != nil || got.Status != loop.StatusPassed || got.Commit != "c2" || got.Iteration != 2 {
		t.Fatalf("%v, %s on %q after %d attempts", err, got.Status, got.Commit, got.Iteration)
	}
	stored, err := s.Read(t.Context(), "a")
	if err != nil || stored.State.Status != loop.StatusPassed {
		t.Error(err, stored.State.Status)
	}
}

var errKilled = errors.New("killed")

// machine is a worker with a tree of its own: what its agents did is there alone.
type machine struct {
	scripted
	root string
	work *bool
}

func (m machine) Do(ctx context.Context, s loop.State, a loop.Action, h *worker.Hooks) (loop.Event, error) {
	e, err := m.scripted.Do(ctx, s, a, h)
	switch e := e.(type) {
	case loop.AgentEnded:
		*m.work = true
	case loop.Committed:
		e.Changed = *m.work
		return e, err
	}
	return e, err
}

func (m machine) Move(_ context.Context, s loop.State) (loop.Moved, bool, error) {
	return loop.Moved{Root: m.root, Worktree: s.Worktree, GateTree: s.GateTree}, m.root != s.Root, nil
}

// TestResumeAfterAnyKill ends the process before and after every record, once each; the next
// owner, on the same machine or on another one, brings the loop to the same end.
func TestResumeAfterAnyKill(t *testing.T) {
	t.Parallel()
	points := 0
	count := func(l engine.LoopLease) runner.Config {
		c := config(l, scripted{})
		c.Fault = func(string) { points++ }
		return c
	}
	if _, err := start(t, enginetest.NewLoops(), count).Run(t.Context()); err != nil || points < 20 {
		t.Fatal(err, points)
	}
	for at := 3; at <= points; at++ { // the first two belong to start
		here := machine{work: new(bool)}
		resumeAfter(t, at, here, here)
		resumeAfter(t, at, here, machine{root: "/there", work: new(bool)})
	}
}

// resumeAfter kills a process of one machine at a point, and lets another one continue.
func resumeAfter(t *testing.T, at int, one, other machine) {
	t.Helper()
	s := enginetest.NewLoops()
	killedAt(t, s, at, one)
	lease, err := s.Acquire(t.Context(), "a", nil, true)
	if err != nil {
		t.Fatal(err)
	}
	if lease.State().Status.Terminal() {
		return
	}
	r, err := runner.New(t.Context(), config(lease, other))
	if err == nil {
		err = r.Recover(t.Context(), loop.Gap{})
	}
	if err == nil {
		err = r.MoveHere(t.Context())
	}
	if err == nil {
		err = r.ApplyOptions(t.Context(), engine.Options{}, nil)
	}
	if err != nil {
		t.Fatalf("killed at point %d: %v", at, err)
	}
	got, err := r.Run(t.Context())
	if err != nil || got.Status != loop.StatusPassed || got.Iteration != 2 {
		t.Errorf("killed at point %d: %v, %s after %d attempts", at, err, got.Status, got.Iteration)
	}
	for _, a := range got.Recent {
		if !a.Changed {
			t.Errorf("killed at point %d, continued at %q: attempt %d counts as one without a change", at, other.root, a.N)
		}
	}
}

func killedAt(t *testing.T, s store, at int, w runner.Worker) {
	t.Helper()
	n := 0
	killed := func(l engine.LoopLease) runner.Config {
		c := config(l, w)
		c.Fault = func(string) {
			if n++; n == at {
				panic(errKilled)
			}
		}
		return c
	}
	defer func() {
		if e := recover(); e != nil && e != errKilled { //nolint:errorlint // the very value that was panicked with
			panic(e)
		}
	}()
	_, _ = start(t, s, killed).Run(t.Context())
}

// TestTakenOver: an owner whose loop was taken over ends its agent and records
// nothing more.
func TestTakenOver(t *testing.T) {
	t.Parallel()
	s := enginetest.NewLoops()
	var after engine.LoopLease
	w := scripted{during: func(ctx context.Context) error {
		var err error
		if after, err = s.Acquire(ctx, "a", nil, true); err != nil {
			return err
		}
		return cutOff(ctx)
	}}
	r := start(t, s, func(l engine.LoopLease) runner.Config { return config(l, w) })
	if _, err := r.Run(t.Context()); !errors.Is(err, engine.ErrFenced) {
		t.Error(err)
	}
	if got := after.State(); got.Step != loop.StepAgent || !got.Began {
		t.Errorf("%s: %s, begun: %t", got.Status, got.Step, got.Began)
	}
}

// cutOff waits until a step is ended.
func cutOff(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(tier.Hang):
		return errors.New("the agent was not ended")
	}
}

// TestCommands: a pause that cannot wait and an abort end the agent at once, and are
// recorded with their messages.
func TestCommands(t *testing.T) {
	t.Parallel()
	for kind, want := range map[engine.CommandKind]loop.Status{engine.PauseNow: loop.Paused, engine.Abort: loop.Aborted} {
		s := enginetest.NewLoops()
		w := scripted{during: func(ctx context.Context) error {
			c := engine.Command{Kind: kind, By: "test"}
			if err := s.Send(ctx, "a", c.Message()); err != nil {
				return err
			}
			return cutOff(ctx)
		}}
		r := start(t, s, func(l engine.LoopLease) runner.Config { return config(l, w) })
		got, err := r.Run(t.Context())
		if err != nil || got.Status != want {
			t.Errorf("%v: %v, %s", kind, err, got.Status)
		}
		if waits, err := s.Unread(t.Context(), "a"); err != nil || waits {
			t.Errorf("%v: %v, the message still waits: %t", kind, err, waits)
		}
	}
}
