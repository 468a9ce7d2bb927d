package tui

import (
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
	"ralph/internal/view"
)

// source is the source of a log. Its zero value is the events.
type source struct {
	kind kind
	gate string
	// attempt is a number, 0 for the base.
	attempt int
}

// kind of a source.
type kind int

// The events; what the agent says and does, as far as it tells, else what it
// prints; what it prints, as it came; what a gate prints.
const (
	ofEvents kind = iota
	ofAgent
	ofOutput
	ofGate
)

// sources returns the sources of a loop for an attempt.
func sources(s loop.State, attempt int) []source {
	out := []source{{}}
	if attempt > 0 {
		out = append(out, source{kind: ofAgent, attempt: attempt}, source{kind: ofOutput, attempt: attempt})
	}
	for _, g := range s.Gates {
		out = append(out, source{kind: ofGate, gate: g.Name, attempt: attempt})
	}
	return out
}

func (s source) name() string {
	switch s.kind {
	case ofAgent:
		return "agent"
	case ofOutput:
		return "output"
	case ofGate:
		return s.gate
	}
	return "events"
}

// same reports whether two sources differ at most in the attempt.
func (s source) same(x source) bool { return s.kind == x.kind && s.gate == x.gate }

// path returns the file of a source. A gate that is evaluated again, to confirm,
// has a file for each evaluation.
func (s source) path(files engine.Layout, confirm int) string {
	switch s.kind {
	case ofAgent:
		if size, err := engine.Size(files.Events(s.attempt)); err == nil && size > 0 {
			return files.Events(s.attempt)
		}
		return files.Output(s.attempt)
	case ofOutput:
		return files.Output(s.attempt)
	}
	for pass := confirm - 1; pass > 0; pass-- {
		if path := files.GateLog(s.attempt, s.gate, pass); isThere(path) {
			return path
		}
	}
	return files.GateLog(s.attempt, s.gate, 0)
}

func isThere(path string) bool {
	_, err := engine.Size(path)
	return err == nil
}

// eventLine formats one recorded event.
func eventLine(r engine.Event, log *view.Log, zone *time.Location) string {
	words := "(an event of a newer version)"
	if e, known := r.Decoded.(loop.Event); known {
		words = log.Happened(e)
	}
	return strings.TrimRight(r.At.In(zone).Format("01-02 15:04:05")+"  "+pad(text.Clean(r.Name), 14)+"  "+words, " ")
}
