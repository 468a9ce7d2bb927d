package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/report"
)

// dryPlan shows what would be done: the plan, the prompt of the first task
// whole, and of each other one only what differs. Nothing is started. For
// programs each task is an object on a line of its own.
func (a *app) dryPlan(ctx context.Context, p *project, spec engine.PlanSpec, file planfile.File) error {
	tasks := file.Plan.Wanted(spec.Rules.Only)
	taken := map[string]bool{}
	if a.json {
		for _, t := range tasks {
			if err := a.dryRun(ctx, p, dryTask(spec, t, taken)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, line := range report.PlanOpening(a.planOpening(file, spec), a.palette(a.Out)) {
		a.print(line)
	}
	for i, t := range tasks {
		s := dryTask(spec, t, taken)
		a.print(fmt.Sprintf("\n── %s ──", report.Clean(t.ID)))
		if i == 0 {
			if err := a.dryRun(ctx, p, s); err != nil {
				return err
			}
			continue
		}
		a.print(dryDifference(s, spec.Task))
	}
	if len(tasks) > 1 {
		a.print("\nNothing was started (--dry-run).")
	}
	return nil
}

// dryTask is what the loop of a task would be asked for. Names that look alike
// are taken in the order of the file.
func dryTask(spec engine.PlanSpec, t plan.Task, taken map[string]bool) loop.Spec {
	s := spec.Task
	for n := 1; s.ID == spec.Task.ID || taken[s.ID]; n++ {
		s.ID = planner.LoopID(spec.ID, t.ID, "", n)
	}
	taken[s.ID] = true
	s.Branch, s.Parent = planner.BranchName(spec.ID, s.ID), spec.ID
	s.Task = loop.Task{ID: slug(t.ID, 40), Text: strings.TrimSpace(t.Title + "\n\n" + t.Text), Criteria: t.Criteria, Scope: t.Files}
	if agent, ok := spec.Agents[t.Agent]; ok {
		s.Agent = agent
	}
	s.Gates = slices.Clone(s.Gates)
	for i, c := range t.Commands {
		if g, ok := spec.Commands[c]; ok {
			g.Name = fmt.Sprintf("task-%d", i+1)
			s.Gates = append(s.Gates, g)
		}
	}
	return s
}

// dryDifference is what sets the loop of a task apart from the others.
func dryDifference(s, common loop.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "loop    %s\nbranch  %s\n", s.ID, s.Branch)
	if s.Agent.Name != common.Agent.Name {
		fmt.Fprintf(&b, "agent   %s: %s\n", report.Clean(s.Agent.Name), report.Clean(commandLine(s.Agent)))
	}
	for _, g := range s.Gates[len(common.Gates):] {
		fmt.Fprintf(&b, "gate    %s: %s\n", g.Name, report.Clean(g.Run))
	}
	for _, path := range s.Task.Scope {
		fmt.Fprintf(&b, "files   %s\n", report.Clean(path))
	}
	fmt.Fprintf(&b, "prompt  as above, but for the task:\n\n%s\n", report.Clean(s.Task.Text))
	for _, c := range s.Task.Criteria {
		fmt.Fprintf(&b, "- %s\n", report.Clean(c))
	}
	return strings.TrimRight(b.String(), "\n")
}
