package run

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/planfile"
	"ralph/internal/prompt"
	"ralph/internal/text"
	"ralph/internal/view"
)

// mayRun reports whether a run is allowed what the repository asks for. Where it is not,
// a run would ask first, or be refused: that is told, as nothing is going to run.
func (a *Commands) mayRun(ctx context.Context, p *project.Project) (bool, error) {
	refusal, err := a.Refusal(ctx, p)
	if err == nil && refusal != nil && !a.JSON {
		a.Say("note: a run asks for your permission first, or is refused without a terminal:\n  %v\n  %s shows and allows it", refusal, next.Trust())
	}
	return refusal == nil, err
}

// dryRun shows every command, worktree and branch and the first prompt.
// Nothing is written and nothing is started.
func (a *Commands) dryRun(ctx context.Context, p *project.Project, spec loop.Spec) error {
	allowed, err := a.mayRun(ctx, p)
	if err != nil {
		return err
	}
	if a.JSON {
		object, err := a.dryObject(ctx, p, spec)
		if err != nil {
			return err
		}
		object["allowed"] = allowed
		return a.Object(object)
	}
	return a.dryPage(ctx, p, spec)
}

// dryPage is dryRun for people.
func (a *Commands) dryPage(ctx context.Context, p *project.Project, spec loop.Spec) error {
	s := loop.New(spec, a.Now())
	words, err := a.firstPrompt(p, s, a.notesFor(ctx, p, s)...)
	if err != nil {
		return err
	}
	trees := a.TreeRoot(p)
	if _, err := a.Sandboxes.Choose(ctx, spec.Sandbox, spec.InPlace); err != nil {
		return err
	}
	var b strings.Builder
	paint := a.Palette(a.Out)
	for _, l := range append(view.Opening(s, paint), view.SessionBudget(p.Settings.BudgetOf(loop.SessionLevel), paint)...) {
		fmt.Fprintln(&b, l)
	}
	holds, err := a.SandboxLine(ctx, p, spec)
	if err != nil {
		return err
	}
	fmt.Fprintln(&b, holds)
	fmt.Fprintf(&b, "command %s\n", text.Clean(launch.CommandLine(spec.Agent)))
	for _, c := range spec.Setup {
		fmt.Fprintf(&b, "setup   %s\n", text.Clean(c))
	}
	for _, c := range spec.Teardown {
		fmt.Fprintf(&b, "teardown %s\n", text.Clean(c))
	}
	work := filepath.Join(trees, "agent-…")
	if spec.InPlace {
		work = spec.Root + " (in place)"
	}
	fmt.Fprintf(&b, "works   %s\njudges  %s\nprompt  %d bytes:\n\n%s\nNothing was started (--dry-run).\n", work, filepath.Join(trees, "gate-…"), len(words), words)
	a.Print(b.String())
	return nil
}

func (a *Commands) dryObject(ctx context.Context, p *project.Project, spec loop.Spec) (map[string]any, error) {
	s := loop.New(spec, a.Now())
	words, err := a.firstPrompt(p, s, a.notesFor(ctx, p, s)...)
	if err != nil {
		return nil, err
	}
	by, err := a.Sandboxes.Choose(ctx, spec.Sandbox, spec.InPlace)
	return map[string]any{
		"schema": "ralph.dryrun/v1", "spec": spec, "sandbox": by, "worktrees": a.TreeRoot(p), "prompt": words, "started": false,
	}, err
}

// firstPrompt is what the agent of attempt 1 will read. Building it shows a
// mistake in the project's own template before anything has been started.
func (a *Commands) firstPrompt(p *project.Project, s loop.State, notes ...learn.Known) (string, error) {
	page, err := prompt.Build(prompt.Input{State: s, Attempt: 1, StateFile: p.StateFile(s.ID), Program: worker.Environment(a.Env).Unlisted(), Template: p.Prompt, Learned: notes})
	if err != nil {
		return "", &exit.Error{Code: exit.Config, Err: err, Hint: "fix the template that prompt.dir names"}
	}
	return page.Text, nil
}

