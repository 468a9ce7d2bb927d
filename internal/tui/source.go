package tui

import (
	"encoding/json"
	"os"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/report"
)

// source is one thing that a log can show: the events, or what the agent or a
// gate printed on one attempt. Its zero value is the events.
type source struct {
	agent bool
	gate  string
	// attempt is a number, 0 for the base.
	attempt int
}

// sources are what there is to follow of a loop, on the attempt given.
func sources(s loop.State, attempt int) []source {
	out := []source{{}}
	if attempt > 0 {
		out = append(out, source{agent: true, attempt: attempt})
	}
	for _, g := range s.Gates {
		out = append(out, source{gate: g.Name, attempt: attempt})
	}
	return out
}

func (s source) name() string {
	switch {
	case s.agent:
		return "agent"
	case s.gate != "":
		return s.gate
	}
	return "events"
}

// path is the file of a source. A gate that is evaluated again, to confirm, has
// a file for each time; an agent that speaks a protocol has its events.
func (s source) path(files engine.Layout, confirm int) string {
	if s.agent {
		if info, err := os.Lstat(files.Events(s.attempt)); err == nil && info.Size() > 0 {
			return files.Events(s.attempt)
		}
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
	_, err := os.Lstat(path)
	return err == nil
}

// eventLine is one recorded event.
func eventLine(r engine.Record, zone *time.Location) string {
	words := "(an event of a newer version)"
	if r.Event != nil {
		words = report.Happened(r.Event)
	}
	return strings.TrimRight(r.At.In(zone).Format("01-02 15:04:05")+"  "+pad(report.Clean(r.Name), 14)+"  "+words, " ")
}

// said is what a line of an agent's protocol tells a person; nothing for what
// only programs need. What is no such line is shown as it is.
func said(line string) []string {
	var e struct {
		Kind, Text, Tool, Path string
	}
	if json.Unmarshal([]byte(line), &e) != nil || e.Kind == "" {
		return []string{line}
	}
	var what string
	for _, part := range []string{e.Tool, e.Path, e.Text} {
		if part != "" {
			what += " " + part
		}
	}
	switch e.Kind {
	case "usage", "session":
		return nil
	case "text", "raw":
		return strings.Split(e.Text, "\n")
	case "tool_use":
		return []string{">" + what}
	case "file_change":
		return []string{"wrote" + what}
	}
	return []string{strings.ReplaceAll(e.Kind, "_", " ") + ":" + what}
}
