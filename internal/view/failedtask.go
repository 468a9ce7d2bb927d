package view

import (
	"fmt"

	"ralph/internal/loop"
)

// FailedTask has the fields of seed 004's failure report. Aborted loops and
// those whose time ran out are among them.
type FailedTask struct {
	LoopID string      `json:"loop_id"`
	Task   string      `json:"task"`
	Status loop.Status `json:"status"`
	Reason loop.Reason `json:"reason"`

	Attempts    int `json:"attempts"`
	MaxAttempts int `json:"max_attempts"`
	// LastGate and Branch are null where there is none.
	LastGate    *string `json:"last_gate"`
	Branch      *string `json:"branch"`
	Error       string  `json:"error"`
	Fingerprint *string `json:"fingerprint"`
	Stuck       bool    `json:"stuck"`
	// StuckWhy explains the answer either way.
	StuckWhy        string      `json:"stuck_why"`
	QualityWarnings int         `json:"quality_warnings"`
	Cost            string      `json:"cost"`
	Next            string      `json:"next"`
	Agent           AgentObject `json:"agent"`
	PlanID          *string     `json:"plan_id"`
	TaskID          *string     `json:"task_id"`
}

func failedTask(i Item) FailedTask {
	s := i.State
	t := FailedTask{
		LoopID: s.ID, Task: s.Task.Text, Status: s.Status, Reason: s.Reason,
		Attempts: s.Iteration, MaxAttempts: s.Limits.MaxIterations,
		Branch: orNull(s.FailureRef), Error: s.Message,
		QualityWarnings: qualityWarnings(s), Cost: costOf(s.Usage, s.CostUnknown), Next: Next(s, i.Facts), Agent: agentObject(s.Agent),
	}
	if a := failed(s); a != nil {
		t.LastGate, t.Fingerprint = orNull(a.FailedGate), orNull(a.Fingerprint)
		if a.Error != "" {
			t.Error = a.Error
		}
	}
	t.Stuck, t.StuckWhy = stuck(s, i.Facts.attempts(s))
	return t
}

// stuck reports whether the loop ended in a streak of the same failure, and why.
func stuck(s loop.State, attempts []loop.Attempt) (bool, string) {
	n := streak(s)
	shifts := 0
	for _, a := range attempts[max(0, len(attempts)-n):] {
		if a.Approach.Shift {
			shifts++
		}
	}
	yes := s.Reason == loop.Stuck || s.Limits.StuckAfter > 0 && n >= s.Limits.StuckAfter
	switch {
	case n == 0:
		return yes, "no gate failed twice alike"
	case !yes:
		return false, fmt.Sprintf("last error seen %d×", n)
	case shifts == 0:
		return true, fmt.Sprintf("same error %d×", n)
	}
	return true, fmt.Sprintf("same error %d×, strategy shift failed", n)
}

// qualityWarnings counts soft gates that did not pass, of the newest round.
func qualityWarnings(s loop.State) int {
	_, results := newestRound(s)
	n := 0
	for _, r := range results {
		if r.Level == loop.Soft && (r.Verdict == loop.Failed || r.Verdict == loop.Error) {
			n++
		}
	}
	return n
}
