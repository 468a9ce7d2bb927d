package view

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// Next returns the command to type now; empty while the loop runs by itself.
func Next(s loop.State, f Facts) string {
	return next.Loop(s, next.Facts{Live: f.Live, Crashed: f.Crashed})
}

// commands returns what a person may want to type with its label, the next
// command first.
func (l Loop) commands() [][2]string {
	first := l.Next
	out := [][2]string{{"next", first}}
	add := func(name, command string) {
		if command != first && !strings.HasPrefix(first, command+" ") {
			out = append(out, [2]string{name, command})
		}
	}
	switch {
	case l.Reason == loop.AlreadyGreen, l.Reason == loop.Imported:
	case l.Status == loop.StatusPassed:
		add("review", next.Show(l.ID, "--diff"))
	case l.InPlan:
	default:
		add("retry", next.Retry(l.ID))
	}
	return out
}

// PlanNext returns the command to type now; empty where there is none.
func PlanNext(s plan.State, f PlanFacts) string { return next.Plan(s, f.forNext()) }

func (f PlanFacts) forNext() next.PlanFacts {
	out := next.PlanFacts{Live: f.Live, Crashed: f.Crashed, Archived: f.Archived, Answered: f.Asks != nil, NotCreated: f.Unborn}
	for _, a := range f.Asks {
		out.Asks = append(out.Asks, a.Next)
	}
	for _, l := range f.Loops {
		out.AtLimit = out.AtLimit || l.Status == loop.Waiting && l.Reason == loop.ForLimit
	}
	return out
}

// next returns the command to type now. Questions of loops that are known to be
// answered are left out.
func (i PlanItem) next() string {
	f := i.Facts.forNext()
	if s := i.State; s.Status == loop.Waiting && s.OpenQuestion() == nil && !slices.ContainsFunc(s.Tasks, i.asks) && !f.Live {
		f.Asks, f.Answered = nil, true
	}
	return next.Plan(i.State, f)
}

// taskNext returns the command to type for a task of a plan; empty where there is
// none.
func (i PlanItem) taskNext(t PlanTask) string {
	s := t.record
	l, found := i.loopOf(cmp.Or(s.Repair, s.Loop))
	switch {
	case t.Status == plan.Failed:
		return next.Show(cmp.Or(s.Repair, s.Loop, i.State.ID))
	case !i.asks(s), resting(t) && found && !l.State.Status.Terminal():
		return ""
	case found:
		return Next(l.State, l.Facts)
	}
	if ask := i.askOf(t.ID); ask != nil {
		return next.Answer(ask.Loop, next.Blank)
	}
	return next.Answer(s.Loop, next.Blank)
}
