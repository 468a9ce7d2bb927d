package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
	"ralph/internal/text"
	"ralph/internal/view"
)

// taskSpec is what the loops of all tasks have in common. The commands of the
// plan may be all the gates that there are; or those of its tasks, if none of
// them is without.
func (a *Commands) taskSpec(ctx context.Context, p *project.Project, pl plan.Plan, f launch.Flags, commands map[string]loop.Gate) (loop.Spec, error) {
	f.OfPlan = true
	s, err := a.Spec(ctx, p, "plan", f)
	if errors.Is(err, loop.ErrNoHardGate) && len(f.Until)+len(f.Gates) == 0 {
		for _, c := range pl.Commands {
			if g, ok := commands[c]; ok {
				f.Until = append(f.Until, g.Run)
			}
		}
		if f.TasksProve = len(f.Until) == 0; f.TasksProve {
			if err := everyTaskProves(pl, f.Plan.Tasks, commands, err); err != nil {
				return s, err
			}
		}
		s, err = a.Spec(ctx, p, "plan", f)
	}
	s.Until = false
	return s, err
}

// everyTaskProves refuses a plan without gates of its own where a task to be
// done has none either, and names such tasks.
func everyTaskProves(pl plan.Plan, only []string, commands map[string]loop.Gate, none error) error {
	var bare, proposed []string
	tasks := pl.Wanted(only)
	for _, t := range tasks {
		if t.Kind == plan.KindText || slices.ContainsFunc(t.Commands, func(c string) bool { _, ok := commands[c]; return ok }) {
			continue
		}
		bare = append(bare, text.Clean(t.ID))
		if len(t.Commands) > 0 {
			proposed = append(proposed, t.ID)
		}
	}
	switch {
	case len(bare) == 0:
		return nil
	case len(bare) == len(tasks) && len(proposed) == 0:
		return none
	}
	hint := `--until "COMMAND" for all of them, gates in ralph.yaml (ralph init), or a command of its own for each task`
	if len(proposed) == len(bare) {
		hint = "read the plan's commands and accept them: ralph plan approve FILE"
	}
	const most = 8
	more := ""
	if n := len(bare) - most; n > 0 {
		bare, more = bare[:most], fmt.Sprintf(" and %d more", n)
	}
	return &exit.Error{Code: exit.Config, Err: fmt.Errorf("%w: task %s%s", loop.ErrNoHardGate, strings.Join(bare, ", "), more), Hint: hint}
}

// planOpening is what is said before the plan begins.
func (a *Commands) planOpening(p *project.Project, file planfile.File, spec engine.PlanSpec, inner map[string]*innerPlan) view.PlanStart {
	o := view.PlanStart{
		Plan: file.Plan, Name: filepath.Base(spec.File), Rules: spec.Rules, Task: spec.Task,
		Gates: map[string][]loop.Gate{}, Inner: map[string]view.InnerPlan{}, Landed: planner.Branch(spec.ID), Review: loop.Review{Kind: loop.Magi, Reviewers: spec.Reviewers},
		Budget: p.Settings.BudgetOf(loop.PlanLevel), Session: p.Settings.BudgetOf(loop.SessionLevel),
	}
	if spec.Council != nil {
		o.Review = *spec.Council
	}
	for id, i := range inner {
		o.Inner[id] = i.told()
	}
	own := func(g loop.Gate) bool {
		return !slices.ContainsFunc(spec.Task.Gates, func(o loop.Gate) bool { return o.Run == g.Run })
	}
	o.Whole = slices.DeleteFunc(accepted(file.Plan.Commands, spec), func(g loop.Gate) bool { return !own(g) })
	for _, t := range file.Plan.Tasks {
		if gates := accepted(t.Commands, spec); t.Status.Open() {
			o.Gates[t.ID] = gates
		} else { // those of done tasks run on the result
			o.Whole = append(o.Whole, gates...)
		}
	}
	return o
}
