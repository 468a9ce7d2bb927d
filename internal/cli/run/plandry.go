package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/planfile"
	"ralph/internal/text"
	"ralph/internal/view"
)

// dryPlan shows what would be done: the plan, the prompt of the first task
// whole, and of each other one only what differs; so for the plans in tasks'
// places. Nothing is started. For programs each task is an object on a line of
// its own.
func (a *Commands) dryPlan(ctx context.Context, p *project.Project, spec engine.PlanSpec, file planfile.File, opening view.PlanStart, inner map[string]*innerPlan) error {
	if !a.JSON {
		for _, line := range view.PlanOpening(opening, a.Palette(a.Out)) {
			a.Print(line)
		}
	}
	shown, err := a.dryTasks(ctx, p, spec, file, inner, "")
	if err == nil && shown != 1 && !a.JSON {
		a.Print("\nNothing was started (--dry-run).")
	}
	return err
}

// dryTasks shows the tasks of one plan; under is what stands before their ids.
func (a *Commands) dryTasks(ctx context.Context, p *project.Project, spec engine.PlanSpec, file planfile.File, inner map[string]*innerPlan, under string) (shown int, err error) {
	tasks := file.Plan.Wanted(spec.Rules.Only)
	specs, err := p.Planner.Preview(spec, file, tasks)
	if err != nil {
		return 0, err
	}
	var first *loop.Spec
	for i, s := range specs {
		name := under + tasks[i].ID
		if !a.JSON {
			a.Print(fmt.Sprintf("\n── %s ──", text.Clean(name)))
		}
		if child := inner[tasks[i].ID]; child != nil {
			n, err := a.dryInner(ctx, p, child, name)
			if shown += n; err != nil {
				return shown, err
			}
			continue
		}
		shown++
		if first != nil && !a.JSON {
			a.Print(dryDifference(s, *first))
			continue
		}
		first = &specs[i]
		if err := a.dryRun(ctx, p, s); err != nil {
			return shown, err
		}
	}
	return shown, nil
}

// dryInner shows the tasks of a plan that is run in a task's place.
func (a *Commands) dryInner(ctx context.Context, p *project.Project, child *innerPlan, name string) (int, error) {
	if !a.JSON {
		words := "a plan of its own: " + child.name
		if child.wrong != "" {
			words += ": " + child.wrong
		}
		a.Print(text.Clean(words))
	}
	if child.wrong != "" {
		return 0, nil
	}
	return a.dryTasks(ctx, p, child.spec, child.file, child.inner, name+" › ")
}

// dryDifference is what sets the loop of a task apart from the first one's.
func dryDifference(s, first loop.Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "loop    %s\nbranch  %s\n", s.ID, s.Branch)
	if s.Agent.Name != first.Agent.Name {
		fmt.Fprintf(&b, "agent   %s: %s\n", text.Clean(s.Agent.Name), text.Clean(launch.CommandLine(s.Agent)))
	}
	for _, g := range besides(s.Gates, first.Gates) {
		fmt.Fprintf(&b, "gate    %s: %s\n", g.Name, text.Clean(cmp.Or(g.Run, g.Asks())))
	}
	for _, g := range besides(first.Gates, s.Gates) {
		if slices.ContainsFunc(s.Gates, func(o loop.Gate) bool { return o.Name == g.Name }) {
			continue
		}
		fmt.Fprintf(&b, "without gate %s: %s\n", g.Name, text.Clean(cmp.Or(g.Run, g.Asks())))
	}
	for _, path := range s.Task.Scope {
		fmt.Fprintf(&b, "files   %s\n", text.Clean(path))
	}
	fmt.Fprintf(&b, "prompt  as above, but for the task:\n\n%s\n", text.Clean(s.Task.Text))
	for _, c := range s.Task.Criteria {
		fmt.Fprintf(&b, "- %s\n", text.Clean(c))
	}
	if in := s.Task.Plan; in != nil && in.OutputFile != "" {
		fmt.Fprintf(&b, "answers in %s\n", text.Clean(in.OutputFile))
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
