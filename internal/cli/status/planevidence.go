package status

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// planEvidence prints what the gates of each task left, those that judged the whole, and the
// plan's own reviews.
// A task that is a plan of its own is named with the command that shows its evidence.
func (a *Commands) planEvidence(ctx context.Context, p *project.Project, l engine.Plan) error {
	shown := false
	for _, t := range append(l.State.Tasks, plan.TaskState{ID: "the whole plan", Loop: l.State.Final}) {
		id := cmp.Or(t.Repair, t.Loop)
		if id == "" {
			continue
		}
		shown = true
		a.Print("── " + text.Line(t.ID) + " ──")
		if t.Child && t.Repair == "" {
			a.Print("a plan of its own: " + next.Show(id, "--evidence"))
			continue
		}
		one, err := p.Loops.Show(ctx, id)
		if errors.Is(err, engine.ErrNotFound) {
			a.Print("its loop " + id + " is gone")
			continue
		}
		if err != nil {
			return err
		}
		a.Print(project.View(one, a.Now()).Evidence(a.Now(), a.Palette(a.Out)))
	}
	if !shown {
		a.Say("no gate has run: no task has begun")
	}
	if err := a.landedEvidence(l); err != nil {
		return err
	}
	return a.planReviews(l)
}

// planReviews prints the votes of the plan's own reviews, and where prompts and outputs of the
// reviewers are.
func (a *Commands) planReviews(l engine.Plan) error {
	all, err := planner.Reviews(l.Dir)
	for _, r := range all {
		of := "what landed, at " + r.Tip
		if r.Loop != "" {
			of = "loop " + r.Loop
		}
		a.Print("── review of " + text.Line(of) + " ──")
		a.Print(text.Clean(r.Text))
		for _, f := range r.Files {
			a.Print(text.Line(f.Reviewer))
			a.printPlace("prompt", f.Prompt)
			a.printPlace("output", f.Output)
		}
	}
	return err
}

// printPlace prints where a file is, or that it is not on this machine.
func (a *Commands) printPlace(what, path string) {
	if path == "" {
		return
	}
	if _, err := os.Stat(path); err != nil {
		path += " (missing)"
	}
	a.Print("  " + what + "  " + text.Line(path))
}

// landedEvidence prints what the gates left on the commit with all landed work.
func (a *Commands) landedEvidence(l engine.Plan) error {
	results, err := planner.Evidence(l.Dir, l.State.Tip)
	if err != nil || len(results) == 0 {
		return err
	}
	gates := slices.Clone(l.Spec.Task.Gates)
	for _, c := range slices.Sorted(maps.Keys(l.Spec.Commands)) {
		gates = append(gates, l.Spec.Commands[c])
	}
	a.Print("── what landed ──")
	a.Print(view.LandedEvidence(l.State.Tip, gates, results, a.Now(), a.Palette(a.Out)))
	return nil
}
