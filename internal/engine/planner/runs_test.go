package planner

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestStops: a request to stop reaches the loops and pauses the plan; it continues
// where it was.
func TestStops(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", chain, map[string]work{"a": passes("a.txt", "A"), "b": passes("b.txt", "B")})
	stops := make(chan engine.Stop, 1)
	s.Fault = func(point string) {
		if point == "before:"+(plan.Started{}).Name() && len(stops) == 0 {
			stops <- engine.AfterStep
			s.Fault = nil
		}
	}
	got := s.run(t, engine.Drive{Stops: stops})
	if got.Status != loop.Paused && got.Status != loop.StatusPassed {
		t.Fatalf("%s/%s", got.Status, got.Reason)
	}
	if got.Status == loop.StatusPassed {
		return // the stop came when everything was done
	}
	got, err := s.Resume(t.Context(), s.spec.ID, engine.Options{}, engine.Drive{})
	if must(t, err); got.Status != loop.StatusPassed {
		t.Errorf("resumed: %s %s", got.Status, got.Message)
	}
}

// TestCommandsWithoutARun: what is sent to a plan that no process runs is carried
// out at once, or refused.
func TestCommandsWithoutARun(t *testing.T) {
	t.Parallel()
	rests := map[string]work{"a": {status: loop.StatusPassed, asks: "Which?"}}
	for _, c := range []struct {
		name    string
		does    map[string]work
		command engine.Command
		want    loop.Status
		refused bool
		loop    loop.Status
	}{
		{"abort ends its loops", rests, engine.Command{Kind: engine.Abort, Text: "wrong"}, loop.Aborted, false, loop.Aborted},
		{"pause", rests, engine.Command{Kind: engine.Pause}, loop.Paused, false, loop.Waiting},
		{"abort of one that has ended", nil, engine.Command{Kind: engine.Abort}, loop.StatusPassed, true, ""},
		{"an answer where nothing is asked", nil, engine.Command{Kind: engine.Answer, Text: "yes"}, loop.StatusPassed, true, ""},
		{"a command that means nothing to a plan", rests, engine.Command{Kind: engine.Steer, Text: "left"}, loop.Waiting, true, ""},
		{"a gap that there is not", rests, engine.Command{Kind: engine.Resolve, Text: "none"}, loop.Waiting, true, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, "plan.json", chain, c.does)
			s.run(t, engine.Drive{})
			_, err := s.Send(t.Context(), s.spec.ID, c.command)
			if (err != nil) != c.refused {
				t.Errorf("%v", err)
			}
			shown, err := s.Show(t.Context(), s.spec.ID)
			if must(t, err); shown.State.Status != c.want || shown.Live {
				t.Errorf("%s, live %v", shown.State.Status, shown.Live)
			}
			if l, _ := s.engine.Show(t.Context(), s.engine.order[0]); c.loop != "" && l.State.Status != c.loop {
				t.Errorf("its loop is %s", l.State.Status)
			}
		})
	}
	t.Run("none such", func(t *testing.T) {
		t.Parallel()
		s := newStage(t, "plan.json", chain, nil)
		if _, err := s.Send(t.Context(), "none", engine.Command{Kind: engine.Abort}); !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%v", err)
		}
	})
}

// TestHeldByAnother: a plan whose owner lives is not driven twice, and the loops of
// one that is taken over may be taken over from the same owner alone.
func TestHeldByAnother(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", two, nil)
	began, done := make(chan struct{}), make(chan struct{})
	s.Fault = func(point string) {
		if point == "after:"+(plan.Opened{}).Name() {
			close(began)
			<-done
		}
	}
	first := make(chan error, 1)
	go func() {
		_, err := s.Start(context.WithoutCancel(t.Context()), s.spec, engine.Options{}, engine.Drive{})
		first <- err
	}()
	<-began
	other := *s.Planner
	other.Fault = nil
	if _, err := other.Start(t.Context(), s.spec, engine.Options{}, engine.Drive{}); !errors.Is(err, engine.ErrRunning) {
		t.Errorf("a second run: %v", err)
	}
	if l, err := s.Show(t.Context(), s.spec.ID); err != nil || !l.Live || l.Owner == "" {
		t.Errorf("live %v, owner %q, %v", l.Live, l.Owner, err)
	}
	if got, err := other.Resume(t.Context(), s.spec.ID, engine.Options{TakeOver: true}, engine.Drive{}); err != nil || got.Status != loop.StatusPassed {
		t.Errorf("taken over: %s, %v", got.Status, err)
	}
	close(done)
	if err := <-first; !errors.Is(err, engine.ErrFenced) {
		t.Errorf("the first owner: %v", err)
	}
}

