package enginetest

import (
	"errors"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
)

// wrong changes the work in each of four attempts, which all fail.
const wrong = `attempts:
  - [{write: {path: answer.txt, text: "1\n"}}]
  - [{write: {path: answer.txt, text: "2\n"}}]
  - [{write: {path: answer.txt, text: "4\n"}}]
  - [{write: {path: answer.txt, text: "5\n"}}]`

// budgetRaised: what a loop may spend is raised while it rests, and twice at once while its agent
// works. The loop continues until all of that is used up.
func budgetRaised(t *testing.T, b bench) {
	budgets, is := b.Loops.(engine.Budgets)
	if !is {
		t.Fatalf("%T keeps no budgets", b.Loops)
	}
	raise := func(id string, attempts int64, add bool) error {
		return budgets.RaiseLoopBudget(t.Context(), id, loop.Raise{Amounts: loop.Amounts{Attempts: attempts}, Add: add}, "test")
	}
	spec := b.Spec(t, wrong)
	spec.Budget, spec.BudgetPauses = loop.Amounts{Attempts: 1}, true
	s, err := b.Loops.Start(t.Context(), spec, engine.Options{Max: 4}, engine.Drive{})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.Paused, loop.Budget, 1)
	if _, refused := errors.AsType[*journal.RefusedError](raise(s.ID, -1, false)); !refused {
		t.Error("a budget below zero was set")
	}
	if err := raise(s.ID, 2, false); err != nil {
		t.Fatal(err)
	}
	b.is(b.show(s.ID).State, loop.Paused, loop.Budget, 1)
	live := after("attempt_began", 2, func(s loop.State) {
		if err := errors.Join(raise(s.ID, 1, true), raise(s.ID, 1, true)); err != nil {
			t.Error(err)
		}
	})
	s, err = b.Loops.Resume(t.Context(), s.ID, engine.Options{}, engine.Drive{Watch: live})
	if err != nil {
		t.Fatal(err)
	}
	b.is(s, loop.Paused, loop.Budget, 4)
	balance, found, err := budgets.Budget(t.Context(), loop.TaskLevel, s.ID)
	if err != nil || !found || balance.Limit.Attempts != 4 || balance.Used.Attempts != 4 || s.Budget.Attempts != 4 {
		t.Errorf("%+v, %t, %v; recorded: %+v", balance, found, err, s.Budget)
	}
}
