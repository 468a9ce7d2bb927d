//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
)

// paid is a loop with budgets, in a step at which its agent may be started.
func paid(t testing.TB, s *Store, id, parent string, own loop.Amounts) *LoopLease {
	t.Helper()
	st := newState(id)
	st.Parent, st.Budget, st.Step, st.Status = parent, own, loop.StepAgent, loop.Running
	l, err := s.Create(t.Context(), st, Admission{})
	must(t, err)
	t.Cleanup(func() { _ = l.Release(context.Background()) })
	return l
}

func (l *LoopLease) began(ctx context.Context) (time.Duration, error) {
	next := l.State()
	next.Began, next.Step = true, loop.StepAgent
	now := l.s.o.Now()
	return l.CommitReserved(ctx, next, []loop.Event{loop.AttemptBegan{Stamp: loop.Stamp{At: now}}}, Reserve{Until: now.Add(time.Hour)})
}

func (l *LoopLease) ended(ctx context.Context, o loop.Outcome) error {
	next := l.State()
	next.Began, next.Step = false, loop.StepCommit
	return l.Commit(ctx, next, []loop.Event{loop.AgentEnded{Stamp: loop.Stamp{At: l.s.o.Now()}, Outcome: o}})
}

func cost(micro int64) loop.Outcome {
	return loop.Outcome{End: loop.EndDone, Usage: loop.Usage{CostMicroUSD: &micro, InputTokens: new(int64(10))}}
}

func balanceOf(t testing.TB, s *Store, level loop.BudgetLevel, id string) money.Balance {
	t.Helper()
	b, found, err := s.Balance(t.Context(), level, id)
	must(t, err)
	if !found {
		t.Fatalf("no budget of the %s %s", level, id)
	}
	return b
}

// TestEightLoopsAndOneBudget: together they never spend more than the limit,
// but for what the runs under way use beyond their reservation.
func TestEightLoopsAndOneBudget(t *testing.T) {
	t.Parallel()
	const limit, loops = 1_000_000, 8
	for _, run := range []struct{ cost, over int64 }{{70_000, 70_000 - 20_000}, {300_000, loops * (300_000 - limit/10)}} {
		t.Run(fmt.Sprint(run.cost), func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			must(t, s.SetBudget(t.Context(), loop.PlanLevel, "night", loop.Amounts{MoneyMicroUSD: limit}))
			var all sync.WaitGroup
			for i := range loops {
				l := paid(t, s, fmt.Sprintf("loop-%d", i), "night", loop.Amounts{})
				all.Go(func() { spendAll(t, l, run.cost) })
			}
			all.Wait()
			b := balanceOf(t, s, loop.PlanLevel, "night")
			if b.Used.MoneyMicroUSD > limit+run.over || b.Used.MoneyMicroUSD < limit-run.cost || b.Held.Any() || b.Open != 0 {
				t.Errorf("%+v", b)
			}
			if int64(b.Used.Attempts)*run.cost != b.Used.MoneyMicroUSD {
				t.Errorf("%d attempts cost %d", b.Used.Attempts, b.Used.MoneyMicroUSD)
			}
		})
	}
}

// spendAll runs an agent until the budget refuses it.
func spendAll(t *testing.T, l *LoopLease, micro int64) {
	for {
		_, err := l.began(t.Context())
		refused, is := errors.AsType[*money.RefusedError](err)
		switch {
		case is && refused.Verdict == money.Busy:
			time.Sleep(time.Millisecond)
			continue
		case is:
			return
		case err == nil:
			err = l.ended(t.Context(), cost(micro))
		}
		if err != nil {
			t.Error(err)
			return
		}
	}
}

func TestBudgetsOfEveryLevelArePaid(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Tokens: 100}))
	l := paid(t, s, "a", "p", loop.Amounts{MoneyMicroUSD: 60, Attempts: 2})
	for range 2 {
		must(t, second(l.began(t.Context())))
		must(t, l.ended(t.Context(), cost(20)))
	}
	_, err := l.began(t.Context())
	if r, ok := errors.AsType[*money.RefusedError](err); !ok || r.Name() != "task attempts" || r.Verdict != money.Spent {
		t.Errorf("the third attempt: %v", err)
	}
	if l.State().Began || l.Seq() != 5 {
		t.Errorf("a refused run was recorded: seq %d", l.Seq())
	}
	all, err := l.Balances(t.Context(), "")
	must(t, err)
	want := []loop.Amounts{{MoneyMicroUSD: 40, Tokens: 20, Attempts: 2}, {MoneyMicroUSD: 40, Tokens: 20, Attempts: 2}}
	for i, b := range all {
		b.Used.Wall = 0
		if d := cmp.Diff(want[i], b.Used); d != "" {
			t.Errorf("%s (-want +got):\n%s", b.Level, d)
		}
	}
}