// limited is a loop that waits for a usage limit until it is told to try.
type limited struct {
	*scripted
	until time.Time
	wakes chan struct{}
}

func (l limited) Start(ctx context.Context, spec loop.Spec, o engine.Options, d engine.Drive) (loop.State, error) {
	waits := loop.State{Spec: spec, Status: loop.Waiting, Reason: loop.ForLimit, Wake: l.until, Message: "the limit is spent"}
	l.put(waits)
	d.Watch(engine.Update{After: waits, Event: loop.Held{Until: l.until}})
	select {
	case <-l.wakes:
	case <-ctx.Done():
		return waits, context.Cause(ctx)
	}
	return l.scripted.Start(ctx, spec, o, d)
}

// TestALimitIsTold: the plan records what its loop waits for, and that it continues.
func TestALimitIsTold(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", `{"tasks": [{"id": "a", "title": "do a", "dependencies": []}]}`, map[string]work{"a": passes("a.txt", "A")})
	wakes := make(chan struct{})
	s.engine.all = map[string]engine.Loop{}
	s.Loops = limited{s.engine, time.Now().Add(time.Hour), wakes}
	told := 0
	got := s.run(t, engine.Drive{Watch: func(u engine.Update) {
		if u.Plan == nil {
			return
		}
		if e, ok := u.Plan.Event.(plan.TaskWaits); ok {
			if told++; told == 1 {
				if e.Until.IsZero() || e.Why == "" {
					t.Errorf("%+v", e)
				}
				s.engine.mu.Lock()
				clear(s.engine.all) // scripted.Start records it
				s.engine.mu.Unlock()
				close(wakes)
			}
		}
	}})
	if got.Status != loop.StatusPassed || told == 0 {
		t.Errorf("%s %s, told %d times", got.Status, got.Message, told)
	}
}

// TestTaskSpec: what a plan says of a task becomes what its loop is asked for.
func TestTaskSpec(t *testing.T) {
	t.Parallel()
	s := newStage(t, "plan.json", `{"tasks": [
		{"id": "a", "title": "do a", "dependencies": [], "files": ["a.go"], "commands": ["go test ./a"], "agent": "other"},
		{"id": "q", "title": "how?", "kind": "text", "dependencies": ["a"]}]}`, map[string]work{"a": passes("a.txt", "A")})
	s.spec.Task.Limits.MaxIterations = 7
	s.spec.Agents = map[string]loop.Agent{"other": {Name: "other"}}
	s.spec.Commands = map[string]loop.Gate{"go test ./a": {Name: "x", Level: loop.Hard, Run: "go test ./a"}}
	s.run(t, engine.Drive{})
	l, err := s.engine.Show(t.Context(), loopID(s.spec.ID, "a", "", 1))
	must(t, err)
	spec := l.State.Spec
	switch {
	case spec.Parent != s.spec.ID, spec.Branch != "ralph/"+s.spec.ID+"/a", spec.Agent.Name != "other", spec.Limits.MaxIterations != 2:
		t.Errorf("%+v", spec)
	case len(spec.Gates) != 1 || spec.Gates[0].Name != "task", !strings.Contains(spec.Task.Text, "do a"):
		t.Errorf("%+v", spec)
	}
	q, err := s.engine.Show(t.Context(), loopID(s.spec.ID, "q", "", 1))
	if must(t, err); len(q.State.Gates) != 1 || q.State.Gates[0].Kind != loop.KindAnswer || q.State.Task.Plan == nil || len(q.State.Task.Plan.Done) != 1 {
		t.Errorf("%+v", q.State.Spec)
	}
}
