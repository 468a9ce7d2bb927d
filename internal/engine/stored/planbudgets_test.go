package stored_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
	"ralph/internal/shelf"
	"ralph/internal/testing/enginetest"
	"ralph/internal/testing/shelftest"
)

// paid is a plan "p" in the place of a task of "outer", whose budgets machines share.
type paid struct {
	t       *testing.T
	loops   server
	plans   planServer
	shelves map[string]*shelftest.Memory
	*stored.PlanBudgets
}

func newPaid(t *testing.T) paid {
	t.Helper()
	p := paid{t: t, loops: server{enginetest.NewLoops()}, plans: planServer{enginetest.NewPlans()}, shelves: map[string]*shelftest.Memory{"p": {}, "outer": {}}}
	p.PlanBudgets = &stored.PlanBudgets{
		Shelf: func(plan string) shelf.Shelf { return p.shelves[plan] },
		Loops: p.loops, Plans: p.plans, Now: func() time.Time { return noon.Add(time.Minute) },
	}
	spec, err := json.Marshal(engine.PlanSpec{ID: "p", File: "x.md", Ancestors: []string{"outer"}})
	ok(t, err)
	l, err := p.plans.Create(t.Context(), plan.Begin("p", "x.md", "", "ralph/p/_landed", "base", plan.Rules{}), spec)
	ok(t, err)
	ok(t, l.Release(t.Context()))
	return p
}

func (p paid) machine() stored.Shared {
	m := machine(p.t, p.loops)
	m.Budgets = p.PlanBudgets
	return m
}

// begin creates a loop of the plan up to the moment before its first attempt.
func (p paid) begin(m stored.Shared, id string) stored.LoopLease {
	p.t.Helper()
	spec := enginetest.Played(id)
	spec.Parent = "p"
	l, err := m.Create(p.t.Context(), loop.New(spec, noon), nil)
	ok(p.t, err)
	p.t.Cleanup(func() { _ = l.Release(context.WithoutCancel(p.t.Context())) })
	ok(p.t, enginetest.Play(p.t, l, enginetest.Begun(at())...))
	return l
}

// ends is the end of an agent that reported what it cost, and of its attempt.
func ends(n int, micro int64) []loop.Event {
	all := enginetest.Attempt(at(), n, loop.Failed)[1:]
	o := loop.Outcome{End: loop.EndDone}
	o.Usage.CostMicroUSD, o.Usage.CostSource = &micro, money.Reported
	all[0] = loop.AgentEnded{Stamp: at(), Outcome: o}
	return all
}

// stands checks what a plan has used and holds.
func (p paid) stands(id string, used, assumed, held int64) {
	p.t.Helper()
	all, err := p.Balances(p.t.Context(), []string{id})
	if err != nil || len(all) != 1 {
		p.t.Fatalf("%+v, %v", all, err)
	}
	if b := all[0]; b.Used.MoneyMicroUSD != used || b.AssumedMicroUSD != assumed || b.Held.MoneyMicroUSD != held {
		p.t.Errorf("%s: %d used (%d assumed), %d held; want %d (%d), %d", id, b.Used.MoneyMicroUSD, b.AssumedMicroUSD, b.Held.MoneyMicroUSD, used, assumed, held)
	}
}

func began() loop.Event { return loop.AttemptBegan{Stamp: at()} }

// TestBudgetOfAPlanHoldsOnAllMachines: each run reserves from its plan and the one around it,
// wherever it is; what is left decides, and more budget lets the next one begin.
func TestBudgetOfAPlanHoldsOnAllMachines(t *testing.T) {
	t.Parallel()
	p, ctx := newPaid(t), t.Context()
	ok(t, p.Set(ctx, "p", loop.Amounts{MoneyMicroUSD: 1000}))
	ok(t, p.Set(ctx, "outer", loop.Amounts{MoneyMicroUSD: 5000}))
	a, b := p.begin(p.machine(), "a"), p.begin(p.machine(), "b")
	ok(t, enginetest.Play(t, a, began()))
	p.stands("p", 0, 0, 100)
	p.stands("outer", 0, 0, 500)
	ok(t, enginetest.Play(t, a, ends(1, 600)...))
	p.stands("p", 600, 0, 0)
	p.stands("outer", 600, 0, 0)
	err := enginetest.Play(t, b, began())
	refused, is := errors.AsType[*money.RefusedError](err)
	if !is || refused.Verdict != money.Spent || refused.Name() != "plan money" || b.State().Began {
		t.Fatalf("400 are left, and a run has cost 600: %v", err)
	}
	p.stands("outer", 600, 0, 0)
	ok(t, p.Set(ctx, "p", loop.Amounts{MoneyMicroUSD: 2000}))
	ok(t, enginetest.Play(t, b, append([]loop.Event{began()}, ends(1, 700)...)...))
	p.stands("p", 1300, 0, 0)
	all, err := b.Balances(ctx, "")
	if err != nil || len(all) != 2 || all[0].ID != "p" || all[1].ID != "outer" || all[1].Used.MoneyMicroUSD != 1300 {
		t.Errorf("%+v, %v", all, err)
	}
	ok(t, p.Forget(ctx, "p"))
	if all, err := p.Balances(ctx, []string{"p"}); err != nil || len(all) != 0 {
		t.Errorf("forgotten: %+v, %v", all, err)
	}
}

