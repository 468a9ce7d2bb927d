package report

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"ralph/internal/loop"
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
	return cmp.Or(line(a.Name), line(a.Use), "agent") + a.mark()
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

// duration is short: 0.3s, 41s, 3m12s, 1h04m, 2d03h.
func duration(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%dd%02dh", d/(24*time.Hour), d%(24*time.Hour)/time.Hour)
}

// age is how long ago t was, in one unit; empty where t is unknown.
func age(t, now time.Time) string {
	if t.IsZero() {
		return ""
	}
	switch d := max(now.Sub(t), 0); {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	case d < 48*time.Hour:
		return fmt.Sprintf("%dh", d/time.Hour)
	default:
		return fmt.Sprintf("%dd", d/(24*time.Hour))
	}
}

// clock shows t in the zone of now, with the day where it is another one.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) != now.Format(time.DateOnly) {
		return t.Format("2006-01-02 15:04")
	}
	return t.Format("15:04")
}

// short is the usual abbreviation of a commit.
func short(commit string) string {
	commit = line(commit)
	return commit[:min(len(commit), 7)]
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
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
		out = append(out, line(name))
	}
	s := strings.Join(out, ", ")
	if more := len(names) - n; more > 0 {
		s += fmt.Sprintf(" +%d more", more)
	}
	return s
}
