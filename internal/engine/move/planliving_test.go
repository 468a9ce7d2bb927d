package move_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
)

// Where the plans and loops of a world live.

func (w *planWorld) planThere(id string) (plan.State, bool) {
	r, err := w.plans.Read(context.Background(), id)
	return r.State, err == nil
}

func (c *clone) hasPlan(id string) (engine.Stored[plan.State], bool) {
	r, err := stored.PlansOf(c.Store).Read(context.Background(), id)
	return r, err == nil
}

func (w *planWorld) planOnServer() (plan.State, bool) { return w.planThere("p") }

func (c *clone) planHere() (plan.State, bool) {
	r, is := c.hasPlan("p")
	return r.State, is
}

// living are the plans and loops that can continue, each with the stores where it can.
func (w *planWorld) living(clones ...*clone) (all []string) {
	for _, id := range w.ids {
		if s, is := w.planThere(id); is && engine.PlanMovedOf(s) == nil {
			all = append(all, id+" server"+w.budgetIn(id, w.budgets()))
		}
		for _, c := range clones {
			if r, is := c.hasPlan(id); is && engine.PlanMovedOf(r.State) == nil {
				all = append(all, id+" "+c.home.Machine+w.budgetIn(id, c.Plans()))
			}
		}
	}
	for _, id := range w.tasks {
		if r, err := w.there.Read(context.Background(), id); err == nil && engine.MovedOf(r.State) == nil {
			all = append(all, id+" server")
		}
		for _, c := range clones {
			if r, err := stored.LoopsOf(c.Store).Read(context.Background(), id); err == nil && engine.MovedOf(r.State) == nil {
				all = append(all, id+" "+c.home.Machine)
			}
		}
	}
	return all
}

// settled are the runs that live once a move is complete: no plan has a budget where it left.
func (w *planWorld) settled(clones ...*clone) []string {
	w.Helper()
	all := w.living(clones...)
	for _, id := range w.ids {
		for _, c := range clones {
			book, err := c.Plans().Book(w.Context(), id)
			w.ok(err)
			if r, is := c.hasPlan(id); book != nil && (!is || engine.PlanMovedOf(r.State) != nil) {
				all = append(all, id+" left its budget in "+c.home.Machine)
			}
		}
	}
	return all
}

// budgetIn tells where a plan does not have the budget with which it began.
func (w *planWorld) budgetIn(id string, store interface {
	Book(ctx context.Context, plan string) (*money.Book, error)
},
) string {
	book, err := store.Book(context.Background(), id)
	if err != nil || book == nil || !cmp.Equal(*book, spentBook(id)) {
		return fmt.Sprintf(" with the budget %+v, %v", book, err)
	}
	return ""
}

// spentBook is a budget of which a part is used, another one for each plan.
func spentBook(id string) money.Book {
	used := int64(len(id)) * 1000
	return money.Book{
		Budget: money.Budget{
			Limit: loop.Amounts{MoneyMicroUSD: 9_000_000, Attempts: 30}, Used: loop.Amounts{MoneyMicroUSD: used, Attempts: 2, Wall: time.Minute},
			AssumedMicroUSD: 10, WallTo: noon.UTC(),
		},
		Dearest: map[string]loop.Amounts{"a": {MoneyMicroUSD: used}, "": {Tokens: 5}},
	}
}

// whole is what lives where all of the plan is in one store.
func (w *planWorld) whole(place string) (all []string) {
	for _, id := range slices.Concat(w.ids, w.tasks) {
		all = append(all, id+" "+place)
	}
	return all
}

// twice are the runs that live in two stores.
func twice(all []string) (ids []string) {
	seen := map[string]bool{}
	for _, run := range all {
		id, _, _ := strings.Cut(run, " ")
		if seen[id] {
			ids = append(ids, id)
		}
		seen[id] = true
	}
	return ids
}

func (w *planWorld) planJournalThere(id string) []string { return w.planJournalOf(id, w.plans.Events) }

func (w *planWorld) planJournal(c *clone, id string) []string {
	return w.planJournalOf(id, stored.PlansOf(c.Store).Events)
}

func (w *planWorld) planJournalOf(id string, page func(ctx context.Context, id string, after int64) ([]engine.Event, error)) []string {
	return w.journal(func(ctx context.Context, _ string, after int64) ([]engine.Event, error) {
		return page(ctx, id, after)
	})
}

// freed ends the leases that a killed process had on the server, as missed heartbeats do.
func (w *planWorld) freed() {
	w.Helper()
	for _, id := range w.tasks {
		l, err := w.there.Acquire(w.Context(), id, nil, true)
		if !errors.Is(err, engine.ErrNotFound) {
			w.ok(err)
			w.ok(l.Release(w.Context()))
		}
	}
	for _, id := range w.ids {
		l, err := w.plans.Acquire(w.Context(), id, nil, true)
		if !errors.Is(err, engine.ErrNotFound) {
			w.ok(err)
			w.ok(l.Release(w.Context()))
		}
	}
}

// settle repeats a move until it succeeds, as its user does.
func (w *planWorld) settle(c *clone, again func(*move.Mover) (move.MovedPlan, error)) {
	w.Helper()
	w.trouble = none
	_, err := w.doPlan(c, again)
	if errors.Is(err, engine.ErrRunning) {
		w.freed()
		_, err = w.doPlan(c, again)
	}
	if err != nil {
		w.Fatalf("call %d (%d): the command typed again: %v", w.at, w.trouble, err)
	}
}

var later = plan.Stamp{At: noon.Add(time.Hour)}

// states are the plans of a clone.
func (w *planWorld) states(c *clone) map[string]plan.State {
	all := map[string]plan.State{}
	for _, id := range w.ids {
		r, _ := c.hasPlan(id)
		all[id] = r.State
	}
	return all
}

// innerHere is what a clone has of the plans: which of them are archived, and where they belong.
func (w *planWorld) innerHere(c *clone) (all map[string]string) {
	w.Helper()
	all = map[string]string{}
	for _, id := range w.ids {
		r, is := c.hasPlan(id)
		var spec engine.PlanSpec
		w.ok(json.Unmarshal(r.Spec, &spec))
		all[id] = fmt.Sprint(is, r.Archived, spec.Ancestors, r.State.Status, r.State.Tip)
	}
	return all
}
