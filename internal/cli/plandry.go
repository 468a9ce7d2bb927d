package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/planfile"
	"ralph/internal/report"
)

// dryPlan shows what would be done: the plan, the prompt of the first task
// whole, and of each other one only what differs. Nothing is started. For
// programs each task is an object on a line of its own.
func (a *app) dryPlan(ctx context.Context, p *project, spec engine.PlanSpec, file planfile.File, opening report.PlanStart) error {
	tasks := file.Plan.Wanted(spec.Rules.Only)
	specs, err := p.planner.Preview(spec, file, tasks)
	if err != nil {
		return err
	}
	if a.json {
		for _, s := range specs {
			if err := a.dryRun(ctx, p, s); err != nil {
				return err
			}
		}
		return nil
	}
	for _, line := range report.PlanOpening(opening, a.palette(a.Out)) {
		a.print(line)
	}
	for i, s := range specs {
		a.print(fmt.Sprintf("\n── %s ──", report.Clean(tasks[i].ID)))
		if i == 0 {
			if err := a.dryRun(ctx, p, s); err != nil {
				return err
			}
			continue
		}
		a.print(dryDifference(s, specs[0]))
	}
	if len(tasks) > 1 {
		a.print("\nNothing was started (--dry-run).")
	}
	return nil
}

// dryDifference is what sets the loop of a task apart from the first one's.
func dryDifference(s, first loop.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "loop    %s\nbranch  %s\n", s.ID, s.Branch)
	if s.Agent.Name != first.Agent.Name {
		fmt.Fprintf(&b, "agent   %s: %s\n", report.Clean(s.Agent.Name), report.Clean(commandLine(s.Agent)))
	}
	for _, g := range besides(s.Gates, first.Gates) {
		fmt.Fprintf(&b, "gate    %s: %s\n", g.Name, report.Clean(cmp.Or(g.Run, g.Asks())))
	}
	for _, g := range besides(first.Gates, s.Gates) {
		if slices.ContainsFunc(s.Gates, func(o loop.Gate) bool { return o.Name == g.Name }) {
			continue
		}
		fmt.Fprintf(&b, "without gate %s: %s\n", g.Name, report.Clean(cmp.Or(g.Run, g.Asks())))
	}
	for _, path := range s.Task.Scope {
		fmt.Fprintf(&b, "files   %s\n", report.Clean(path))
	}
	fmt.Fprintf(&b, "prompt  as above, but for the task:\n\n%s\n", report.Clean(s.Task.Text))
	for _, c := range s.Task.Criteria {
		fmt.Fprintf(&b, "- %s\n", report.Clean(c))
	}
	if in := s.Task.Plan; in != nil && in.OutputFile != "" {
		fmt.Fprintf(&b, "answers in %s\n", report.Clean(in.OutputFile))
	}
	return strings.TrimRight(b.String(), "\n")
}

// besides are the gates that others do not have.
func besides(gates, others []loop.Gate) []loop.Gate {
	var out []loop.Gate
	for _, g := range gates {
		same := func(o loop.Gate) bool { return o.Name == g.Name && o.Run == g.Run }
		if !slices.ContainsFunc(others, same) {
			out = append(out, g)
		}
	}
	return out
}
