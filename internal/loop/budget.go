package loop

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Amounts are a bound on spending (a budget), or the amounts spent. As a bound, a
// part that is zero bounds nothing.
type Amounts struct {
	// MoneyMicroUSD is in millionths of a dollar, Tokens of every kind together.
	MoneyMicroUSD int64 `json:"money_micro_usd,omitempty"`
	Tokens        int64 `json:"tokens,omitempty"`
	Attempts      int64 `json:"attempts,omitempty"`
	// Wall is the time in which at least one agent was at work.
	Wall time.Duration `json:"wall_ns,omitempty"`
}

// Any reports whether an amount is set.
func (a Amounts) Any() bool { return a != Amounts{} }

// Settings are the amounts as flags set them: 2.5USD, tokens=100, attempts=3, wall=1h0m0s.
func (a Amounts) Settings() (all []string) {
	if a.MoneyMicroUSD != 0 {
		all = append(all, strconv.FormatFloat(float64(a.MoneyMicroUSD)/1e6, 'f', -1, 64)+"USD")
	}
	if a.Tokens != 0 {
		all = append(all, "tokens="+strconv.FormatInt(a.Tokens, 10))
	}
	if a.Attempts != 0 {
		all = append(all, "attempts="+strconv.FormatInt(a.Attempts, 10))
	}
	if a.Wall != 0 {
		all = append(all, "wall="+a.Wall.String())
	}
	return all
}

func (a Amounts) negative() bool {
	return min(a.MoneyMicroUSD, a.Tokens, a.Attempts, int64(a.Wall)) < 0
}

// BudgetLevel names the owner of a budget.
type BudgetLevel string

// A session is all runs of one process, or of one supervisor's children; a plan
// is the orchestration that loops belong to; a task is one loop.
const (
	SessionLevel BudgetLevel = "session"
	PlanLevel    BudgetLevel = "plan"
	TaskLevel    BudgetLevel = "task"
)

// OnLimit selects the behavior of a loop while its agent's usage limit is
// spent.
type OnLimit string

// It waits for the reset, lets the next of its agents take over, pauses for a
// person, or asks a person whether it may continue after the reset.
const (
	LimitWait   OnLimit = "wait"
	LimitSwitch OnLimit = "switch"
	LimitPause  OnLimit = "pause"
	LimitAsk    OnLimit = "ask"
)

// Stopped reports whether a limit paused the loop, not a user: its budget is
// used up, or its agent's usage limit is to be decided about.
func (s State) Stopped() bool {
	return s.Status == Paused && (s.Reason == Budget || s.Reason.OfQuota() && s.Agent.OnLimit == LimitPause)
}

// starts reports whether the next action starts an agent: the author, or reviewers.
func (s *State) starts() bool {
	if s.Mode == AgentDriven {
		return false
	}
	return s.Step == StepAgent && !s.Began || s.Step == StepGates && s.Status == Running && Next(*s).Do == DoReview
}

// Held: the agent is not started yet, since its account's provider does not serve,
// the rest of its usage limit is the user's, these are quiet hours, or what is left of
// a budget is reserved by attempts under way.
type Held struct {
	Stamp
	Reason  Reason    `json:"reason"`
	Until   time.Time `json:"until"`
	Message string    `json:"message"`
}

func (Held) Name() string { return "held" }

func (e Held) Describe() string { return because(string(e.Reason), e.Message) }

// apply waits before the agent is started. It uses up nothing.
func (e Held) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	switch {
	case !s.starts() || e.Reason != Budget && s.Step != StepAgent:
		return "no agent is to be started"
	case !e.Reason.OfProvider() && e.Reason != Budget && e.Reason != ForQuiet:
		return fmt.Sprintf("an agent is not held back for %q", e.Reason)
	case !e.Until.After(e.At):
		return "the time to wait until has passed"
	}
	s.pauseAtLimit(e.Reason)
	until := e.Until
	if e.Reason.OfProvider() {
		if s.waitedEnough(e.At, e.Message) {
			return ""
		}
		until = s.withinWait(e.At, until)
	}
	s.wait(e.Reason, until, e.Message)
	s.askAtLimit(e.At)
	return ""
}

