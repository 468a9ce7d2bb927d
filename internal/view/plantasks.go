package view

import (
	"cmp"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

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
	for _, t := range i.object().Tasks {
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
