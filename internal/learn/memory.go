package learn

import (
	"time"

	"ralph/internal/loop"
)

// MemorySchema is the name of Memory's format.
const MemorySchema = "ralph.memory/v1"

// Memory is what one loop remembers of its own: what failed, which change ended
// it, and what others can learn from it.
type Memory struct {
	Schema     string      `json:"schema"`
	LoopID     string      `json:"loop_id"`
	TaskID     string      `json:"task_id"`
	Task       string      `json:"task"`
	Agent      string      `json:"agent"`
	Status     loop.Status `json:"status"`
	Reason     loop.Reason `json:"reason"`
	Message    string      `json:"message"`
	Iterations int         `json:"iterations"`
	StartedAt  time.Time   `json:"started_at"`
	EndedAt    time.Time   `json:"ended_at"`
	Failures   []Failure   `json:"failures"`
	// Taught are the patterns that were taken from this loop.
	Taught []Pattern `json:"taught"`
}

// Failure is one way in which a gate failed.
type Failure struct {
	Gate        string `json:"gate"`
	Fingerprint string `json:"fingerprint"`
	// First and Last are the attempts that had it (0 is the base), Times how
	// many did.
	First int `json:"first"`
	Last  int `json:"last"`
	Times int `json:"times"`
	// Reason is the gate's sentence, Error the first lines it printed.
	Reason string   `json:"reason"`
	Error  []string `json:"error"`
	// FixedBy is the attempt that ended it, Files what was changed since Last.
	FixedBy *int     `json:"fixed_by"`
	Files   []string `json:"files"`
}

// mostFailures bounds the file of a loop with very many attempts; the newest
// stay.
const mostFailures = 100

// Remember is the memory of an ended loop.
func Remember(s loop.State, files Files) Memory {
	h := history(s, files)
	m := Memory{
		Schema: MemorySchema, LoopID: s.ID, TaskID: s.Task.ID, Task: s.Task.Text, Agent: s.Agent.Name,
		Status: s.Status, Reason: s.Reason, Message: s.Message, Iterations: s.Iteration,
		StartedAt: s.StartedAt.UTC(), EndedAt: s.EndedAt.UTC(),
		Failures: []Failure{}, Taught: append([]Pattern{}, h.extract()...),
	}
	for _, f := range h.failures[max(0, len(h.failures)-mostFailures):] {
		out := Failure{
			Gate: f.gate, Fingerprint: f.fingerprint, First: f.first, Last: f.last, Times: f.times,
			Reason: name(f.result.Reason, 2*mostPath), Error: append([]string{}, f.lines...), Files: []string{},
		}
		if n := len(f.fix); n > 0 {
			out.FixedBy, out.Files = new(f.fix[n-1].N), append(out.Files, filesOf(f.fix)...)
		}
		m.Failures = append(m.Failures, out)
	}
	return m
}
