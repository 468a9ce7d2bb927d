package view

import (
	"cmp"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/text"
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
	// RetriedBy is the newer loop that does the task; empty is none.
	RetriedBy string `json:"retried_by,omitempty"`

	// red are the gates that failed in the last attempt that did not pass.
	red []loop.Result
}

// stopped reports whether a person ended the run, or started another one for its task: it needs
// no attention.
func (t FailedTask) stopped() bool { return t.Reason == loop.Manual || t.RetriedBy != "" }

// failures returns the runs that failed by themselves, or those that a person dealt with.
func (r Summary) failures(stopped bool) []FailedTask {
	return slices.DeleteFunc(slices.Clone(r.Failed), func(t FailedTask) bool { return t.stopped() != stopped })
}

// stoppedWords are why a person ended the run or which one does its task, and where its work is
// kept.
func (t FailedTask) stoppedWords() string {
	words := cmp.Or(text.SpacedLine(t.Error), "no reason given")
	if t.RetriedBy != "" {
		words = "retried by " + text.Line(t.RetriedBy) + "; it had failed: " + words
	}
	if t.Branch != nil {
		words += "; kept on " + text.Line(*t.Branch)
	}
	return words
}

// lastGate is the gate that failed last, as code, or that there is none.
func (t FailedTask) lastGate() string {
	switch {
	case t.LastGate != nil:
		return code(*t.LastGate)
	case t.Attempts == 0:
		return "none, no attempt was judged"
	}
	return "none failed"
}

func (l Loop) failure() FailedTask {
	t := FailedTask{
		LoopID: l.ID, Task: l.Spec.Task.Text, Status: l.Status, Reason: l.Reason,
		Attempts: l.Made, MaxAttempts: l.Spec.Limits.MaxIterations,
		Branch: orNull(l.KeptOn), Error: l.Message, RetriedBy: l.RetriedBy,
		Stuck: l.Stuck, StuckWhy: l.StuckWhy, QualityWarnings: l.qualityWarnings(), Cost: costOf(l.Usage, l.CostUnknown), Next: l.Next, Agent: agentObject(l.Spec.Agent),
	}
	if a := l.Failed; a != nil {
		t.red = redOf(a.Results)
		t.LastGate, t.Fingerprint = orNull(a.FailedGate), orNull(a.Fingerprint)
		if a.Error != "" {
			t.Error = a.Error
		}
	}
	return t
}

// qualityWarnings counts soft gates that did not pass, of the newest round.
func (l Loop) qualityWarnings() int {
	n := 0
	for _, r := range l.Results {
		if r.Level == loop.Soft && (r.Verdict == loop.Failed || r.Verdict == loop.Error) {
			n++
		}
	}
	return n
}
