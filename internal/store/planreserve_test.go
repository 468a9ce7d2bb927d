//go:build unix

package store

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
)

var evening = money.Session{ID: "evening", Budget: loop.Amounts{Tokens: 10_000}}

func taken(t testing.TB, s *Store, id string) *PlanLease {
	t.Helper()
	l, err := s.Plans().Create(t.Context(), plan.Begin(id, "plan.md", "", "b", "c", plan.Rules{}), []byte("{}"))
	must(t, err)
	t.Cleanup(func() { must(t, l.Release(context.Background())) })
	return l
}

func judge(tokens int64) loop.AgentSpent {
	return loop.AgentSpent{Name: "judge", Use: "api", Model: "m", Review: true, Runs: 1, Usage: loop.Usage{InputTokens: &tokens}}
}

// TestReviewsOfAPlanArePaid from the plan's budget and the session's, side by
// side, and stand in the plan's account.
func TestReviewsOfAPlanArePaid(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Tokens: 1000, Attempts: 1}))
	l := taken(t, s, "p")
	until := time.Now().Add(time.Hour)
	first, _, err := l.ReserveReview(t.Context(), Reserve{Session: evening, Until: until})
	must(t, err)
	second, _, err := l.ReserveReview(t.Context(), Reserve{Session: evening, Until: until})
	must(t, err)
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Held.Tokens != 200 || b.Open != 2 || b.Held.Attempts != 0 {
		t.Errorf("both under way: %+v", b)
	}
	must(t, l.Settle(t.Context(), first, []loop.AgentSpent{judge(300)}, false))
	unknown := judge(0)
	unknown.CostUnknown, unknown.Usage = 1, loop.Usage{}
	must(t, l.Settle(t.Context(), second, []loop.AgentSpent{unknown}, false))
	for level, id := range map[loop.BudgetLevel]string{loop.PlanLevel: "p", loop.SessionLevel: "evening"} {
		want := int64(100) // what nobody told counts as reserved
		if level == loop.SessionLevel {
			want = 1000
		}
		if b := balanceOf(t, s, level, id); b.Used.Tokens != 300+want || b.AssumedTokens != want || b.Held.Any() || b.Used.Attempts != 0 {
			t.Errorf("%s: %+v", level, b)
		}
	}
	spent, err := s.Plans().Spent(t.Context(), "p")
	must(t, err)
	all := judge(300)
	all.Runs, all.CostUnknown = 2, 1
	if d := cmp.Diff([]loop.AgentSpent{all}, spent); d != "" {
		t.Errorf("the account (-want +got):\n%s", d)
	}
	third, _, err := l.ReserveReview(t.Context(), Reserve{Session: evening, Until: until})
	must(t, err)
	must(t, l.Settle(t.Context(), third, []loop.AgentSpent{judge(600)}, false))
	_, _, err = l.ReserveReview(t.Context(), Reserve{Session: evening, Until: until})
	if r, ok := errors.AsType[*money.RefusedError](err); !ok || r.Verdict != money.Spent || r.Name() != "plan tokens" {
		t.Errorf("with nothing left: %v", err)
	}
}

// TestAReviewThatIsCutOff used what it had reserved, unless more is known.
func TestAReviewThatIsCutOff(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Tokens: 1000}))
	l := taken(t, s, "p")
	review, _, err := l.ReserveReview(t.Context(), Reserve{Until: time.Now().Add(time.Hour)})
	must(t, err)
	must(t, l.Settle(t.Context(), review, []loop.AgentSpent{judge(40)}, true))
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Used.Tokens != 100 || b.AssumedTokens != 60 || b.Held.Any() {
		t.Errorf("%+v", b)
	}
}

// TestAReviewOfAPlanIsKilled: what it reserved is spent when the plan is taken up
// again, once, and its old owner settles nothing any more.
func TestAReviewOfAPlanIsKilled(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Tokens: 1000}))
	c := spawn(t, "review", dir, "p")
	c.want("reserved")
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Held.Tokens != 100 || b.Open != 1 {
		t.Errorf("while it lives: %+v", b)
	}
	c.kill()
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Held.Tokens != 100 || b.Open != 0 {
		t.Errorf("killed: %+v", b)
	}
	old, err := s.Plans().Acquire(t.Context(), "p", nil, false)
	must(t, err)
	defer old.Release(t.Context())
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Used.Tokens != 100 || b.AssumedTokens != 100 || b.Held.Any() {
		t.Errorf("taken up: %+v", b)
	}
	review, _, err := old.ReserveReview(t.Context(), Reserve{Until: time.Now().Add(time.Hour)})
	must(t, err)
	now, err := s.Plans().Acquire(t.Context(), old.ID(), nil, true)
	must(t, err)
	defer now.Release(t.Context())
	_, fenced := errors.AsType[*FencedError](old.Settle(t.Context(), review, []loop.AgentSpent{judge(900)}, false))
	if b := balanceOf(t, s, loop.PlanLevel, "p"); !fenced || b.Used.Tokens != 200 {
		t.Errorf("fenced %t: %+v", fenced, b)
	}
}

// TestManyReviewsAndOneBudget: together they hold no more than there is.
func TestManyReviewsAndOneBudget(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Tokens: 1000}))
	l := taken(t, s, "p")
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			_, _, err := l.ReserveReview(t.Context(), Reserve{Until: time.Now().Add(time.Hour)})
			if r, ok := errors.AsType[*money.RefusedError](err); err != nil && (!ok || r.Verdict != money.Busy) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Held.Tokens != 1000 || b.Open != 10 {
		t.Errorf("%+v", b)
	}
}

// TestABudgetThatIsForgotten holds nothing for what came before.
func TestABudgetThatIsForgotten(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Attempts: 1}))
	c := spawn(t, "reserve", dir, "a", "p")
	c.want("reserved")
	c.kill()
	must(t, s.ForgetBudget(t.Context(), loop.PlanLevel, "p"))
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Attempts: 1}))
	must(t, second(paid(t, s, "b", "p", loop.Amounts{}).began(t.Context())))
}
