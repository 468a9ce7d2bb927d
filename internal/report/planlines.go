package report

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanLines tell one event of a plan's run; nothing where it says nothing new.
func PlanLines(s plan.State, e plan.Event, p Palette) []string {
	line := planLine(s, e, p)
	if line == "" {
		return nil
	}
	return p.outAll([]string{line})
}

func planLine(s plan.State, e plan.Event, p Palette) string {
	switch e := e.(type) {
	case plan.Started:
		return fmt.Sprintf("● %s  begins: loop %s", Clean(e.Task), e.Loop)
	case plan.Planning:
		return fmt.Sprintf("● %s  writes its plan: loop %s", Clean(e.Task), e.Loop)
	case plan.Noted:
		if e.Text == "" {
			return ""
		}
		return p.ask("○ ") + Clean(e.Text)
	case plan.Stopped:
		return stoppedLine(e, p)
	case plan.Repairing:
		return p.ask("○ ") + fmt.Sprintf("%s  does not fit: %s; loop %s mends it", Clean(e.Task), Clean(e.Why), e.Loop)
	case plan.Landed:
		return p.good("✓ ") + fmt.Sprintf("%s  landed as %s on %s", Clean(e.Task), e.Commit[:min(10, len(e.Commit))], s.Branch)
	case plan.Repaired:
		return p.good("✓ ") + fmt.Sprintf("%s  mended: loop %s", Clean(e.Task), e.Loop)
	case plan.NotLanded:
		return p.bad("✗ ") + fmt.Sprintf("%s  conflict: %s", Clean(e.Task), Clean(e.Message))
	case plan.Judged:
		return judgedLine(e, p)
	case plan.Proof:
		if e.Passed {
			return p.good("✓ ") + "the plan's gates pass on the result"
		}
		return p.bad("✗ ") + "the plan's gates do not pass on the result: " + Clean(e.Message)
	case plan.Asked:
		return p.ask("? ") + Clean(e.Question.Text) + "  ralph answer " + s.ID
	case plan.Broken:
		return p.bad("✗ ") + fmt.Sprintf("%s  %s", Clean(e.Task), Clean(e.Message))
	}
	return ""
}

func stoppedLine(e plan.Stopped, p Palette) string {
	task := Clean(e.Task)
	switch {
	case e.Status == loop.StatusPassed:
		return p.good("✓ ") + fmt.Sprintf("%s  passed after %s", task, plural(e.Attempts, "attempt"))
	case e.Status == loop.Waiting && e.Reason == loop.ForHuman:
		return p.ask("? ") + fmt.Sprintf("%s  asks: %s  ralph answer %s", task, Clean(e.Message), e.Loop)
	case e.Status.Terminal():
		return p.bad("✗ ") + fmt.Sprintf("%s  %s/%s: %s  ralph show %s", task, e.Status, e.Reason, Clean(e.Message), e.Loop)
	}
	return fmt.Sprintf("○ %s  %s", task, e.Status)
}

func judgedLine(e plan.Judged, p Palette) string {
	what := "the plan"
	if e.Review.Task != "" {
		what = Clean(e.Review.Task)
	}
	switch {
	case e.Review.Unreviewed:
		return p.dim("· ") + what + "  unreviewed: " + Clean(e.Review.Reason)
	case e.Review.Pass:
		return p.good("✓ ") + what + "  reviewed: " + Clean(e.Review.Reason)
	}
	return p.bad("✗ ") + what + "  review: " + Clean(e.Review.Reason)
}