// TestShareOfTheDead: the share of a run whose process died blocks, and is charged when the next
// owner records what is known of the run; the former owner charges nothing more.
func TestShareOfTheDead(t *testing.T) {
	t.Parallel()
	p, ctx := newPaid(t), t.Context()
	ok(t, p.Set(ctx, "p", loop.Amounts{MoneyMicroUSD: 1000}))
	one, two := p.machine(), p.machine()
	old := p.begin(one, "a")
	ok(t, enginetest.Play(t, old, began()))
	now, err := two.Acquire(ctx, "a", nil, true)
	ok(t, err)
	p.stands("p", 0, 0, 100)
	ok(t, enginetest.Play(t, now, loop.Interrupted{Stamp: at(), Why: "its process died"}))
	p.stands("p", 100, 100, 0)
	ok(t, enginetest.Play(t, now, began()))
	if err := enginetest.Play(t, old, ends(1, 600)...); !errors.Is(err, engine.ErrFenced) {
		t.Errorf("the former owner: %v", err)
	}
	p.stands("p", 100, 100, 100)
	ok(t, enginetest.Play(t, now, ends(1, 50)...))
	p.stands("p", 150, 100, 0)
	ok(t, now.Release(ctx))
}

// TestSettledOnce: an end that could not be recorded at first is charged once, as is a request
// whose answer was lost.
func TestSettledOnce(t *testing.T) {
	t.Parallel()
	p, ctx := newPaid(t), t.Context()
	ok(t, p.Set(ctx, "p", loop.Amounts{MoneyMicroUSD: 1000}))
	m := p.machine()
	lost := errors.New("the remote is away")
	var away error
	m.Publish = func(context.Context, stored.Publication[loop.State, loop.Event]) error { return away }
	l := p.begin(m, "a")
	ok(t, enginetest.Play(t, l, began()))
	p.shelves["p"].LoseNext()
	away = lost
	for _, want := range []error{shelftest.ErrLost, lost} {
		if err := enginetest.Play(t, l, ends(1, 300)...); !errors.Is(err, want) {
			t.Fatalf("%v, want %v", err, want)
		}
	}
	away = nil
	ok(t, enginetest.Play(t, l, ends(1, 300)...))
	p.stands("p", 300, 0, 0)
	away = lost
	if err := enginetest.Play(t, l, began()); !errors.Is(err, lost) {
		t.Fatal(err)
	}
	p.stands("p", 300, 0, 0) // nothing began
	away = nil
	p.shelves["p"].LoseNext()
	if err := enginetest.Play(t, l, began()); !errors.Is(err, shelftest.ErrLost) {
		t.Fatal(err)
	}
	ok(t, enginetest.Play(t, l, began()))
	p.stands("p", 300, 0, 300)
}

// TestNoTwoSharesExceedABudget: of twenty runs at the same moment on two machines only as
// many begin as the budget has room for.
func TestNoTwoSharesExceedABudget(t *testing.T) {
	t.Parallel()
	p, ctx := newPaid(t), t.Context()
	ok(t, p.Set(ctx, "p", loop.Amounts{Attempts: 7}))
	one, two := p.machine(), p.machine()
	var all sync.WaitGroup
	var mu sync.Mutex
	begun := 0
	for i := range 20 {
		l := p.begin([]stored.Shared{one, two}[i%2], string(rune('a'+i)))
		all.Go(func() {
			next, err := loop.Apply(l.State(), began())
			if err == nil {
				_, err = l.CommitReserved(t.Context(), next, []loop.Event{began()}, engine.Reserve{Until: noon.Add(time.Hour)})
			}
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				begun++
			} else if refused, is := errors.AsType[*money.RefusedError](err); !is || refused.Verdict != money.Busy {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if b, err := p.Balances(ctx, []string{"p"}); err != nil || begun != 7 || b[0].Held.Attempts != 7 {
		t.Errorf("%d began, %+v, %v", begun, b, err)
	}
}

// TestReviewsOfAPlanArePaid from its shared budget; those of an owner that died are charged as they
// were reserved, when another one has the plan.
func TestReviewsOfAPlanArePaid(t *testing.T) {
	t.Parallel()
	p, ctx := newPaid(t), t.Context()
	ok(t, p.Set(ctx, "p", loop.Amounts{MoneyMicroUSD: 1000}))
	w := func() stored.SharedPlans {
		m := worker(t, p.plans, func(stored.Publication[plan.State, plan.Event]) error { return nil })
		m.Budgets = p.PlanBudgets
		return m
	}
	l, err := w().Acquire(ctx, "p", nil, false)
	ok(t, err)
	review, _, err := l.ReserveReview(ctx, engine.Reserve{Until: noon.Add(time.Hour)})
	ok(t, err)
	p.stands("p", 0, 0, 100)
	spent := loop.AgentSpent{Name: "r", Runs: 1}
	spent.Usage.CostMicroUSD = new(int64(40))
	ok(t, l.Settle(ctx, review, []loop.AgentSpent{spent}, false))
	p.stands("p", 40, 0, 0)
	_, _, err = l.ReserveReview(ctx, engine.Reserve{Until: noon.Add(time.Hour)})
	ok(t, err)
	t.Cleanup(func() { _ = l.Release(context.WithoutCancel(t.Context())) })
	p.stands("p", 40, 0, 40)
	next, err := w().Acquire(ctx, "p", nil, true)
	ok(t, err)
	p.stands("p", 80, 40, 0)
	ok(t, next.Release(ctx))
}
