package plan

import (
	"testing"

	"ralph/internal/loop"
)

// TestBudgetOfTheTasksThatWereOpen: a task that was done before the run, and one that the
// run is not about, has no share of the attempts.
func TestBudgetOfTheTasksThatWereOpen(t *testing.T) {
	t.Parallel()
	s := State{Rules: Rules{PerTask: 5}, Tasks: []TaskState{
		{ID: "a", Status: Done},
		{ID: "b", Status: Failed, Attempts: 5},
		{ID: "c", Status: Done, Attempts: 2},
		{ID: "d", Status: Pending},
	}, Attempts: 7, Status: loop.StatusFailed}
	if got := s.Budget(); got != 15 {
		t.Errorf("the first run has %d attempts, want 15", got)
	}
	again, err := Apply(s, Resumed{Retry: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := again.Budget(); got != 10 {
		t.Errorf("the second run has %d attempts, want 10: those of b and d", got)
	}
	if got := again.BudgetFor([]string{"b"}); got != 5 {
		t.Errorf("a run of b has %d attempts, want 5", got)
	}
}