// TestPlansInTasksPlacesArePaidFromAllAbove: loops of a plan that is run in
// another's place, and its reviews, use what was given to that one, however deep.
func TestPlansInTasksPlacesArePaidFromAllAbove(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "top", loop.Amounts{MoneyMicroUSD: 1000, Attempts: 2, Wall: time.Hour}))
	lease, err := s.Plans().Create(t.Context(), plan.Begin("child", "c.md", "", "b", "c", plan.Rules{}), []byte(`{"ancestors": ["top", "middle"]}`))
	must(t, err)
	t.Cleanup(func() { must(t, lease.Release(context.Background())) })
	for _, id := range []string{"a", "b"} {
		l := paid(t, s, id, "child", loop.Amounts{})
		must(t, second(l.began(t.Context())))
		must(t, l.ended(t.Context(), cost(20)))
	}
	review, _, err := lease.ReserveReview(t.Context(), Reserve{Until: time.Now().Add(time.Hour)})
	must(t, err)
	must(t, lease.Settle(t.Context(), review, []loop.AgentSpent{{Name: "judge", Review: true, Runs: 1, Usage: loop.Usage{CostMicroUSD: new(int64(7))}}}, false))
	if b := balanceOf(t, s, loop.PlanLevel, "top"); b.Used.MoneyMicroUSD != 47 || b.Used.Attempts != 2 || b.Used.Wall == 0 || b.Held.Any() {
		t.Errorf("%+v", b)
	}
	third := paid(t, s, "third", "child", loop.Amounts{})
	_, err = third.began(t.Context())
	if r, ok := errors.AsType[*money.RefusedError](err); !ok || r.Name() != "plan attempts" || r.Verdict != money.Spent {
		t.Errorf("beyond the budget: %v", err)
	}
	must(t, lease.Release(t.Context()))
	alone, err := s.Plans().Acquire(t.Context(), "child", []byte(`{}`), false) // the user runs it by itself
	must(t, err)
	must(t, alone.Release(t.Context()))
	if _, err := third.began(t.Context()); err != nil {
		t.Errorf("by itself: %v", err)
	}
}

// TestTooLittleLeftIsSpent: a run whose like has used more than there is left
// does not begin; another agent's may, whose runs are cheaper.
func TestTooLittleLeftIsSpent(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{MoneyMicroUSD: 5_100_000}))
	dear, cheap := paid(t, s, "dear", "p", loop.Amounts{}), paidFor(t, s, "cheap", "p", "haiku")
	must(t, second(cheap.began(t.Context())))
	must(t, second(dear.began(t.Context()))) // a tenth: nothing to compare with
	must(t, cheap.ended(t.Context(), cost(40_000)))
	must(t, dear.ended(t.Context(), cost(5_000_000)))
	_, err := dear.began(t.Context())
	r, ok := errors.AsType[*money.RefusedError](err)
	if want := "$0.06 left, and the dearest run so far cost $5.00"; !ok || r.Verdict != money.Spent || !strings.Contains(r.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
	if refused, _ := errors.AsType[*money.RefusedError](dear.Affords(t.Context(), "")); refused == nil || refused.Verdict != money.Spent {
		t.Errorf("there is refused: %v", refused)
	}
	must(t, cheap.Affords(t.Context(), ""))
	must(t, second(cheap.began(t.Context())))
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Held.MoneyMicroUSD != 40_000 {
		t.Errorf("%+v", b)
	}
	must(t, cheap.ended(t.Context(), cost(40_000)))
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{MoneyMicroUSD: 10_080_000}))
	must(t, second(dear.began(t.Context()))) // exactly as much as it needs
}

// paidFor is paid for a loop of that agent.
func paidFor(t testing.TB, s *Store, id, parent, agent string) *LoopLease {
	t.Helper()
	st := newState(id)
	st.Parent, st.Step, st.Status, st.Agent.Name = parent, loop.StepAgent, loop.Running, agent
	l, err := s.Create(t.Context(), st, Admission{})
	must(t, err)
	t.Cleanup(func() { _ = l.Release(context.Background()) })
	return l
}

// TestUnknownCostsCountAsReserved: what nobody told is not free, unless the
// provider refused the run at the door.
func TestUnknownCostsCountAsReserved(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		end           loop.End
		used, assumed int64
	}{{loop.EndDone, 100, 100}, {loop.EndTimeout, 100, 100}, {loop.EndLimit, 0, 0}, {loop.EndTransient, 0, 0}} {
		t.Run(string(row.end), func(t *testing.T) {
			t.Parallel()
			s, _ := fresh(t)
			l := paid(t, s, "a", "", loop.Amounts{MoneyMicroUSD: 1000})
			must(t, second(l.began(t.Context())))
			must(t, l.ended(t.Context(), loop.Outcome{End: row.end}))
			if b := balanceOf(t, s, loop.TaskLevel, "a"); b.Used.MoneyMicroUSD != row.used || b.AssumedMicroUSD != row.assumed {
				t.Errorf("%+v", b)
			}
		})
	}
}

