package view

import (
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/text"
)

// The names of the formats of an attempt's figures.
const (
	AttemptSchema  = "ralph.attempt/v1"
	AttemptsSchema = "ralph.attempts/v1"
)

// AttemptsObject is `show --attempts --json`.
type AttemptsObject struct {
	Schema   string           `json:"schema"`
	LoopID   string           `json:"loop_id"`
	Attempts []AttemptFigures `json:"attempts"`
}

// AttemptsObject is the object of a loop's attempts.
func (l Loop) AttemptsObject() AttemptsObject {
	return AttemptsObject{AttemptsSchema, l.ID, l.figures()}
}

// AttemptFigures are the analytics of one attempt (seed 001). Null is unknown.
type AttemptFigures struct {
	Schema string `json:"schema"`
	LoopID string `json:"loop_id"`
	N      int    `json:"n"`
	// Approach is normal, shift, expand or shift+expand.
	Approach string  `json:"approach"`
	Verdict  *string `json:"verdict"`
	// Gate is the loop's main gate, Value what the attempt reached in it, Better
	// by how much more than the attempt before.
	Gate      *string     `json:"gate"`
	Value     *float64    `json:"value"`
	Threshold *float64    `json:"threshold"`
	Better    *float64    `json:"better"`
	Tests     *loop.Tests `json:"tests"`

	FailedGate  *string `json:"failed_gate"`
	Fingerprint *string `json:"fingerprint"`
	Error       *string `json:"error"`
	// Repeats is how many attempts running, with this one, failed alike.
	Repeats int `json:"repeats"`

	StartedAt  *time.Time `json:"started_at"`
	EndedAt    *time.Time `json:"ended_at"`
	DurationMS *int64     `json:"duration_ms"`
	AgentMS    int64      `json:"agent_ms"`
	GatesMS    int64      `json:"gates_ms"`
	// Usage of all runs of the attempt; CostUnknown of its Runs reported no cost.
	// Agent is the one that ran last.
	Usage       loop.Usage `json:"usage"`
	CostUnknown int        `json:"cost_unknown"`
	Runs        int        `json:"runs"`
	Agent       *string    `json:"agent"`

	Changed       bool     `json:"changed"`
	Files         []string `json:"files"`
	Commit        *string  `json:"commit"`
	Interruptions int      `json:"interruptions"`
}

func (l Loop) figures() []AttemptFigures {
	gate, threshold, attempts := l.MainGate, l.Floor, l.Attempts
	out := []AttemptFigures{}
	for i, a := range attempts {
		f := AttemptFigures{
			Schema: AttemptSchema, LoopID: l.ID, N: a.N, Approach: approach(a.Approach), Verdict: orNull(string(a.Verdict)),
			Gate: orNull(gate), Threshold: finite(threshold), FailedGate: orNull(a.FailedGate), Fingerprint: orNull(a.Fingerprint),
			Error: orNull(a.Error), Repeats: len(loop.Streak(attempts[:i+1])), StartedAt: timeOrNull(a.StartedAt), EndedAt: timeOrNull(a.EndedAt),
			AgentMS: a.Agent.Duration.Milliseconds(), Usage: usageOf(a), CostUnknown: a.CostUnknown, Runs: a.Runs, Agent: orNull(a.By), Changed: a.Changed, Files: orEmpty(a.Files),
			Commit: orNull(a.Commit), Interruptions: a.Interruptions,
		}
		if !a.StartedAt.IsZero() && !a.EndedAt.IsZero() {
			f.DurationMS = new(max(a.EndedAt.Sub(a.StartedAt), 0).Milliseconds())
		}
		for _, r := range a.Results {
			f.GatesMS += r.Duration.Milliseconds()
		}
		if a.Proof != nil {
			for _, r := range a.Proof.Without {
				f.GatesMS += r.Duration.Milliseconds()
			}
		}
		if r := resultOf(a.Results, gate); r != nil {
			f.Value, f.Tests = finite(r.Value), r.Tests
		}
		if i > 0 && f.Value != nil && out[i-1].Value != nil {
			f.Better = new(*f.Value - *out[i-1].Value)
		}
		out = append(out, f)
	}
	return out
}