// PlanShow is a run of a plan for people: its tasks, what needs them, what is
// next.
func PlanShow(s plan.State, f PlanFacts, p Palette) string {
	o := PlanRunOf(s, f)
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s  %s\n", p.status(o.Status, s.Reason), p.bold(Clean(s.ID)), Clean(cmp.Or(s.Title, path.Base(s.File))))
	if o.Message != "" {
		fmt.Fprintf(&b, "  %s\n", Clean(o.Message))
	}
	fmt.Fprintf(&b, "  plan     %s\n  branch   %s at %s\n  attempts %d of %d\n", Clean(s.File), s.Branch, s.Tip[:min(10, len(s.Tip))], s.Attempts, s.Budget())
	if s.Review != nil {
		fmt.Fprintf(&b, "  review   %s\n", Clean(reviewedWords(s)))
	}
	for i, v := range f.Spent {
		fmt.Fprintf(&b, "  %-8s %s\n", []string{"reviews", ""}[min(i, 1)], spentWords(v))
	}
	for _, v := range f.Budgets {
		fmt.Fprintf(&b, "  %-8s %s\n", "budget", v.Line())
	}
	b.WriteString("\n")
	for _, t := range o.Tasks {
		fmt.Fprintf(&b, "  %s %-10s %s  %s\n", taskMark(t, p), taskStands(t), p.bold(Clean(t.ID)), Clean(t.Title))
		if note := taskNote(t); note != "" {
			fmt.Fprintf(&b, "    %s\n", p.dim(note))
		}
	}
	for _, finding := range s.Open() {
		fmt.Fprintf(&b, "  %s %s: %s\n", p.ask("?"), strings.ReplaceAll(string(finding.Kind), "_", " "), Clean(finding.Text))
	}
	if q := o.Question; q != nil {
		planQuestion(&b, "", q.Question, p)
	}
	for _, asks := range o.Asks {
		planQuestion(&b, asks.Task+"  ", asks.Question, p)
		if len(o.Asks) > 1 {
			fmt.Fprintf(&b, "  %s\n", p.dim("ralph answer "+asks.Loop+` "…"`))
		}
	}
	if o.Next != nil {
		fmt.Fprintf(&b, "\nnext: %s\n", *o.Next)
	}
	return p.Out(strings.TrimRight(b.String(), "\n"))
}

// planQuestion is an open question with what may be answered.
func planQuestion(b *strings.Builder, who string, q loop.Question, p Palette) {
	fmt.Fprintf(b, "\n%s\n", p.ask("? "+Clean(who+q.Text)))
	for i, option := range q.Options {
		fmt.Fprintf(b, "  %d  %s\n", i+1, Clean(option))
	}
	if q.Default != "" {
		fmt.Fprintf(b, "  default: %s\n", Clean(q.Default))
	}
}

// resting: its loop is paused, and asks nobody.
func resting(t PlanTask) bool { return t.Waits != nil && *t.Waits == string(loop.Paused) }

func taskStands(t PlanTask) string {
	if resting(t) {
		return string(loop.Paused)
	}
	return string(t.Status)
}

func taskMark(t PlanTask, p Palette) string {
	switch t.Status {
	case plan.Done:
		return p.good("✓")
	case plan.Failed, plan.Blocked:
		return p.bad("✗")
	case plan.Running, plan.Landing, plan.Reviewed:
		switch {
		case t.Waits == nil:
			return "●"
		case resting(t):
			return "○"
		}
		return p.ask("?")
	}
	return "○"
}

func taskNote(t PlanTask) string {
	var parts []string
	if t.Status == plan.Failed && t.Message != "" {
		parts = append(parts, Clean(t.Message))
	}
	if t.Status != plan.Done && len(t.Needs) > 0 && t.Loop == nil {
		parts = append(parts, "needs "+Clean(strings.Join(t.Needs, ", ")))
	}
	if t.Phase != nil {
		parts = append(parts, "phase: "+*t.Phase)
	}
	if t.Loop != nil && t.Status != plan.Done {
		parts = append(parts, "ralph show "+*t.Loop)
	}
	return strings.Join(parts, "; ")
}

// PlanRow is one line about a plan in a list.
func PlanRow(s plan.State, f PlanFacts, p Palette) string {
	o := PlanRunOf(s, f)
	done := o.Counts[string(plan.Done)] + o.Counts[string(plan.Skipped)]
	line := fmt.Sprintf("%s  %s  %d of %d tasks", p.status(o.Status, s.Reason), Clean(s.ID), done, len(o.Tasks))
	if n := o.Counts[string(plan.Failed)]; n > 0 {
		line += fmt.Sprintf(", %d failed", n)
	}
	if n := o.Counts[string(plan.Running)] + o.Counts[string(plan.Landing)]; n > 0 {
		line += fmt.Sprintf(", %d running", n)
	}
	if o.Next != nil {
		line += "  " + p.dim(*o.Next)
	}
	return p.Out(line)
}
