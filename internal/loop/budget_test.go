package loop

import (
	"testing"
	"time"
)

func agents(names ...string) func(*Spec) {
	return func(s *Spec) {
		for _, n := range names {
			s.Agents = append(s.Agents, Agent{Name: n, Use: n, OnLimit: LimitSwitch})
		}
		s.Agent = s.Agents[0]
	}
}

func micro(n int64) Usage {
	return Usage{InputTokens: new(n), CostMicroUSD: &n, CostSource: "reported"}
}

func TestHeldBack(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"held/for the limit that another loop met, before any attempt", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			until := w.now.Add(3 * time.Hour)
			w.do(Held{w.stamp(), ForLimit, until, "spent"})
			w.is(Waiting, ForLimit)
			if w.s.Iteration != 0 || !w.s.Wake.Equal(until) || w.s.Message != "spent" {
				t.Errorf("iteration %d until %s: %q", w.s.Iteration, w.s.Wake, w.s.Message)
			}
			if s := w.ends(StatusPassed, Green, 1); s.LimitWait < 2*time.Hour || s.LimitWait > 3*time.Hour || s.Active > time.Minute {
				t.Errorf("lost %s, active %s", s.LimitWait, s.Active)
			}
		}},
		{"held/what passes after the end of a limit is not lost to it", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndLimit, ResetAt: noon.Add(time.Hour)})
			w.until(DoWait)
			w.now = noon.Add(9 * time.Hour)
			if s := w.ends(StatusPassed, Green, 1); s.LimitWait > time.Hour || s.LimitWait < 59*time.Minute {
				t.Errorf("lost %s", s.LimitWait)
			}
		}},
		{"held/not while the agent runs, not for something else, not until before", func(t *testing.T) {
			w := newWorld(t, nil)
			w.refuses(Held{w.stamp(), ForLimit, w.now.Add(time.Hour), ""})
			w.until(DoAgent)
			w.refuses(Held{w.stamp(), ForHuman, w.now.Add(time.Hour), ""})
			w.refuses(Held{w.stamp(), Budget, w.now, ""})
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.refuses(Held{w.stamp(), ForLimit, w.now.Add(time.Hour), ""})
		}},
		{"held/on_usage_limit: pause leaves it to a person", func(t *testing.T) {
			for _, told := range []bool{true, false} {
				w := newWorld(t, func(s *Spec) { s.Agent.OnLimit = LimitPause })
				w.until(DoAgent)
				if told {
					w.do(Held{w.stamp(), ForLimit, w.now.Add(time.Hour), "spent"})
				} else {
					w.do(AttemptBegan{Stamp: w.stamp()})
					w.do(AgentEnded{w.stamp(), Outcome{End: EndLimit, ResetAt: w.now.Add(time.Hour), Message: "spent"}})
				}
				w.is(Paused, ForLimit)
				w.do(Resumed{w.stamp()})
				w.is(Waiting, ForLimit)
				w.ends(StatusPassed, Green, 1)
			}
		}},
		{"held/on_usage_limit: ask asks a person once for each limit", func(t *testing.T) {
			for _, told := range []bool{true, false} {
				w := newWorld(t, func(s *Spec) { s.Agent.OnLimit = LimitAsk })
				w.until(DoAgent)
				if told {
					w.do(Held{w.stamp(), ForKeep, w.now.Add(time.Hour), "80 % is used"})
				} else {
					w.do(AttemptBegan{Stamp: w.stamp()})
					w.do(AgentEnded{w.stamp(), Outcome{End: EndLimit, ResetAt: w.now.Add(time.Hour), Message: "spent"}})
				}
				w.is(Waiting, ForHuman)
				w.refuses(Answered{Stamp: w.stamp(), Text: "whatever"})
				w.refuses(Answered{Stamp: w.stamp(), Text: "continue", By: ByPolicy})
				w.do(Answered{Stamp: w.stamp(), Text: "Continue"})
				w.is(Running, "")
				w.do(Held{w.stamp(), ForLimit, w.now.Add(time.Hour), "spent"})
				w.is(Waiting, ForLimit)
				if s := w.ends(StatusPassed, Green, 1); s.LimitAgreed || len(s.Questions) != 1 {
					t.Errorf("agreed for the next limit too: %t, %d questions", s.LimitAgreed, len(s.Questions))
				}
			}
		}},
		{"held/the answer pause", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.Agent.OnLimit = LimitAsk })
			w.until(DoAgent)
			w.do(Held{w.stamp(), ForLimit, w.now.Add(time.Hour), "spent"})
			w.do(Answered{Stamp: w.stamp(), Text: "pause"})
			w.is(Paused, "")
			w.do(Resumed{w.stamp()})
			w.do(Held{w.stamp(), ForLimit, w.now.Add(time.Hour), "spent"})
			w.is(Waiting, ForHuman)
		}},
		{"held/quiet hours take no time from the provider's, and bound nothing", func(t *testing.T) {
			w := newWorld(t, func(s *Spec) { s.Limits.Wait, s.Agent.OnLimit = time.Minute, LimitPause })
			w.until(DoAgent)
			w.do(Held{w.stamp(), ForQuiet, w.now.Add(9 * time.Hour), "until 18:00"})
			w.is(Waiting, ForQuiet)
			if s := w.ends(StatusPassed, Green, 1); s.LimitWait != 0 || s.Active > time.Hour {
				t.Errorf("lost %s, active %s", s.LimitWait, s.Active)
			}
		}},
		{"held/a transient error is no limit", func(t *testing.T) {
			w := newWorld(t, nil)
			w.agent = once(Outcome{End: EndTransient, Message: "overloaded"})
			w.until(DoWait)
			w.is(Waiting, ForRetry)
			if s := w.ends(StatusPassed, Green, 1); s.LimitWait != 0 {
				t.Errorf("lost %s", s.LimitWait)
			}
		}},
	})
}

