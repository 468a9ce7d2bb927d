package runs

import (
	"context"
	"errors"
	"slices"

	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
)

// pickOrNewest is pick, but where nothing is active the loop that ended last.
func (a *Client) PickOrNewest(ctx context.Context, p *project.Project, name string) (engine.Loop, error) {
	if name == "" {
		active, err := p.Engine.List(ctx, engine.Filter{Active: true, Limit: 1})
		if err != nil {
			return engine.Loop{}, err
		}
		newest, err := p.Engine.List(ctx, engine.Filter{Limit: 1})
		if err != nil || len(active) == 0 && len(newest) == 1 {
			return command.First(newest), err
		}
	}
	return a.Pick(ctx, p, name)
}

// topPlan is the plan that a person runs: the outermost of those in whose tasks'
// place this one is run, or itself.
func TopPlan(l engine.Plan) string {
	if all := l.Spec.Ancestors; len(all) > 0 {
		return all[0]
	}
	return l.State.ID
}

// planNamed finds the plan that a word names: its id or a unique beginning of
// it, or the path of its file.
func (a *Client) PlanNamed(ctx context.Context, p *project.Project, name string) (string, error) {
	if path, err := a.PlanPath(name); err == nil && path != "" {
		name = path
	}
	return p.Planner.Find(ctx, name)
}

// meant is what a command without a name is about where plans go on: the plan that
// is alone, or what a person chooses of plans and of loops that belong to none of
// them. Without plans it is empty, and the loops decide.
func (a *Client) Meant(ctx context.Context, p *project.Project, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	plans, err := p.Planner.List(ctx, engine.Filter{Active: true})
	if err != nil || len(plans) == 0 {
		return "", err
	}
	loops, err := p.Engine.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return "", err
	}
	return a.Choose(ctx, project.Candidates(Apart(loops, plans), Topmost(plans)))
}

// topmost leaves out the plans that run in a task's place of another.
func Topmost(plans []engine.Plan) []engine.Plan {
	inner := func(l engine.Plan) bool {
		return slices.ContainsFunc(plans, func(p engine.Plan) bool { return slices.Contains(l.Spec.Ancestors, p.State.ID) })
	}
	return slices.DeleteFunc(slices.Clone(plans), inner)
}

// notOf leaves out the loops of plans: their plans resume those.
func Apart(loops []engine.Loop, plans []engine.Plan) []engine.Loop {
	return slices.DeleteFunc(loops, func(l engine.Loop) bool {
		return l.State.Task.Plan != nil && slices.ContainsFunc(plans, func(p engine.Plan) bool { return p.State.ID == l.State.Parent })
	})
}

// asPlan does something with the plan that a word names. It answers false where
// the word names none, or names a loop exactly.
func (a *Client) AsPlan(ctx context.Context, p *project.Project, name string, do func(id string) error) (bool, error) {
	if name == "" {
		return false, nil
	}
	id, err := a.PlanNamed(ctx, p, name)
	if errors.Is(err, engine.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	a.About = id
	return true, do(id)
}