// AttemptsTable is the same for people, in 80 columns.
func (l Loop) AttemptsTable(p Palette) string {
	attempts := l.Attempts
	if len(attempts) == 0 {
		return "No attempt yet.\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-4s%-10s%7s%8s%8s%8s%9s%8s%9s  %s\n", "#", "result", "took", "agent", "gates", "value", "failing", "tokens", "cost", "hash")
	for i, f := range l.figures() {
		took, failing := "", ""
		if f.DurationMS != nil {
			took = text.Duration(time.Duration(*f.DurationMS) * time.Millisecond)
		}
		if f.Tests != nil {
			failing = failingOf(*f.Tests)
		}
		value := ""
		if f.Value != nil {
			value = number(f.Value)
		}
		price := "n/a"
		if f.Usage.CostMicroUSD != nil {
			price = money.Show(*f.Usage.CostMicroUSD)
		}
		fmt.Fprintf(&b, "%-4d%s %6s%8s%8s%8s%9s%8s%9s  %s\n", f.N, l.resultCell(attempts[i], p), took,
			text.Duration(time.Duration(f.AgentMS)*time.Millisecond), text.Duration(time.Duration(f.GatesMS)*time.Millisecond),
			value, failing, tokens(f.Usage), price, text.Line(attempts[i].Fingerprint))
	}
	return p.Out(b.String())
}

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
	// Usage of all Runs of the attempt, of which CostUnknown reported no cost; Agent
	// ran last.
	Usage       loop.Usage `json:"usage"`
	CostUnknown int        `json:"cost_unknown"`
	Runs        int        `json:"runs"`
	Agent       *string    `json:"agent"`
	Notes       []string   `json:"notes"`
	StartedAt   *time.Time `json:"started_at"`
	EndedAt     *time.Time `json:"ended_at"`
}

// failingOf is "1/20"; a package that does not build hides how many there are.
func failingOf(t loop.Tests) string {
	if !t.Run.Known() {
		return "unknown"
	}
	return fmt.Sprintf("%d/%d", t.Failed, t.Run)
}

func attemptObjects(attempts []loop.Attempt) []AttemptObject {
	out := []AttemptObject{}
	for _, a := range attempts {
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

// AgentRun is the newest run of an attempt's agent, as the agent reported it.
type AgentRun struct {
	Message *string    `json:"message"`
	Session *string    `json:"session"`
	Model   *string    `json:"model"`
	Usage   loop.Usage `json:"usage"`
	// Version of the agent's program; Tested are those its driver was made for.
	Version  *string `json:"version"`
	Tested   *string `json:"tested"`
	Untested bool    `json:"untested"`
	// Permissions are default or skip; null: its driver gives none.
	Permissions *string `json:"permissions"`
	// Sandbox is the sandbox it ran in: bubblewrap, landlock or none; null: not
	// recorded.
	Sandbox *string `json:"sandbox"`
	// OwnSandboxOff: the program's own sandbox was switched off, since it cannot
	// start inside of ralph's.
	OwnSandboxOff bool `json:"own_sandbox_off,omitempty"`
	// ContextUsed of ContextWindow tokens, in its last request.
	ContextUsed   *int64        `json:"context_used"`
	ContextWindow *int64        `json:"context_window"`
	Denials       []loop.Denial `json:"denials"`
	UnknownLines  int           `json:"unknown_lines"`
}

func agentRun(o loop.Outcome) *AgentRun {
	if o.End == "" {
		return nil
	}
	r := &AgentRun{
		Message: orNull(o.Message), Session: orNull(o.Session), Model: orNull(o.Model), Usage: o.Usage,
		Version: orNull(o.Version), Tested: orNull(o.Tested), Untested: o.Untested, Permissions: orNull(string(o.Permissions)),
		Sandbox: orNull(string(o.Sandbox)), OwnSandboxOff: o.OwnSandboxOff,
		ContextUsed: knownCount(o.ContextUsed), ContextWindow: knownCount(o.ContextWindow),
		Denials: o.Denials, UnknownLines: o.UnknownLines,
	}
	if r.Denials == nil {
		r.Denials = []loop.Denial{}
	}
	return r
}

func knownCount(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}
