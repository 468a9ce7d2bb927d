package status

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/view"
)

// planEvidence prints what the gates of each task left, and those that judged the whole.
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
	return a.landedEvidence(l)
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
	v := view.PlanOf(view.PlanItem{State: l.State}, a.Now())
	a.Print("── what landed ──")
	a.Print(v.LandedEvidence(gates, results, a.Now(), a.Palette(a.Out)))
	return nil
}