// TestKilledBetweenReserveAndSettle: a process that dies with a reservation
// loses nothing of it and doubles nothing, whether its run's usage is found out
// or not.
func TestKilledBetweenReserveAndSettle(t *testing.T) {
	t.Parallel()
	for _, known := range []bool{true, false} {
		t.Run(fmt.Sprintf("known=%t", known), func(t *testing.T) {
			t.Parallel()
			s, dir := fresh(t)
			must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{MoneyMicroUSD: 1000}))
			c := spawn(t, "reserve", dir, "a", "p")
			c.want("reserved")
			if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Held.MoneyMicroUSD != 100 || b.Open != 1 || b.Used.Attempts != 0 {
				t.Errorf("while it runs: %+v", b)
			}
			c.kill()
			b := balanceOf(t, s, loop.PlanLevel, "p")
			if b.Held.MoneyMicroUSD != 100 || b.Open != 0 {
				t.Errorf("killed: %+v", b)
			}
			l, err := s.Acquire(t.Context(), "a", false)
			must(t, err)
			defer l.Release(t.Context())
			usage, want := loop.Usage{}, int64(100)
			if known {
				usage, want = loop.Usage{CostMicroUSD: new(int64(7))}, 7
			}
			next := l.State()
			next.Began = false
			must(t, l.Commit(t.Context(), next, []loop.Event{loop.Interrupted{Stamp: loop.Stamp{At: time.Now()}, Usage: usage}}))
			b = balanceOf(t, s, loop.PlanLevel, "p")
			if b.Used.MoneyMicroUSD != want || b.Held.Any() || b.Used.Attempts != 0 {
				t.Errorf("settled: %+v", b)
			}
		})
	}
}

// TestDeadReservationsBlockNobodyForEver: what only a died run holds is spent,
// so that nobody waits for it.
func TestDeadReservationsBlockNobodyForEver(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Attempts: 1}))
	c := spawn(t, "reserve", dir, "a", "p")
	c.want("reserved")
	l := paid(t, s, "b", "p", loop.Amounts{})
	refusal := func() money.Verdict {
		r, ok := errors.AsType[*money.RefusedError](l.Affords(t.Context(), ""))
		if !ok {
			t.Fatal("there is room")
		}
		return r.Verdict
	}
	if v := refusal(); v != money.Busy {
		t.Errorf("while it runs: %d", v)
	}
	c.kill()
	if v := refusal(); v != money.Spent {
		t.Errorf("after it died: %d", v)
	}
}

func TestTimeAtWorkIsCountedOnce(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	dir := t.TempDir()
	s := openTest(t, dir, Options{Now: func() time.Time { return now }})
	must(t, s.SetBudget(t.Context(), loop.PlanLevel, "p", loop.Amounts{Wall: time.Hour}))
	a, b := paid(t, s, "a", "p", loop.Amounts{}), paid(t, s, "b", "p", loop.Amounts{})
	must(t, second(a.began(t.Context())))
	now = now.Add(10 * time.Minute)
	left, err := b.began(t.Context())
	if err != nil || left != 50*time.Minute {
		t.Errorf("%s left: %v", left, err)
	}
	now = now.Add(10 * time.Minute)
	must(t, a.ended(t.Context(), cost(1)))
	now = now.Add(10 * time.Minute)
	must(t, b.ended(t.Context(), cost(1)))
	if used := balanceOf(t, s, loop.PlanLevel, "p").Used.Wall; used != 30*time.Minute {
		t.Errorf("%s at work", used)
	}
	now = now.Add(8 * time.Hour)
	if left, err = a.began(t.Context()); err != nil || left != 30*time.Minute {
		t.Errorf("after a pause %s left: %v", left, err)
	}
	now = now.Add(time.Hour)
	must(t, a.ended(t.Context(), cost(1)))
	if _, err := b.began(t.Context()); err == nil {
		t.Error("no time is left, and it began")
	}
}

// TestRaisesAddUp: all who raise a budget at once have their effect.
func TestRaisesAddUp(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := s.RaiseBudget(t.Context(), loop.PlanLevel, "p", loop.Raise{Amounts: loop.Amounts{Attempts: 2}, Add: true}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if b := balanceOf(t, s, loop.PlanLevel, "p"); b.Limit != (loop.Amounts{Attempts: 16}) {
		t.Errorf("%+v", b.Limit)
	}
}