// notesFor returns the notes that the first prompt of a loop would show, as far
// as they depend on no gate. Errors are ignored: notes are a help, no condition.
func (a *Commands) notesFor(ctx context.Context, p *project.Project, s loop.State) []learn.Known {
	if err := a.Connect(ctx, p, true); err != nil {
		return nil
	}
	defer p.Close()
	var names []string
	if files, err := p.Repo.ListTree(ctx, s.Base); err == nil {
		for _, f := range files {
			names = append(names, f.Path)
		}
	}
	found, err := p.Loops.Recall(ctx, s, names)
	if err != nil {
		return nil
	}
	return found
}

// dryPlan shows what would be done: the plan, the prompt of the first task
// whole, and of each other one only what differs; so for the plans in tasks'
// places. Nothing is started. For programs it is one object with those of the tasks.
func (a *Commands) dryPlan(ctx context.Context, p *project.Project, spec engine.PlanSpec, file planfile.File, opening view.PlanStart, inner map[string]*innerPlan) error {
	allowed, err := a.mayRun(ctx, p)
	if err != nil {
		return err
	}
	if a.JSON {
		tasks, err := a.dryObjects(ctx, p, spec, file, inner)
		if err != nil {
			return err
		}
		return a.Object(map[string]any{"schema": "ralph.dryplan/v1", "plan_id": spec.ID, "tasks": tasks, "allowed": allowed, "started": false})
	}
	for _, line := range view.PlanOpening(opening, a.Palette(a.Out)) {
		a.Print(line)
	}
	shown, err := a.dryTasks(ctx, p, spec, file, inner, "")
	if err == nil && shown != 1 {
		a.Print("\nNothing was started (--dry-run).")
	}
	return err
}

// dryObjects returns the objects of a plan's tasks; a nested plan is replaced by its
// tasks.
func (a *Commands) dryObjects(ctx context.Context, p *project.Project, spec engine.PlanSpec, file planfile.File, inner map[string]*innerPlan) ([]map[string]any, error) {
	tasks := file.Plan.Wanted(spec.Rules.Only)
	specs, err := p.Plans.Preview(spec, file, tasks)
	if err != nil {
		return nil, err
	}
	out := []map[string]any{}
	for i, s := range specs {
		var found []map[string]any
		switch child := inner[tasks[i].ID]; {
		case child == nil:
			one, err := a.dryObject(ctx, p, s)
			if err != nil {
				return nil, err
			}
			found = append(found, one)
		case child.wrong == "":
			if found, err = a.dryObjects(ctx, p, child.spec, child.file, child.inner); err != nil {
				return nil, err
			}
		}
		out = append(out, found...)
	}
	return out, nil
}

// dryTasks shows the tasks of one plan; under is what stands before their ids.
func (a *Commands) dryTasks(ctx context.Context, p *project.Project, spec engine.PlanSpec, file planfile.File, inner map[string]*innerPlan, under string) (shown int, err error) {
	tasks := file.Plan.Wanted(spec.Rules.Only)
	specs, err := p.Plans.Preview(spec, file, tasks)
	if err != nil {
		return 0, err
	}
	var first *loop.Spec
	for i, s := range specs {
		name := under + tasks[i].ID
		a.Print(fmt.Sprintf("\n── %s ──", text.Clean(name)))
		if child := inner[tasks[i].ID]; child != nil {
			n, err := a.dryInner(ctx, p, child, name)
			if shown += n; err != nil {
				return shown, err
			}
			continue
		}
		shown++
		if first != nil {
			a.Print(dryDifference(s, *first))
			continue
		}
		first = &specs[i]
		if err := a.dryPage(ctx, p, s); err != nil {
			return shown, err
		}
	}
	return shown, nil
}

// dryInner shows the tasks of a plan that is run in a task's place.
func (a *Commands) dryInner(ctx context.Context, p *project.Project, child *innerPlan, name string) (int, error) {
	words := "a plan of its own: " + child.name
	if child.wrong != "" {
		words += ": " + child.wrong
	}
	a.Print(text.Clean(words))
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