// Switched: another of the loop's agents takes over.
type Switched struct {
	Stamp
	Agent Agent  `json:"agent"`
	Why   string `json:"why,omitempty"`
}

func (Switched) Name() string { return "switched" }

func (e Switched) Describe() string { return because("to "+e.Agent.Name, e.Why) }

// apply lets another of the loop's agents take over. A wait for the provider of
// the one before is over with it.
func (e Switched) apply(s *State) string {
	waits := s.AwaitsProvider()
	switch {
	case s.Step != StepAgent || s.Began || s.Status != Running && !waits:
		return "no agent is to be started"
	case !s.mayUse(e.Agent.Name):
		return fmt.Sprintf("agent %q is not one of the loop's", e.Agent.Name)
	}
	if waits {
		s.Status, s.Reason, s.Message, s.Wake = Running, "", "", time.Time{}
	}
	s.Agent = e.Agent.clone()
	return ""
}

func (s *State) mayUse(name string) bool {
	for _, a := range s.Agents {
		if a.Name == name {
			return true
		}
	}
	return false
}

// BudgetSet: a person bounds what the loop may spend from now on. What it used stays.
type BudgetSet struct {
	Stamp
	Limit Amounts `json:"limit"`
	By    string  `json:"by,omitempty"`
}

func (BudgetSet) Name() string { return "budget_set" }

func (e BudgetSet) Describe() string { return strings.Join(e.Limit.Settings(), ", ") }

func (BudgetSet) midStep() bool { return true }

// apply replaces the bound. Of the new one it is said again when most of it is used.
func (e BudgetSet) apply(s *State) string {
	if e.Limit.negative() {
		return "the budget is below zero"
	}
	s.Budget = e.Limit
	s.Warned = slices.DeleteFunc(slices.Clone(s.Warned), func(w string) bool { return strings.HasPrefix(w, string(TaskLevel)+" ") })
	return ""
}

// BudgetWarned: most of a budget is used. Budget names it, as in
// "plan money".
type BudgetWarned struct {
	Stamp
	Budget  string `json:"budget"`
	Message string `json:"message"`
}

func (BudgetWarned) Name() string { return "budget_warned" }

func (e BudgetWarned) Describe() string { return because(e.Budget, e.Message) }

func (BudgetWarned) midStep() bool { return true }

// apply notes that most of a budget is used. It is said once of each.
func (e BudgetWarned) apply(s *State) string {
	if slices.Contains(s.Warned, e.Budget) {
		return "this was said before"
	}
	s.Warned = append(s.Warned, e.Budget)
	if a := s.Last(); a != nil {
		a.Notes = append(a.Notes, "used most of a budget: "+e.Message)
	}
	return ""
}

// BudgetSpent: a budget is used up, and the loop ends, or pauses.
type BudgetSpent struct {
	Stamp
	Budget  string `json:"budget"`
	Message string `json:"message"`
	Pause   bool   `json:"pause,omitempty"`
}

func (BudgetSpent) Name() string { return "budget_spent" }

func (e BudgetSpent) Describe() string { return because(e.Budget, e.Message) }

// apply ends the loop, or pauses it, before the next run of its agent.
func (e BudgetSpent) apply(s *State) string {
	if s.Status != Running {
		return notRunning
	}
	switch {
	case !s.starts():
		return "no agent is to be started"
	}
	level, _, _ := strings.Cut(e.Budget, " ")
	s.SpentLevel = BudgetLevel(level)
	switch {
	case e.Pause:
		s.Status, s.Reason, s.Message, s.PauseAsked, s.PauseWhy = Paused, Budget, e.Message, false, ""
	default:
		s.conclude(e.At, Aborted, Budget, e.Message)
	}
	return ""
}
