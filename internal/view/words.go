package view

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// The drivers that are no model (package agent).
const (
	scripted = "script"
	person   = "human"
)

// agentName labels an agent that is no model.
func agentName(a loop.Agent) string { return agentObject(a).label() }

func agentObject(a loop.Agent) AgentObject {
	o := AgentObject{Name: a.Name, Use: a.Use, Scripted: a.Use == scripted, Person: a.Use == person, Model: a.Model}
	if a.Permissions == loop.PermissionsSkip {
		o.Permissions = string(a.Permissions)
	}
	return o
}

func (a AgentObject) label() string {
	return cmp.Or(text.Line(a.Name), text.Line(a.Use), "agent") + a.mark()
}

// mark is empty for a model, and stands where the agent's name does not.
func (a AgentObject) mark() string {
	switch {
	case a.Scripted:
		return " (scripted)"
	case a.Person:
		return " (a person)"
	}
	return ""
}

// short is the usual abbreviation of a commit.
func short(commit string) string {
	commit = text.Line(commit)
	return commit[:min(len(commit), 7)]
}

// iteration is "3/5".
func iteration(s loop.State) string {
	return fmt.Sprintf("%d/%d", s.Iteration, s.Limits.MaxIterations)
}

// number shows a value to four digits.
func number(v *float64) string {
	if finite(v) == nil {
		return "n/a"
	}
	return fmt.Sprintf("%.4g", math.Trunc(*v*100)/100) // 79.999 is not 80
}

// listed joins at most n names and counts the others.
func listed(names []string, n int) string {
	out := make([]string, 0, n)
	for _, name := range names[:min(len(names), n)] {
		out = append(out, text.Line(name))
	}
	s := strings.Join(out, ", ")
	if more := len(names) - n; more > 0 {
		s += fmt.Sprintf(" +%d more", more)
	}
	return s
}
