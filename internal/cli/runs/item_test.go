package runs

import (
	"context"
	"errors"
	"reflect"
	"testing"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
)

// paid are loops of which something is known that no record of them holds: what their budgets
// are.
type paid struct {
	project.Loops
	loops map[string]engine.Loop
	err   error
}

func (p paid) Show(_ context.Context, id string) (engine.Loop, error) {
	l, ok := p.loops[id]
	if !ok && p.err == nil {
		return l, engine.ErrNotFound
	}
	return l, p.err
}

func (paid) Budgets(context.Context, string) ([]money.Balance, error) {
	return []money.Balance{{Level: loop.TaskLevel}}, nil
}

func (paid) Budget(context.Context, loop.BudgetLevel, string) (money.Balance, bool, error) {
	return money.Balance{Level: loop.PlanLevel}, true, nil
}

func (paid) PlanSpent(context.Context, string) ([]loop.AgentSpent, error) { return nil, nil }

func passed(id string) engine.Loop {
	return engine.Loop{State: loop.State{Spec: loop.Spec{ID: id}, Status: loop.StatusPassed, Commit: "c"}}
}

// TestOfferHasTheFactsOfThePage: accept looks at the item that the page of the run shows, so
// that a fact which is read for the page reaches accept too.
func TestOfferHasTheFactsOfThePage(t *testing.T) {
	t.Parallel()
	c, _ := client()
	ctx := t.Context()
	loops := paid{loops: map[string]engine.Loop{"night-a": passed("night-a")}}
	p := &project.Project{Loops: loops}

	l := OfLoop(c, p, passed("fix"))
	page, err := Items(ctx, p, []engine.Loop{l.Now})
	if err != nil {
		t.Fatal(err)
	}
	if len(page[0].Facts.Budgets) == 0 {
		t.Fatal("the page of a loop has no fact that its record lacks")
	}
	item, err := l.Offer().Item(ctx)
	if !reflect.DeepEqual(item, Item(page[0])) || err != nil {
		t.Errorf("a loop: %+v, %v, and its page %+v", item, err, page[0])
	}

	whole := OfPlan(c, p, engine.Plan{State: plan.State{
		ID: "night", Status: loop.StatusPassed, Base: "b", Tip: "t",
		Tasks: []plan.TaskState{{ID: "a", Status: plan.Done, Loop: "night-a", Landed: "t"}, {ID: "b", Status: plan.Done, Loop: "night-b", Landed: "t"}},
	}})
	ofPlan, err := PlanItem(ctx, p, whole.Now, Proving)
	if err != nil {
		t.Fatal(err)
	}
	if len(ofPlan.Facts.Budgets) == 0 || len(ofPlan.Facts.Landed["night-a"].Facts.Budgets) == 0 {
		t.Fatalf("the page of a plan has no facts that its record lacks: %+v", ofPlan.Facts)
	}
	if l, known := ofPlan.Facts.Landed["night-b"]; !known || l.State.ID != "" {
		t.Errorf("a loop that was deleted: %+v", l)
	}
	item, err = whole.Offer().Item(ctx)
	if !reflect.DeepEqual(item, Item(ofPlan)) || err != nil {
		t.Errorf("a plan: %+v, %v, and its page %+v", item, err, ofPlan)
	}
}

// TestOfferNeedsItsLoops: the page of a plan leaves out landed loops that cannot be read, and
// accept fails.
func TestOfferNeedsItsLoops(t *testing.T) {
	t.Parallel()
	c, _ := client()
	p := &project.Project{Loops: paid{err: engine.ErrDamaged}}
	whole := OfPlan(c, p, engine.Plan{State: plan.State{
		ID: "night", Status: loop.StatusPassed, Base: "b", Tip: "t", Tasks: []plan.TaskState{{ID: "a", Status: plan.Done, Loop: "night-a", Landed: "t"}},
	}})
	if _, err := PlanItem(t.Context(), p, whole.Now, Proving); err != nil {
		t.Errorf("the page: %v", err)
	}
	if item, err := whole.Offer().Item(t.Context()); !errors.Is(err, engine.ErrDamaged) {
		t.Errorf("accept: %+v, %v", item, err)
	}
}
