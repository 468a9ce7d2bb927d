package resume

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// resumePlan continues a plan in the foreground.
//
// One that has ended stays as it is: ralph run FILE continues with the rest.
func (a *Commands) resumePlan(ctx context.Context, p *project.Project, r *runs.Plan, f resumeFlags) (err error) {
	l := r.Now
	id := l.State.ID
	if s := l.State.Status; s.Terminal() && s != loop.StatusPassed && len(f.budget) > 0 {
		return exit.UsageError(next.RunAgain(launch.ShownPath(a.Opener, l.State.File), l.State.Rules, "--budget "+strings.Replace(f.budget[0], "+", "", 1)), "plan %s has ended; running its file again continues with the rest, under a budget of its own", id)
	}
	if l.State.Status.Terminal() {
		return endedPlan(l, next.RunAgain(launch.ShownPath(a.Opener, l.State.File), l.State.Rules))
	}
	if l.Live && !f.TakeOver && (f.Now || l.State.HasPaused()) {
		if err := r.Send(ctx, engine.Command{Kind: engine.Wake, By: a.Owner()}); err != nil {
			return err
		}
		if a.JSON {
			return r.Write(ctx)
		}
		what := "what waits for a usage limit is tried now"
		if l.State.HasPaused() {
			what += ", what is paused continues"
		}
		a.Say("%s: %s, by the process that runs it; %s follows it", id, what, next.Follow(id))
		return nil
	}
	if _, err := a.SandboxLine(ctx, p, l.Spec.Task); err != nil {
		return err
	}
	o := engine.Options{TakeOver: f.TakeOver, Force: f.Force, Now: f.Now, Recovery: f.Recovery}
	if len(f.budget) > 0 && l.Live && !f.TakeOver {
		return runs.RaiseLivePlan(ctx, a.Opener, p, l, f.budget)
	}
	if o.TaskBudget, err = runs.RaisePlan(ctx, a.Opener, p, l, f.budget); err != nil {
		return err
	}
	return a.runner.DrivePlan(ctx, p, f.events, func(ctx context.Context, d engine.Drive) (plan.State, error) {
		return p.Plans.Resume(ctx, id, o, d)
	})
}

// endedPlan returns why a plan that has ended is not resumed, and what to do instead: as
// for a loop, that is a wrong use of the command. rest is the command that runs its file
// again.
func endedPlan(l engine.Plan, rest string) error {
	s := l.State
	stands, hint := "has passed", next.Accept(s.ID)
	switch {
	case s.Status != loop.StatusPassed || s.Reason == plan.PartDone || len(s.Open()) > 0:
		return exit.UsageError(rest+"  # continues with the rest", "plan %s has ended", s.ID)
	case s.Accepted != "" && l.Archived:
		stands, hint = "is accepted and archived", next.Show(s.ID)
	case s.Accepted != "":
		stands, hint = "is accepted", next.Archive(s.ID)
	case l.Archived:
		stands, hint = "has passed and is archived", next.Show(s.ID)
	case s.Tip == s.Base:
		hint = next.Show(s.ID)
	}
	return exit.UsageError(hint, "plan %s %s: there is nothing to resume", s.ID, stands)
}

// taskOfPlan refuses to begin the ended loop of a plan's task again by itself: the
// plan would not know of it, and its base is what landed before.
func (a *Commands) taskOfPlan(ctx context.Context, p *project.Project, l engine.Loop) error {
	if l.State.Task.Plan == nil {
		return nil
	}
	own, err := p.Plans.Show(ctx, l.State.Parent)
	if err == nil && runs.TopPlan(own) != own.State.ID {
		own, err = p.Plans.Show(ctx, runs.TopPlan(own))
	}
	if errors.Is(err, engine.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	again := next.RunAgain(launch.ShownPath(a.Opener, own.State.File), own.State.Rules)
	switch {
	case own.Live:
		return exit.UsageError(next.Follow(own.State.ID)+"; when the plan has ended: "+again,
			"loop %s has ended, and its plan %s still runs: the plan's next run does failed tasks again", l.State.ID, own.State.ID)
	case !own.State.Status.Terminal():
		return exit.UsageError(next.Resume(own.State.ID)+"; when the plan has ended: "+again,
			"loop %s has ended, and its plan %s is not at its end: the plan's next run does failed tasks again", l.State.ID, own.State.ID)
	}
	return exit.UsageError(again, "loop %s has ended, and belongs to plan %s, whose next run does failed tasks again", l.State.ID, own.State.ID)
}

// planOfLoop resumes the plan of a loop whose plan has no owner: the plan
// takes its loops up, and knows what comes after them. It answers false for any
// other loop.
func (a *Commands) planOfLoop(ctx context.Context, p *project.Project, l engine.Loop, f resumeFlags) (bool, error) {
	if l.State.Task.Plan == nil || f.From > 0 {
		return false, nil
	}
	own, err := p.Plans.Show(ctx, l.State.Parent)
	if errors.Is(err, engine.ErrNotFound) || err == nil && own.State.Status.Terminal() && !l.State.Status.Terminal() {
		return false, nil
	}
	if err == nil && own.State.Status.Terminal() {
		return true, a.taskOfPlan(ctx, p, l)
	}
	if err != nil {
		return true, err
	}
	if own.Live && l.State.Status == loop.Paused && !l.Live {
		_, err := p.Plans.Send(ctx, own.State.ID, engine.Command{Kind: engine.Wake, Text: l.State.ID, By: a.Owner()})
		if err == nil {
			a.Say("%s continues with plan %s, by the process that runs it; %s follows it", l.State.ID, own.State.ID, next.Follow(own.State.ID))
		}
		return true, err
	}
	if own.Live {
		return true, &exit.Error{
			Code: exit.Busy, Err: fmt.Errorf("%s belongs to plan %s, which is being run", l.State.ID, own.State.ID),
			Hint: next.Follow(own.State.ID),
		}
	}
	a.Say("%s belongs to plan %s; resuming the plan", l.State.ID, own.State.ID)
	return true, a.resumePlan(ctx, p, runs.OfPlan(a.Opener, p, own), f)
}
