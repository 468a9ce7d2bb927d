package learn

import (
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// MemorySchema is the name of Memory's format.
const MemorySchema = "ralph.memory/v1"

// Memory is the record of one loop: its failures, the changes that fixed them,
// and the lessons for other loops.
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
	// First and Last are the attempts with the failure (0 is the base), Times
	// their number.
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
func Remember(s loop.Whole, files Files) Memory {
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

// The most that one pattern keeps, in bytes or in pieces. Together they keep a
// pattern below 8 KiB, and a memory of a thousand of them below 8 MiB.
const (
	mostSummary = 160
	mostName    = 120
	mostLines   = 12
	mostError   = 1000
	mostDiff    = 2000
	mostText    = 2000
	mostFiles   = 20
	mostPath    = 200
	mostWords   = 40
	mostSources = 5
	mostGlobs   = 10
)

// name is a short foreign text on one line.
func name(s string, most int) string { return text.Head(text.Line(s), most) }

// names are at most so many of them; empty ones are left out.
func names(all []string, most, bytes int) []string {
	var out []string
	for _, s := range all {
		if s = name(s, bytes); s != "" && len(out) < most {
			out = append(out, s)
		}
	}
	return out
}

const more = "[... cut ...]"

// whole keeps whole lines from the beginning and marks the cut.
func whole(s string, most int) string {
	if len(s) <= most {
		return s
	}
	most -= len(more) + 1
	if most <= 0 {
		return ""
	}
	head := s[:text.Boundary(s, most)]
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	return head + "\n" + more
}
