package engine

import (
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Outcome is where a run stands, in the terms that loops and plans share.
type Outcome struct {
	ID, Branch string
	Status     loop.Status
	Reason     loop.Reason
	// Limited is set where a limit paused the run, and no person did.
	Limited bool
	// KeptOn is the branch that keeps the work of a loop that did not pass.
	KeptOn string
}

// LoopOutcome returns the outcome of a loop.
func LoopOutcome(s loop.State) Outcome {
	return Outcome{ID: s.ID, Branch: s.Branch, Status: s.Status, Reason: s.Reason, Limited: s.Stopped(), KeptOn: s.FailureRef}
}

// PlanOutcome returns the outcome of a plan. A plan is paused for a limit only
// where its rule is to pause; one that a person paused has no reason.
func PlanOutcome(s plan.State) Outcome {
	limited := s.Status == loop.Paused && (s.Reason == loop.Budget || s.Reason == loop.ForLimit)
	return Outcome{ID: s.ID, Branch: s.Branch, Status: s.Status, Reason: s.Reason, Limited: limited}
}

// NeedsPerson reports whether the run waits for a person.
func (o Outcome) NeedsPerson() bool { return o.Status == loop.Waiting && o.Reason == loop.ForHuman }
