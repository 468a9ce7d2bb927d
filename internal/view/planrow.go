package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// mostTasks of a plan stand under it in a list; the others are counted.
const mostTasks = 8

// planRow is a plan in a list, with the tasks that run, ask or have failed
// below it. At most 80 columns, but a command is never cut.
func planRow(b *strings.Builder, i PlanItem, now time.Time, p Palette) {
	done, total := i.progress()
	status := p.status(i.status(), i.State.Reason)
	gap := strings.Repeat(" ", max(1, indent-text.Width(status)))
	room := p.width() - indent
	fmt.Fprintf(b, "%s%s%s %5s %4s\n", status, gap, text.Pad(text.Clip(i.State.ID, room-11), room-11), fmt.Sprintf("%d/%d", done, total), text.Age(i.when(), now))
	under := func(at int, words string, lines int) {
		for _, l := range text.Wrap(words, room-at, lines) {
			fmt.Fprintf(b, "%*s%s\n", indent+at, "", l)
		}
	}
	under(0, "plan "+i.Title()+i.sums(), 2)
	for _, l := range i.words() {
		under(0, l, 2)
	}
	var said []string
	for _, t := range i.shown() {
		mark, words := i.taskRow(t, now)
		for n, l := range text.Wrap(text.Line(t.ID)+"  "+words, room-2, 3) {
			fmt.Fprintf(b, "%*s%s%s\n", indent, "", []string{p.mark(mark) + " ", "  "}[min(n, 1)], l)
		}
		if next := i.taskNext(t); next != "" {
			said = append(said, next)
			fmt.Fprintf(b, "%*s%s\n", indent+2, "", p.dim(next))
		}
	}
	if n := len(i.worth()) - mostTasks; n > 0 {
		fmt.Fprintf(b, "%*sand %s more: %s\n", indent, "", text.Plural(n, "task"), next.Show(text.Line(i.State.ID)))
	}
	if next := text.Line(i.next()); next != "" && !slices.ContainsFunc(said, func(c string) bool { return sameCommand(c, next) }) {
		fmt.Fprintf(b, "%*s%s\n", indent, "", p.dim(next))
	}
	if take := next.Take(i.State, i.Facts.Archived); take != "" {
		fmt.Fprintf(b, "%*s%s\n", indent, "", p.dim(take+"  takes what landed"))
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

// sums are the counts and the cost, behind the title.
func (i PlanItem) sums() string {
	out := ""
	if t := i.tally(); t != "" {
		out += " · " + t
	}
	if u, unknown := i.usage(); u.CostMicroUSD != nil && i.Whole {
		out += " · " + costOf(u, unknown)
	}
	return out
}

// words describe the state of the plan itself.
func (i PlanItem) words() []string {
	s := i.State
	var out []string
	switch q := s.OpenQuestion(); {
	case i.Facts.Crashed:
		out = append(out, crashedPlan(i.Facts))
	case q != nil:
		for _, q := range s.OpenQuestions() {
			out = append(out, "asks: "+asked(&q.Question))
		}
	case s.Status.Terminal(), s.Status == loop.Paused, s.Status == loop.Waiting && s.Reason != loop.ForHuman:
		if s.Message != "" {
			out = append(out, text.Line(s.Message))
		}
	}
	if s.Note != "" {
		out = append(out, "! "+text.Line(s.Note))
	}
	if n := len(s.Open()); n > 0 {
		out = append(out, fmt.Sprintf("gaps and edge cases open: %d", n))
	}
	if s.Status.Terminal() && s.Tip != s.Base {
		out = append(out, "landed on "+text.Line(s.Branch)+" at "+short(s.Tip))
	}
	return out
}

// worth returns the tasks that a person may want to look at: those that run,
// ask, or have failed. Of a plan that passed there are none: nothing of it is
// open.
func (i PlanItem) worth() []PlanTask {
	var out []PlanTask
	if i.State.Status == loop.StatusPassed {
		return nil
	}
	for _, t := range PlanRunOf(i.State, i.Facts).Tasks {
		if t.stirs() || t.Status == plan.Failed {
			out = append(out, t)
		}
	}
	return out
}

// stirs reports whether work on the task is under way or waits to continue.
func (t PlanTask) stirs() bool {
	switch t.Status {
	case plan.Running, plan.Landing, plan.Reviewed, plan.Approving:
		return true
	}
	return false
}

func (i PlanItem) shown() []PlanTask {
	all := i.worth()
	return all[:min(len(all), mostTasks)]
}

// taskRow returns the mark of a task below its plan, and its state.
func (i PlanItem) taskRow(t PlanTask, now time.Time) (mark, words string) {
	s := t.record
	l, found := i.loopOf(cmp.Or(s.Repair, s.Loop))
	title := text.Clip(t.Title, 60)
	switch {
	case t.Status == plan.Failed:
		return "✗", title + ": " + i.whyFailed(s, l, found)
	case resting(t) && found && !l.State.Status.Terminal():
		return "○", title + ": " + stopped(l.State, l.Facts, now)
	case i.asks(s):
		if found {
			return "?", title + " " + needsBy(l, now)
		}
		if ask := i.askOf(t.ID); ask != nil {
			return "?", title + " asks: " + asked(&ask.Question)
		}
		return "?", title + " waits for a person"
	case t.Status == plan.Landing && s.Repair != "":
		return "●", title + ": does not fit what landed before; " + text.Line(s.Repair) + " repairs it"
	case t.Status == plan.Landing:
		return "●", title + ": landing"
	case found && groupOf(l) == running:
		return "●", fmt.Sprintf("%s: %s, attempt %s", title, doing(l.State), iteration(l.State))
	case found && !l.State.Status.Terminal():
		return "○", title + ": " + stopped(l.State, l.Facts, now)
	}
	return "●", title
}

// whyFailed describes why a task failed and where its work is.
func (i PlanItem) whyFailed(t plan.TaskState, l Item, found bool) string {
	words := text.Line(cmp.Or(t.Message, string(t.Reason)))
	if found && l.State.FailureRef != "" {
		words += "; kept on " + text.Line(l.State.FailureRef)
	}
	return words
}
