package plan

import (
	"context"
	"fmt"
	"slices"

	"ralph/internal/cli/launch"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// unproved warns of open tasks that nothing could prove done: neither the plan, nor the
// task, nor ralph.yaml has a command, so that run demands --until. It is nil where
// something has, and outside of a repository.
func (a *Commands) unproved(ctx context.Context, path string, pl plan.Plan) []planfile.Warning {
	lines := a.bare(pl, []string{path})
	if len(lines) == 0 || len(pl.Commands) > 0 || a.configuredGate(ctx) {
		return nil
	}
	return []planfile.Warning{{Line: lines[0], Message: fmt.Sprintf(
		"open tasks without a command that could prove them: %d%s; run it with --until \"COMMAND\", or write gates into ralph.yaml: ralph init", len(lines), onLines(lines))}}
}

// bare are the lines of open tasks without a command of their own, or which are plans with
// such a task. above are the files of the plan and of those around it.
func (a *Commands) bare(pl plan.Plan, above []string) (lines []int) {
	for _, t := range pl.Wanted(nil) {
		lacks := t.Kind != plan.KindText && len(t.Commands) == 0
		if t.SubPlan != "" {
			path, err := planner.ChildFile(above[len(above)-1], t.SubPlan)
			inner, unread := launch.LoadPlan(a.Opener, path, "")
			lacks = err == nil && unread == nil && !slices.Contains(above, path) && len(a.bare(inner.Plan, append(slices.Clone(above), path))) > 0
		}
		if lacks {
			lines = append(lines, t.Line)
		}
	}
	return lines
}

// mostLines are named where many tasks lack the same.
const mostLines = 8

// onLines names the lines of several tasks; one stands before the message already.
func onLines(lines []int) string {
	if len(lines) == 1 || lines[0] == 0 {
		return ""
	}
	words, more := "", ""
	if len(lines) > mostLines {
		lines, more = lines[:mostLines], ", …"
	}
	for i, n := range lines {
		if i > 0 {
			words += ", "
		}
		words += fmt.Sprint(n)
	}
	return " (lines " + words + more + ")"
}

// configuredGate reports whether ralph.yaml has a gate that every task must pass, or
// cannot be read: run names its mistakes.
func (a *Commands) configuredGate(ctx context.Context) bool {
	p, err := a.Locate(ctx)
	if err == nil {
		err = a.Configure(p)
	}
	if err != nil {
		return true
	}
	return slices.ContainsFunc(p.Settings.Gates(), func(g loop.Gate) bool { return g.Level != loop.Soft && !g.Optional })
}
