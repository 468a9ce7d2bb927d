package finish

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// acceptable refuses a run of which nothing can be accepted.
func (a *Commands) acceptable(ctx context.Context, p *project.Project, r runs.Run) error {
	if l, ok := r.(*runs.Loop); ok {
		switch s := l.Now.State; {
		case s.Mode == loop.AgentDriven && s.Status.Terminal():
			return exit.UsageError(next.Archive(s.ID), "loop %s has nothing to accept: its agent worked in your own tree", s.ID)
		case l.Now.Archived:
			return archivedLoop(ctx, p, s)
		}
	}
	return a.unfinished(r)
}

// archivedLoop refuses a loop that was put away. What a task's loop did is accepted with
// its plan.
func archivedLoop(ctx context.Context, p *project.Project, s loop.State) error {
	if own, err := p.Plans.Show(ctx, s.Parent); s.InPlan() && err == nil && s.Accepted == "" {
		hint := next.Show(s.Parent)
		if own.State.Acceptable() {
			hint = next.Accept(s.Parent)
		}
		return exit.UsageError(hint, "loop %s is archived, and its work is accepted with its plan %s", s.ID, s.Parent)
	}
	if s.Accepted != "" {
		return exit.UsageError(next.Show(s.ID), "loop %s was accepted already, as %.7s, and is archived", s.ID, s.Accepted)
	}
	return exit.UsageError(next.Retry(s.ID), "loop %s is archived, and its work was not accepted", s.ID)
}

// unfinished refuses a run that stands still and has not ended, and says what it waits for.
// One whose record is damaged is refused by the engine.
func (a *Commands) unfinished(r runs.Run) error {
	switch o := r.Outcome(); {
	case o.Status.Terminal(), o.Reason == loop.Damaged:
		return nil
	case o.Status == loop.Running && r.Live():
		return &exit.Error{
			Code: exit.Busy, Err: fmt.Errorf("%s %s is running: nothing of it can be accepted yet", r.Kind(), o.ID),
			Hint: next.Wait(o.ID) + " waits for its end; " + next.Pause(o.ID) + " or " + next.Abort(o.ID) + " stops it",
		}
	}
	switch r := r.(type) {
	case *runs.Loop:
		l := project.View(r.Now, a.Now())
		return exit.UsageError(cmp.Or(l.Next, next.Follow(l.ID)), "loop %s has nothing to accept yet: it is %s; %s", l.ID, l.Status, l.Why)
	case *runs.Plan:
		then := cmp.Or(next.Plan(r.Now.State, next.PlanFacts{}), next.Status(r.Now.State.ID))
		return exit.UsageError(then+", or "+next.Abort(r.Now.State.ID)+" and accept what landed", "plan %s has nothing to accept yet: it is %s", r.Now.State.ID, r.StatusText())
	}
	return nil
}

// pickPassed returns the only plan or loop that passed and is not accepted. The
// work of a plan's loop is accepted with its plan.
func (a *Commands) pickPassed(ctx context.Context, p *project.Project) (string, error) {
	loops, err := p.Loops.List(ctx, engine.Filter{Unclosed: true, Apart: true})
	if err != nil {
		return "", err
	}
	plans, err := p.Plans.List(ctx, engine.Filter{Unclosed: true})
	if err != nil {
		return "", err
	}
	var passed []engine.Loop
	for _, l := range loops {
		if l.State.Acceptable() {
			if tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+l.State.Branch); err == nil && tip != "" {
				passed = append(passed, l)
			}
		}
	}
	parts := slices.DeleteFunc(slices.Clone(plans), func(l engine.Plan) bool { return !l.State.Acceptable() })
	all := project.Candidates(passed, slices.DeleteFunc(plans, func(l engine.Plan) bool { return l.State.Status != loop.StatusPassed || !l.State.Acceptable() }))
	switch {
	case len(all) == 0 && len(parts) > 0:
		id := parts[0].State.ID
		return "", exit.UsageError(next.Accept(id), "nothing has passed; plan %s ended with a part of its work landed", id)
	case len(all) == 0:
		return "", exit.UsageError("ralph status", "nothing has passed and waits to be accepted")
	}
	return a.Choose(ctx, all)
}
