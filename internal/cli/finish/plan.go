package finish

import (
	"cmp"
	"context"
	"fmt"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/view"
)

// acceptPlan brings the integration branch home.
func (a *Commands) acceptPlan(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	partly := false
	if s := l.State; s.Status.Terminal() && s.Status != loop.StatusPassed && s.Tip != s.Base {
		if partly, err = a.Confirm(ctx, "the plan is not complete ("+cmp.Or(s.Message, string(s.Status))+"). Accept what landed? Each task of it passed its gates."); err != nil || !partly {
			return err
		}
	}
	if err := a.agreeToJudges(ctx, p, change{id, l.State.Base, l.State.Tip}, nil); err != nil {
		return err
	}
	lacks, err := runs.Lost(ctx, p, l.State.File, l.Plan, l.State.Tip)
	if err != nil {
		return err
	}
	for _, words := range lacks {
		a.Say("look: %s", words)
	}
	done, err := p.Planner.Accept(ctx, id, engine.AcceptOptions{Partly: partly})
	for _, r := range done.Results {
		a.Say("  %s %s: %s", r.Gate, r.Verdict, r.Reason)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(map[string]any{
			"schema": "ralph.accept/v1", "loop_id": id, "branch": done.Branch, "commit": done.Commit,
			"fast_forward": done.FastForward, "already": done.Already,
		})
	}
	if done.Already {
		a.Say("%s: %s holds this work already", id, done.Branch)
		return nil
	}
	a.Say("%s: %s is at %.10s", id, done.Branch, done.Commit)
	return a.afterAccept(ctx, p, id)
}

// afterAccept says what is left to do for a plan whose work is home: the rest of
// it, or to put it away where that was not done with it.
func (a *Commands) afterAccept(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	command := cmp.Or(view.PlanNext(l.State, runs.PlanFacts(ctx, p, l)), next.Archive(id))
	if l.Archived {
		a.Say("  archived: everything that it asks for is done and nothing is open")
		return nil
	}
	a.Say("  next: %s", command)
	return nil
}

func (a *Commands) archivePlan(ctx context.Context, p *project.Project, id string) error {
	if err := p.Planner.Archive(ctx, id); err != nil {
		return fmt.Errorf("archive %s: %w", id, err)
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.archive/v1", "archived": []string{id}})
	}
	a.Say("archived %s", id)
	return nil
}
