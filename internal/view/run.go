package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// Run is what a loop and a plan have in common. Item.Run and PlanItem.Run build it,
// and every list shows it: groups, order, counts, status, why, and what to type.
type Run struct {
	// Title is the task of a loop, or the title of a plan, as it was written.
	ID, Title string
	// Of is the plan that a loop, or a plan in the place of a task, works for; empty is none.
	Of string
	// Plan: it is a plan. Driven: it is a loop that its agent drives.
	Plan, Driven bool

	Status  loop.Status
	Reason  loop.Reason
	Message string
	Group   Group
	// Live: a process runs it. Crashed: its process is gone.
	Live, Crashed, Archived, PauseAsked bool

	// Progress is "3/5": attempts of a loop, tasks of a plan. Since is the time whose
	// age a list shows.
	Progress                  string
	StartedAt, EndedAt, Since time.Time
	// Agent is the name of a loop's agent.
	Agent string
	// Cost is that of a plan's loops too.
	Cost Cost

	// Question is the oldest open one; nil is none. Asks counts all that are open, those of
	// a plan's tasks too.
	Question *loop.Question
	Asks     int
	// Details are the lines of a list below the run: what it is, then what there is to
	// know, most telling first. They are safe to show.
	Details []string
	// Tasks of a plan that run, ask or have failed; More counts those left out.
	Tasks []TaskRow
	More  int
	// Parts are the loops of a plan that stand for its tasks now, and those of the whole;
	// others were replaced by a later one.
	Parts []string
	// Next is the command to type now; empty while it runs by itself. Take accepts
	// what landed of a plan that ended short of its goal, Again continues with the rest.
	// AgainArgs are the arguments of Again in the background; nil where a person has to fill
	// in a value.
	Next, Take, Again string
	AgainArgs         []string

	// Clash is the conflict that kept its work from being accepted; nil is none.
	Clash *loop.Clash

	// marked is the reason that the mark of the status shows.
	marked loop.Reason
}

// TaskRow is a task in a list, below its plan.
type TaskRow struct{ Mark, Words, Next string }

// Row is a run of a list as a screen shows it. All of it is safe to show.
type Row struct {
	// Status is the mark and the word, in the colours of the palette.
	Status string
	// Progress is "3/5", Age in one unit since the run started, stopped or ended. Cost is as
	// Cost.Short returns it.
	ID, Progress, Age, Cost string
	Details                 []string
	// Next is the command to type now, whole.
	Next string
}

// Row returns the run in the marks and colours of a screen.
func (r Run) Row(now time.Time, p Palette) Row {
	return Row{
		Status: p.Out(p.status(r.Status, r.marked)), ID: text.Line(r.ID), Progress: r.Progress, Age: text.Age(r.Since, now), Cost: r.Cost.Short(),
		Details: p.outAll(slices.Clone(r.Details)), Next: p.Out(text.Line(r.Next)),
	}
}

// indent is where the words of a row begin: behind "? needs you  ".
const indent = 13

// row writes the run and what stands below it. At most as wide as the screen, but a
// command is never cut.
func (r Run) row(b *strings.Builder, now time.Time, p Palette) {
	row := r.Row(now, p)
	gap := strings.Repeat(" ", max(1, indent-text.Width(row.Status)))
	room := p.width() - indent
	fmt.Fprintf(b, "%s%s%s %5s %4s\n", row.Status, gap, text.Pad(text.Clip(row.ID, room-11), room-11), row.Progress, row.Age)
	under := func(at int, s string) { fmt.Fprintf(b, "%*s%s\n", indent+at, "", s) }
	for _, d := range row.Details {
		for _, l := range detailLines(d, room) {
			under(0, l)
		}
	}
	told := false // a command for the same run in the same way stands above
	for _, t := range r.Tasks {
		for n, l := range text.Wrap(text.Line(t.Words), room-2, mostAsked) {
			under(0, []string{p.mark(t.Mark) + " ", "  "}[min(n, 1)]+l)
		}
		if t.Next != "" {
			told = told || sameCommand(t.Next, row.Next)
			under(2, p.dim(t.Next))
		}
	}
	if r.More > 0 {
		under(0, fmt.Sprintf("and %s more: %s", text.Plural(r.More, "task"), next.Show(row.ID)))
	}
	if row.Next != "" && !told {
		under(0, p.dim(row.Next))
	}
	if r.Again != "" && r.Again != row.Next {
		does := "to try the rest again:"
		if r.Status == loop.StatusPassed {
			does = "to run the rest:"
		}
		under(0, does)
		under(2, p.dim(r.Again))
	}
	if r.Take != "" {
		under(0, "to take what landed:")
		under(2, p.dim(r.Take))
	}
}

// sameCommand: both speak to the same loop in the same way.
func sameCommand(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	return len(x) > 2 && len(y) > 2 && x[1] == y[1] && x[2] == y[2]
}

func (p Palette) mark(m string) string {
	switch m {
	case "✗":
		return p.bad(m)
	case "?":
		return p.ask(m)
	}
	return m
}
