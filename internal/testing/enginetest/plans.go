package enginetest

import (
	"errors"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// PlansFixture is an engine of plans on a repository of its own.
type PlansFixture struct {
	Plans engine.Plans
	// Passes and Fails are the requests of plans with two tasks, the second of which
	// needs the first; the second passes or fails. Asks is one whose first task puts
	// a question, and Answer answers it.
	Passes, Fails, Asks engine.PlanSpec
	Answer              func(t *testing.T)
}

// RunPlans holds an engine of plans to the contract. open is called for each test.
func RunPlans(t *testing.T, open func(t *testing.T) PlansFixture) {
	for name, test := range map[string]func(*testing.T, PlansFixture){
		"an unknown plan is not found":     func(t *testing.T, f PlansFixture) { unknown(t, f.Plans) },
		"a plan is watched and recorded":   planWatched,
		"a plan continues when answered":   planContinues,
		"an ended plan is left alone":      planEnded,
		"only what passed can be accepted": planAccepted,
		"one owner drives a plan":          planOwned,
		"an abort ends a plan":             planAborted,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func startPlan(t *testing.T, f PlansFixture, spec engine.PlanSpec, d engine.Drive, want loop.Status) {
	t.Helper()
	s, err := f.Plans.Start(t.Context(), spec, engine.Options{}, d)
	if err != nil || s.Status != want {
		t.Fatalf("start: %s/%s %s, %v; want %s", s.Status, s.Reason, s.Message, err, want)
	}
}

func showPlan(t *testing.T, f PlansFixture, id string) engine.Plan {
	t.Helper()
	l, err := f.Plans.Show(t.Context(), id)
	if err != nil {
		t.Fatalf("show: %v", err)
	}
	return l
}

func planWatched(t *testing.T, f PlansFixture) {
	var seen []string
	startPlan(t, f, f.Passes, engine.Drive{Watch: func(u engine.Update) {
		if u.Plan != nil {
			seen = append(seen, u.Plan.Event.Name())
		}
	}}, loop.StatusPassed)
	l := showPlan(t, f, f.Passes.ID)
	numbered(t, f.Plans, f.Passes.ID, l.Seq)
	listed(t, f.Plans)
	all, err := f.Plans.Events(t.Context(), f.Passes.ID, 0)
	if err != nil || len(all) != len(seen) {
		t.Fatalf("%d recorded, %d watched: %v", len(all), len(seen), err)
	}
	for i, e := range all {
		if e.Name != seen[i] {
			t.Errorf("event %d is %s, watched as %s", i+1, e.Name, seen[i])
		}
	}
	if l.Live || l.Crashed || l.Spec.File != f.Passes.File || len(l.State.Tasks) != 2 {
		t.Errorf("shown as %+v", l)
	}
}

func planContinues(t *testing.T, f PlansFixture) {
	startPlan(t, f, f.Asks, engine.Drive{}, loop.Waiting)
	if l := showPlan(t, f, f.Asks.ID); l.Live || l.Crashed || l.State.Reason != loop.ForHuman {
		t.Errorf("it waits as %s, live %v, crashed %v", l.State.Reason, l.Live, l.Crashed)
	}
	f.Answer(t)
	s, err := f.Plans.Resume(t.Context(), f.Asks.ID, engine.Options{}, engine.Drive{})
	if err != nil || s.Status != loop.StatusPassed {
		t.Errorf("resumed: %s %s, %v", s.Status, s.Message, err)
	}
}

func planEnded(t *testing.T, f PlansFixture) {
	startPlan(t, f, f.Passes, engine.Drive{}, loop.StatusPassed)
	before := showPlan(t, f, f.Passes.ID).Seq
	for _, kind := range []engine.CommandKind{engine.Abort, engine.Pause, engine.Answer, engine.Steer} {
		if _, err := f.Plans.Send(t.Context(), f.Passes.ID, engine.Command{Kind: kind, Text: "x"}); err == nil {
			t.Errorf("%s was taken", kind)
		}
	}
	if now := showPlan(t, f, f.Passes.ID).Seq; now != before {
		t.Errorf("%d events were added", now-before)
	}
	if err := f.Plans.Archive(t.Context(), f.Passes.ID); err != nil {
		t.Errorf("archive: %v", err)
	}
	if l := showPlan(t, f, f.Passes.ID); !l.Archived {
		t.Error("it is not archived")
	}
	listed(t, f.Plans)
}

func planAccepted(t *testing.T, f PlansFixture) {
	startPlan(t, f, f.Fails, engine.Drive{}, loop.StatusFailed)
	if _, err := f.Plans.Accept(t.Context(), f.Fails.ID, engine.AcceptOptions{}); !errors.Is(err, engine.ErrNotPassed) {
		t.Errorf("a failed plan: %v", err)
	}
	if _, err := f.Plans.Accept(t.Context(), f.Fails.ID, engine.AcceptOptions{Partly: true, Commit: strings.Repeat("0", 40)}); !errors.Is(err, engine.ErrOtherWork) {
		t.Errorf("other work than was looked at: %v", err)
	}
	done, err := f.Plans.Accept(t.Context(), f.Fails.ID, engine.AcceptOptions{Partly: true})
	if err != nil || done.Already || done.Commit == "" {
		t.Errorf("what landed of it: %+v, %v", done, err)
	}
	if done, err = f.Plans.Accept(t.Context(), f.Fails.ID, engine.AcceptOptions{Partly: true}); err != nil || !done.Already {
		t.Errorf("once more: %+v, %v", done, err)
	}
}

func planOwned(t *testing.T, f PlansFixture) {
	tried := false
	startPlan(t, f, f.Passes, engine.Drive{Watch: func(u engine.Update) {
		if u.Plan == nil || tried {
			return
		}
		tried = true
		if l := showPlan(t, f, f.Passes.ID); !l.Live || l.Owner == "" {
			t.Errorf("live %v, owner %q", l.Live, l.Owner)
		}
		if _, err := f.Plans.Start(t.Context(), f.Passes, engine.Options{}, engine.Drive{}); !errors.Is(err, engine.ErrRunning) {
			t.Errorf("a second owner: %v", err)
		}
		if err := f.Plans.Archive(t.Context(), f.Passes.ID); !errors.Is(err, engine.ErrNotEnded) {
			t.Errorf("archive: %v", err)
		}
	}}, loop.StatusPassed)
}

func planAborted(t *testing.T, f PlansFixture) {
	startPlan(t, f, f.Asks, engine.Drive{}, loop.Waiting)
	s, err := f.Plans.Send(t.Context(), f.Asks.ID, engine.Command{Kind: engine.Abort, Text: "enough", By: "test"})
	if err != nil || s.Status != loop.Aborted {
		t.Errorf("%s, %v", s.Status, err)
	}
	if l := showPlan(t, f, f.Asks.ID); l.Live || l.State.Status != loop.Aborted {
		t.Errorf("%s, live %v", l.State.Status, l.Live)
	}
}
