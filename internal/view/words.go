package view

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
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
	return fmt.Sprintf("%d/%d", s.Made(), s.Limits.MaxIterations)
}

// numbered is iteration with the number of the attempt that an event is about: one whose dispute is
// open has its number, although it does not count.
func numbered(s loop.State) string {
	if s.Disputing() {
		return fmt.Sprintf("%d/%d", s.Iteration, s.Limits.MaxIterations)
	}
	return iteration(s)
}

// progress is "3/5" while attempts are left to make, and the number of attempts of a loop
// that passed.
func progress(s loop.State) string {
	if s.Status == loop.StatusPassed {
		return strconv.Itoa(s.Made())
	}
	return iteration(s)
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
		out = append(out, text.Name(name))
	}
	s := strings.Join(out, ", ")
	if more := len(names) - n; more > 0 {
		s += fmt.Sprintf(" +%d more", more)
	}
	return s
}

// Palette describes what a screen can show. The zero value is plain text in UTF-8.
type Palette struct {
	// Color allows the eight colours; ASCII replaces our own marks.
	Color, ASCII bool
	// Width is the number of columns of a terminal; 0 is none, and means 80 where lines are
	// laid out.
	Width int
}

func (p Palette) width() int {
	if p.Width <= 0 {
		return 80
	}
	return max(p.Width, 40)
}

func (p Palette) paint(code, s string) string {
	if !p.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (p Palette) good(s string) string { return p.paint("32", s) }
func (p Palette) bad(s string) string  { return p.paint("31", s) }
func (p Palette) ask(s string) string  { return p.paint("33", s) }
func (p Palette) dim(s string) string  { return p.paint("2", s) }
func (p Palette) bold(s string) string { return p.paint("1", s) }

// verdict is a gate's mark in its colour.
func (p Palette) verdict(v loop.Verdict) string {
	switch v {
	case loop.Passed:
		return p.good("✓")
	case loop.Skipped, "":
		return p.dim("·")
	}
	return p.bad("✗")
}

// status is a status' mark and word in its colour.
func (p Palette) status(st loop.Status, r loop.Reason) string {
	switch {
	case r == loop.Left:
		return p.dim("→ moved")
	case r == loop.ForMove && st == loop.Paused:
		return p.ask("? moving")
	}
	switch st {
	case loop.StatusPassed:
		return p.good("✓ passed")
	case loop.StatusFailed, loop.Aborted, Crashed:
		return p.bad("✗ " + string(st))
	case loop.Waiting:
		if r.NeedsPerson() {
			return p.ask("? needs you")
		}
		return p.ask("○ waiting")
	case loop.Running:
		return "● running"
	}
	return "○ " + string(st)
}

// Out is the last step of every text: our marks, if the screen has them, else
// what stands for them in ASCII.
func (p Palette) Out(s string) string {
	if !p.ASCII {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		if text.Width(line) <= p.width() && text.Width(line)+2 > p.width() {
			line = cutMark.ReplaceAllStringFunc(line, func(string) string { return "…" })
		}
		lines[i] = inASCII.Replace(line)
	}
	return strings.Join(lines, "\n")
}

var (
	inASCII = strings.NewReplacer(
		"✓", "+", "✗", "x", "●", "*", "○", "o", "·", "-", "→", "->", "—", "-", "–", "-",
		"…", "...", "×", "x", "≥", ">=", "−", "-",
	)
	// cutMark is the mark of a cut and what makes room for it in ASCII, where it takes
	// two columns more.
	cutMark = lazyregexp.New(`\S\S…`)
)

func (p Palette) outAll(lines []string) []string {
	for i := range lines {
		lines[i] = p.Out(lines[i])
	}
	return lines
}