func TestSwitched(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"switch/in the middle of a wait, the attempt goes on with another agent", func(t *testing.T) {
			w := newWorld(t, agents("one", "two"))
			w.agent = once(Outcome{End: EndLimit, ResetAt: noon.Add(9 * time.Hour), Usage: micro(7)})
			w.until(DoWait)
			w.do(Switched{w.stamp(), w.s.Agents[1], "the limit of one is spent"})
			w.is(Running, "")
			s := w.ends(StatusPassed, Green, 1)
			if s.Agent.Name != "two" || s.Recent[0].By != "two" || s.Recent[0].Runs != 2 || len(s.Spent) != 2 || *s.Spent[0].Usage.CostMicroUSD != 7 {
				t.Errorf("%s by %s in %d runs: %+v", s.Agent.Name, s.Recent[0].By, s.Recent[0].Runs, s.Spent)
			}
		}},
		{"switch/only to the loop's own agents, and not under one that runs", func(t *testing.T) {
			w := newWorld(t, agents("one", "two"))
			w.until(DoAgent)
			w.refuses(Switched{w.stamp(), Agent{Name: "three"}, ""})
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.refuses(Switched{w.stamp(), w.s.Agents[1], ""})
		}},
	})
}

func TestBudgetEvents(t *testing.T) {
	t.Parallel()
	tell(t, []rule{
		{"budget/used up ends the loop, and its work is kept", func(t *testing.T) {
			w := newWorld(t, nil)
			w.gate = attempts(failing("a"))
			w.until(DoAgent)
			w.turn()
			w.until(DoAgent)
			w.do(BudgetSpent{w.stamp(), "task money", "$5.00 of $5.00 is used", false})
			s := w.ends(Aborted, Budget, 1)
			if w.did(DoKeep) != 1 || s.Message != "$5.00 of $5.00 is used" {
				t.Errorf("kept %d times: %s", w.did(DoKeep), s.Message)
			}
		}},
		{"budget/used up pauses where that is wanted", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(BudgetSpent{w.stamp(), "task money", "used up", true})
			w.is(Paused, Budget)
			w.do(Resumed{w.stamp()})
			w.ends(StatusPassed, Green, 1)
		}},
		{"budget/a warning is said once", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(BudgetWarned{w.stamp(), "plan money", "80 %"})
			w.refuses(BudgetWarned{w.stamp(), "plan money", "90 %"})
			w.do(BudgetWarned{w.stamp(), "plan tokens", "80 %"})
			w.ends(StatusPassed, Green, 1)
		}},
		{"budget/a person sets it, and of the new one a warning is said again", func(t *testing.T) {
			w := newWorld(t, nil)
			w.until(DoAgent)
			w.do(BudgetWarned{w.stamp(), "task money", "80 %"})
			w.do(BudgetWarned{w.stamp(), "plan money", "80 %"})
			w.refuses(BudgetSet{Stamp: w.stamp(), Limit: Amounts{Tokens: -1}})
			before := w.s
			w.do(BudgetSet{Stamp: w.stamp(), Limit: Amounts{MoneyMicroUSD: 5_500_000, Attempts: 3}})
			if w.s.Budget != (Amounts{MoneyMicroUSD: 5_500_000, Attempts: 3}) || w.s.Status != before.Status || w.s.Step != before.Step {
				t.Errorf("%+v, %s %s", w.s.Budget, w.s.Status, w.s.Step)
			}
			w.do(BudgetWarned{w.stamp(), "task money", "85 %"})
			w.refuses(BudgetWarned{w.stamp(), "plan money", "90 %"})
			w.do(AttemptBegan{Stamp: w.stamp()})
			w.do(BudgetSet{Stamp: w.stamp(), Limit: Amounts{Wall: time.Hour}})
			w.ends(StatusPassed, Green, 1)
		}},
	})
}

func TestUsageOfEveryRunCounts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(Interrupted{Stamp: w.stamp(), Usage: micro(5), Model: "m"})
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(AgentEnded{w.stamp(), Outcome{End: EndTransient}})
	w.turn()
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(Interrupted{Stamp: w.stamp()})
	w.do(AttemptBegan{Stamp: w.stamp()})
	w.do(AgentEnded{w.stamp(), Outcome{End: EndDone, Usage: micro(3), Model: "m"}})
	s := w.ends(StatusPassed, Green, 1)
	a := s.Recent[0]
	if *s.Usage.CostMicroUSD != 8 || *a.Usage.CostMicroUSD != 8 || a.Runs != 4 || a.CostUnknown != 1 || s.CostUnknown != 1 {
		t.Errorf("%d micro, attempt %d in %d runs, %d unknown", *s.Usage.CostMicroUSD, *a.Usage.CostMicroUSD, a.Runs, a.CostUnknown)
	}
}
