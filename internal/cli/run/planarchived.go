package run

import (
	"context"
	"errors"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// putAway says that a plan is archived, and what can be done about it; false: it
// is not, and is run. It is where its file says so, or lies in archived/ and has
// no word for it, or where ralph's record of it is archived and it asks for
// nothing more.
func (a *Commands) putAway(ctx context.Context, p *project.Project, path string, pl plan.Plan) (bool, error) {
	l, err := p.Planner.Show(ctx, planner.IDOf(path))
	known := err == nil
	if err != nil && !errors.Is(err, engine.ErrNotFound) {
		return false, err
	}
	open := len(pl.Open().Tasks)
	switch {
	case pl.Status == plan.PlanArchived:
	case pl.Status == "" && planner.InArchive(path):
	case known && l.Archived && l.State.Complete() && open == 0 && len(pl.Gaps)+len(pl.EdgeCases) == 0:
	default:
		return false, nil
	}
	if !known {
		l.State = p.Planner.Unrun(path, pl)
	}
	l.Archived = true
	if a.JSON {
		return true, a.WritePlan(ctx, p, l)
	}
	a.Say("%s is archived: there is nothing to do", a.ShownPath(path))
	if open > 0 {
		a.Say("  tasks that are open in it all the same: %d", open)
		if pl.Status == plan.PlanArchived {
			a.Say("  write status: in_progress into it, and it is worked on")
		}
	}
	if l.State.Tip != l.State.Base && l.State.Accepted == "" {
		a.Say("  its work is not accepted yet: %s", next.Accept(l.State.ID))
	}
	a.Say("  begun anew: %s", next.Run(a.ShownPath(path), "--fresh"))
	return true, nil
}

// allDone: there is no agent for a plan (err), and nothing of it is left to do:
// it has passed as it stands.
func allDone(ctx context.Context, p *project.Project, path string, pl plan.Plan, err error) (engine.Plan, bool) {
	if f, ok := errors.AsType[*exit.Error](err); !ok || f.Code != exit.Missing || len(pl.Open().Tasks) > 0 {
		return engine.Plan{}, false
	}
	l, err := p.Planner.Show(ctx, planner.IDOf(path))
	again := l.State.Review != nil && l.State.Review.Again
	return l, err == nil && l.State.Status == loop.StatusPassed && l.State.Reason == plan.AllDone && !again
}
