package view

import (
	"time"

	"ralph/internal/loop"
)

// AttemptObject sums an attempt up.
type AttemptObject struct {
	N int `json:"n"`
	// Approach is normal, shift, expand or shift+expand.
	Approach string `json:"approach"`
	// Verdict is null while the attempt is under way.
	Verdict       *string   `json:"verdict"`
	FailedGate    *string   `json:"failed_gate"`
	Fingerprint   *string   `json:"fingerprint"`
	Error         *string   `json:"error"`
	Commit        *string   `json:"commit"`
	Changed       bool      `json:"changed"`
	Files         []string  `json:"files"`
	AgentEnd      *string   `json:"agent_end"`
	AgentRun      *AgentRun `json:"agent_run"`
	Interruptions int       `json:"interruptions"`
	// Usage of all Runs of the attempt, of which CostUnknown told no cost; Agent
	// ran last.
	Usage       loop.Usage `json:"usage"`
	CostUnknown int        `json:"cost_unknown"`
	Runs        int        `json:"runs"`
	Agent       *string    `json:"agent"`
	Notes       []string   `json:"notes"`
	StartedAt   *time.Time `json:"started_at"`
	EndedAt     *time.Time `json:"ended_at"`
}

func attemptObjects(s loop.State) []AttemptObject {
	out := []AttemptObject{}
	for _, a := range s.Attempts {
		out = append(out, AttemptObject{
			N: a.N, Approach: approach(a.Approach), Verdict: orNull(string(a.Verdict)),
			FailedGate: orNull(a.FailedGate), Fingerprint: orNull(a.Fingerprint), Error: orNull(a.Error),
			Commit: orNull(a.Commit), Changed: a.Changed, Files: orEmpty(a.Files),
			AgentEnd: orNull(string(a.Agent.End)), AgentRun: agentRun(a.Agent), Interruptions: a.Interruptions,
			Usage: usageOf(a), CostUnknown: a.CostUnknown, Runs: a.Runs, Agent: orNull(a.By), Notes: orEmpty(a.Notes),
			StartedAt: timeOrNull(a.StartedAt), EndedAt: timeOrNull(a.EndedAt),
		})
	}
	return out
}

func orEmpty(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

func approach(a loop.Approach) string {
	switch {
	case a.Shift && a.Expand:
		return "shift+expand"
	case a.Shift:
		return "shift"
	case a.Expand:
		return "expand"
	}
	return "normal"
}
