package team

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// resumed are loops whose lease another process has, or that this one drives to their end.
type resumed struct {
	engine.Loops
	refused error
}

func (r resumed) Resume(_ context.Context, _ string, _ engine.Options, d engine.Drive) (loop.State, error) {
	return loop.State{Status: loop.StatusPassed}, driven(r.refused, d)
}

// resumedPlans is resumed for plans.
type resumedPlans struct {
	engine.Plans
	refused error
}

func (r resumedPlans) Resume(_ context.Context, _ string, _ engine.Options, d engine.Drive) (plan.State, error) {
	return plan.State{Status: loop.StatusPassed}, driven(r.refused, d)
}

func driven(refused error, d engine.Drive) error {
	if refused == nil && d.Watch != nil {
		d.Watch(engine.Update{})
		d.Watch(engine.Update{})
	}
	return refused
}

// TestTakenOnceHeld: a worker says that it has taken a run once it has it, and not of one that
// another worker got, or that has no place yet.
func TestTakenOnceHeld(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		refused error
		want    []string
	}{
		{nil, []string{"a: taken", "a: passed"}},
		{engine.ErrRunning, []string{"a: another worker has it"}},
		{engine.ErrNoPlace, []string{"a: waits: " + engine.ErrNoPlace.Error()}},
	} {
		for kind, take := range map[string]func(*Worker){
			"loop": func(w *Worker) { w.take(t.Context(), loop.State{Spec: loop.Spec{ID: "a"}}) },
			"plan": func(w *Worker) { w.takePlan(t.Context(), plan.State{ID: "a"}) },
		} {
			var mu sync.Mutex
			var said []string
			w := Worker{
				Loops: resumed{refused: c.refused}, Usable: func(context.Context, loop.State) error { return nil },
				Plans: PlanWork{Plans: resumedPlans{refused: c.refused}, Usable: func(context.Context, plan.State) error { return nil }},
				Say: func(format string, args ...any) {
					mu.Lock()
					defer mu.Unlock()
					said = append(said, fmt.Sprintf(format, args...))
				},
			}
			w.begin()
			take(&w)
			w.jobs.Wait()
			if !slices.Equal(said, c.want) {
				t.Errorf("a %s, refused with %v: %q, want %q", kind, c.refused, said, c.want)
			}
		}
	}
}

// outerPlan is a plan that has one in the place of a task, and ends when it is let.
type outerPlan struct {
	engine.Plans
	begun, end chan struct{}
}

func (o outerPlan) Resume(_ context.Context, id string, _ engine.Options, d engine.Drive) (plan.State, error) {
	defer d.Drives(id)()
	for _, inner := range []string{"-a", "-b"} {
		defer d.Drives(id + inner)()
	}
	o.begun <- struct{}{}
	<-o.end
	return plan.State{Status: loop.StatusPassed}, nil
}

// TestInnerPlansCount: the plans in tasks' places that a worker drives count as plans of its,
// and with eight in all it takes no other one.
func TestInnerPlansCount(t *testing.T) {
	t.Parallel()
	all := outerPlan{begun: make(chan struct{}), end: make(chan struct{})}
	w := Worker{
		Plans: PlanWork{Plans: all, Usable: func(context.Context, plan.State) error { return nil }},
		Say:   func(string, ...any) {},
	}
	w.begin()
	wants := func(id string) bool {
		t.Helper()
		wanted, err := w.wantedPlan(t.Context(), engine.Stored[plan.State]{State: plan.Begin(id, "f", "", "", "", plan.Rules{}), Spec: []byte(`{"id": "` + id + `"}`)})
		ok(t, err)
		return wanted
	}
	for n, id := range []string{"p", "q", "r"} {
		if _, plans := w.Load(); plans != 3*n || !wants(id) {
			t.Errorf("%d plans, and %s is left alone", plans, id)
		}
		w.takePlan(t.Context(), plan.State{ID: id})
		<-all.begun
	}
	if _, plans := w.Load(); plans != 9 || wants("s") || wants("p-a") {
		t.Errorf("%d plans, and it takes another one", plans)
	}
	close(all.end)
	w.jobs.Wait()
	if _, plans := w.Load(); plans != 0 || !wants("s") {
		t.Errorf("%d plans at the end", plans)
	}
}
