package report

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// mostListed tasks of a plan are named before it begins.
const mostListed = 40

// PlanOpening is what is said before a plan runs: its tasks in the order in
// which they could be taken, what each waits for and why, the gates, and the
// worst case.
func PlanOpening(pl plan.Plan, r plan.Rules, task loop.Spec, p Palette) []string {
	open := pl.Open()
	out := []string{p.bold("plan    " + line(pl.Title))}
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	add("tasks   %d, %d of them open · %d at once · when one fails: %s", len(pl.Tasks), len(open.Tasks), r.Parallel, r.OnFailure)
	for i, t := range open.Tasks {
		if i == mostListed {
			add("        … and %d more", len(open.Tasks)-i)
			break
		}
		add("  %s", clip(line(t.ID)+"  "+line(t.Title)+needsWords(t), p.width()-2))
	}
	add("agent   %s%s", agentName(task.Agent), agentSettings(task.Agent))
	for _, g := range task.Gates {
		add("gate    %s", clip(g.Name+" ("+string(level(g.Level))+"): "+g.Run, p.width()-8))
	}
	per := r.PerTask
	budget := r.Attempts
	if budget == 0 {
		budget = 3 * len(pl.Tasks)
	}
	worst := min(budget, per*len(open.Tasks))
	add("worst   %s of an agent (budget %d, at most %d for a task), each at most %s", plural(worst, "run"), budget, per, minutes(task.Limits.Attempt.Hard))
	return p.outAll(out)
}

func needsWords(t plan.Task) string {
	if len(t.Needs) == 0 {
		return ""
	}
	var names []string
	inferred := false
	for _, n := range t.Needs {
		names = append(names, n.On)
		inferred = inferred || n.Why != plan.Stated
	}
	words := "  (after " + strings.Join(names, ", ")
	if inferred {
		words += ": by the order of the file"
	}
	return words + ")"
}
