package foreground

import (
	"context"
	"fmt"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// Steered tells how a loop continues after it was given guidance; empty where its process
// continues with it. A loop that ran in the background and rests only because no process
// runs it, or only waits for a time, is started again there. Without that an answer at the
// same moment would be lost: its own start finds the lease taken by the guidance.
func (a *Runner) Steered(ctx context.Context, p *project.Project, id string) (string, error) {
	r, err := runs.LoopByID(ctx, a.Opener, p, id)
	if err != nil {
		return "", err
	}
	l := r.(*runs.Loop).Now
	s, c := l.State, Continued{Kind: "loop", ID: id}
	switch {
	case l.Live && s.Began && s.Iteration >= s.Limits.MaxIterations:
		return "the last attempt is at work and does not get it; a retry of the loop does", nil
	case s.Status.Terminal(), l.Live:
		return "", nil
	case s.Open() != nil:
		return "it waits for an answer: " + next.AnswerOpen(id, s.Open()), nil
	case driven(r):
		c.How = ByAgent
		return c.Words(), nil
	case s.InPlan():
		if top, err := runs.PlanByID(ctx, a.Opener, p, s.Parent); err == nil && top.Live() {
			return "", nil
		}
		return resting("plan", s.Parent), nil
	case p.Prompted(id):
		c.How = ByTerminal
		return c.Words(), nil
	case s.Place != loop.Background, !s.Ownerless() && !l.Crashed:
		return resting("loop", id), nil
	}
	c.How = Restarted
	c, err = a.restarted(ctx, p, c, "the guidance")
	return c.Words(), err
}

// resting is how a user continues a run that no process runs.
func resting(kind, id string) string {
	return fmt.Sprintf("%s %s does not run now; continue with: %s", kind, id, next.Resume(id))
}
