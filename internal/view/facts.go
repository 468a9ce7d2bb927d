package view

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/recovery"
	"ralph/internal/text"
)

// Facts are what a state alone does not tell: they are found by looking.
type Facts struct {
	// Crashed: the loop is running, but its owner is gone.
	Crashed bool
	// Archived: its files were moved to the archive. It is no status.
	Archived bool
	// Live: an owner holds the loop now; Owner says who.
	Live  bool
	Owner string
	// Overlaps are other active loops with a scope in common.
	Overlaps []Overlap
	// Budgets are those that the loop is paid from.
	Budgets []money.Balance
	// Recovery is what supervisors did for the crashed run since it last made progress.
	Recovery recovery.Record
}

// Item is a loop with what was found about it.
type Item struct {
	State loop.State
	Facts Facts
}

// Crashed is the status shown for a running loop whose owner is gone.
const Crashed loop.Status = "crashed"

// Status is the state's own, or Crashed.
func Status(s loop.State, f Facts) loop.Status {
	if f.Crashed && (s.Status == loop.Running || s.Status == loop.Pending) {
		return Crashed
	}
	return s.Status
}

// Next is the command to type now; empty while the loop runs by itself.
func Next(s loop.State, f Facts) string {
	switch {
	case s.InPlan() && (Status(s, f) == Crashed || forsaken(s, f)):
		return "ralph resume " + s.Parent
	case Status(s, f) == Crashed, forsaken(s, f):
		return "ralph resume " + s.ID
	case s.Status == loop.Pending && f.Live:
		return ""
	case s.Reason == loop.AlreadyGreen && !s.InPlan() && len(s.Gates) == 1:
		return "ralph run " + quoted(s.Task.Text) + " --until " + quoted(s.Gates[0].Run) + " --force"
	case s.Status == loop.Waiting && s.Reason == loop.ForHuman:
		return "ralph answer " + s.ID + " " + proposal(s.Open())
	}
	return s.NextCommand()
}

// quoted is a word for a shell. What is long, or would not survive being shown,
// is left for the person to fill in.
func quoted(s string) string {
	if s != text.Line(s) || len(s) > 200 {
		return `"…"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// harmless is what may stand between double quotes in a command that a person
// will paste. An agent writes the options of its questions.
var harmless = lazyregexp.New(`^[\pL\pN][\pL\pN ._,:/+-]{0,39}$`)

// proposal is an answer to fill in: the default, where one is safe to paste.
func proposal(q *loop.Question) string {
	switch {
	case q == nil:
	case q.Work:
		return "done"
	case harmless.MatchString(q.Default):
		return `"` + q.Default + `"`
	}
	return `"…"`
}
