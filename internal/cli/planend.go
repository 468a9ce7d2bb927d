package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

// acceptPlan brings the integration branch home.
func (a *app) acceptPlan(ctx context.Context, p *project.Project, id string) error {
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
	lacks, err := lost(ctx, p, l.State.File, l.Plan, l.State.Tip)
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
func (a *app) afterAccept(ctx context.Context, p *project.Project, id string) error {
	l, err := p.Planner.Show(ctx, id)
	if err != nil {
		return err
	}
	command := cmp.Or(view.PlanNext(l.State, wholeFacts(ctx, p, l)), next.Archive(id))
	if l.Archived {
		a.Say("  archived: everything that it asks for is done and nothing is open")
		return nil
	}
	a.Say("  next: %s", command)
	return nil
}

func (a *app) archivePlan(ctx context.Context, p *project.Project, id string) error {
	if err := p.Planner.Archive(ctx, id); err != nil {
		return fmt.Errorf("archive %s: %w", id, err)
	}
	if a.JSON {
		return a.Object(map[string]any{"schema": "ralph.archive/v1", "archived": []string{id}})
	}
	a.Say("archived %s", id)
	return nil
}

// waitPlan returns when nobody runs the plan any more.
func (a *app) waitPlan(ctx context.Context, p *project.Project, id string, timeout time.Duration) error {
	var expired <-chan time.Time
	if timeout > 0 {
		expired = time.After(timeout)
	}
	for left := leaving; ; {
		l, err := p.Planner.Show(ctx, id)
		if err != nil {
			return err
		}
		if l.State.Status.Terminal() {
			expired, left = nil, left-1
		}
		if !l.Live || left == 0 {
			return a.planStands(ctx, p, l)
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-expired:
			return &exit.Error{Code: exit.Timeout, Err: fmt.Errorf("plan %s is still %s after %s", id, l.State.Status, timeout)}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *app) planStands(ctx context.Context, p *project.Project, l engine.Plan) error {
	if a.JSON {
		if err := a.planObject(ctx, p, l); err != nil {
			return err
		}
	} else {
		a.Say("%s", view.PlanRow(l.State, wholeFacts(ctx, p, l), a.Palette(a.Err)))
		if s := l.State; s.Reason != "" && s.Status != loop.StatusPassed && s.Message != "" {
			a.Say("  %s", text.Clean(s.Message))
		}
	}
	return exit.With(exit.CodeOf(engine.PlanOutcome(l.State)))
}

func (a *app) statusPlan(ctx context.Context, p *project.Project, id string, byCode bool) error {
	if err := a.showPlan(ctx, p, id); err != nil || !byCode {
		return err
	}
	l, err := p.Planner.Show(ctx, id)
	return errors.Join(err, exit.With(exit.CodeOf(engine.PlanOutcome(l.State))))
}
