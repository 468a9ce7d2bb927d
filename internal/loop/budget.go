package loop

import (
	"fmt"
	"slices"
	"time"
)

// Amounts bound what may be spent (a budget), or say what was. As a bound, a part
// that is zero bounds nothing.
type Amounts struct {
	// MoneyMicroUSD is in millionths of a dollar, Tokens of every kind together.
	MoneyMicroUSD int64 `json:"money_micro_usd,omitempty"`
	Tokens        int64 `json:"tokens,omitempty"`
	Attempts      int64 `json:"attempts,omitempty"`
	// Wall is the time in which at least one agent was at work.
	Wall time.Duration `json:"wall_ns,omitempty"`
}

// Any says whether something is bounded.
func (a Amounts) Any() bool { return a != Amounts{} }

// BudgetLevel says whose budget it is.
type BudgetLevel string

// A session is what one process runs, or what one supervisor has others run; a
// plan is the orchestration that loops belong to; a task is one loop.
const (
	SessionLevel BudgetLevel = "session"
	PlanLevel    BudgetLevel = "plan"
	TaskLevel    BudgetLevel = "task"
)

// OnLimit is what a loop does while its agent's usage limit is spent.
type OnLimit string

// It waits for the reset, lets the next of its agents take over, or pauses for a
// person.
const (
	LimitWait   OnLimit = "wait"
	LimitSwitch OnLimit = "switch"
	LimitPause  OnLimit = "pause"
)

// AgentSpent is what the runs of one agent have used, with one model.
type AgentSpent struct {
	Name  string `json:"name"`
	Use   string `json:"use"`
	Model string `json:"model,omitempty"`
	// Review: it was asked about the work of others.
	Review bool  `json:"review,omitempty"`
	Runs   int   `json:"runs"`
	Usage  Usage `json:"usage"`
	// CostUnknown counts the runs whose cost nobody told.
	CostUnknown int `json:"cost_unknown,omitempty"`
}

// Stopped says whether a limit has paused the loop, and no person: its budget is
// used up, or its agent's usage limit is to be decided about.
func (s State) Stopped() bool {
	return s.Status == Paused && (s.Reason == Budget || s.Reason == ForLimit && s.Agent.OnLimit == LimitPause)
}

// starts says whether an agent is to be started: the author, or reviewers.
func (s *State) starts() bool {
	if s.Mode == AgentDriven {
		return false
	}
	return s.Step == StepAgent && !s.Began || s.Step == StepGates && s.Status == Running && Next(*s).Do == DoReview
}

// takeHeld waits before the agent is started. It uses up nothing.
func (s *State) takeHeld(e Held) string {
	switch {
	case !s.starts() || e.Reason == ForLimit && s.Step != StepAgent:
		return "no agent is to be started"
	case e.Reason != ForLimit && e.Reason != Budget:
		return fmt.Sprintf("an agent is not held back for %q", e.Reason)
	case !e.Until.After(e.At):
		return "the time to wait until has passed"
	}
	if e.Reason == ForLimit && s.Agent.OnLimit == LimitPause {
		s.PauseAsked = true
	}
	s.wait(e.Reason, e.Until, e.Message)
	return ""
}

// takeSwitched lets another of the loop's agents go on. A wait for the limit of
// the one before is over with it.
func (s *State) takeSwitched(e Switched) string {
	limited := s.Status == Waiting && s.Reason == ForLimit
	switch {
	case s.Step != StepAgent || s.Began || s.Status != Running && !limited:
		return "no agent is to be started"
	case !s.mayUse(e.Agent.Name):
		return fmt.Sprintf("agent %q is not one of the loop's", e.Agent.Name)
	}
	if limited {
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

// takeWarned notes that most of a budget is used. It is said once of each.
func (s *State) takeWarned(e BudgetWarned) string {
	if slices.Contains(s.Warned, e.Budget) {
		return "this was said before"
	}
	s.Warned = append(s.Warned, e.Budget)
	if a := s.Last(); a != nil {
		a.Notes = append(a.Notes, "used most of a budget: "+e.Message)
	}
	return ""
}

// takeSpent ends the loop, or pauses it, before the next run of its agent.
func (s *State) takeSpent(e BudgetSpent) string {
	switch {
	case !s.starts():
		return "no agent is to be started"
	case e.Pause:
		s.Status, s.Reason, s.Message, s.PauseAsked, s.PauseWhy = Paused, Budget, e.Message, false, ""
	default:
		s.conclude(e.At, Aborted, Budget, e.Message)
	}
	return ""
}

// spend adds what a run of the agent has used, to the loop, to its attempt and
// to the agent's account. told: the run did something that costs.
func (s *State) spend(u Usage, model string, costly bool) {
	a := s.Last()
	s.Usage, a.Usage = s.Usage.Add(u), a.Usage.Add(u)
	a.Runs++
	a.By = s.Agent.Name
	if model == "" {
		model = s.Agent.Model
	}
	by := s.account(AgentSpent{Name: s.Agent.Name, Use: s.Agent.Use, Model: model})
	by.Runs++
	by.Usage = by.Usage.Add(u)
	if costly && u.CostMicroUSD == nil {
		by.CostUnknown++
		a.CostUnknown++
		s.CostUnknown++
	}
}

// account of an agent with a model, as the author or as a reviewer.
func (s *State) account(of AgentSpent) *AgentSpent {
	for i := range s.Spent {
		if p := &s.Spent[i]; p.Name == of.Name && p.Use == of.Use && p.Model == of.Model && p.Review == of.Review {
			return p
		}
	}
	s.Spent = append(s.Spent, of)
	return &s.Spent[len(s.Spent)-1]
}

// consulted adds what reviewers have used, whatever came of it.
func (s *State) consulted(all []AgentSpent) {
	for _, v := range all {
		u := v.Usage.clone().Sound()
		a := s.Last()
		s.Usage, a.Usage = s.Usage.Add(u), a.Usage.Add(u)
		s.CostUnknown, a.CostUnknown = s.CostUnknown+v.CostUnknown, a.CostUnknown+v.CostUnknown
		by := s.account(AgentSpent{Name: v.Name, Use: v.Use, Model: v.Model, Review: true})
		by.Runs, by.Usage, by.CostUnknown = by.Runs+v.Runs, by.Usage.Add(u), by.CostUnknown+v.CostUnknown
	}
	s.Usage, s.Spent = s.Usage.clone(), each(s.Spent, AgentSpent.clone)
	if a := s.Last(); a != nil {
		a.Usage = a.Usage.clone()
	}
}

// Costly says whether a run can have cost something although nobody told what:
// one that its provider refused at the door has not.
func (o Outcome) Costly() bool {
	switch o.End {
	case EndLimit, EndTransient, EndPermanent:
		used := o.Usage.Sound().TotalTokens()
		return used != nil && *used > 0 || o.Usage != o.Usage.Sound()
	}
	return true
}

// TotalTokens sums the kinds that are known; nil where none is.
func (u Usage) TotalTokens() *int64 {
	var sum *int64
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens} {
		sum = plus(sum, n)
	}
	return sum
}
