package foreground

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// Continued reports how a run continues after an answer: the loop that asked, or the
// plan that a person runs and of which the loop or the question is a part.
type Continued struct {
	Kind, ID string
	How      How
}

// How is the way in which an answered run continues.
type How int

// The ways: its process takes the answer; it was started again in the background,
// where it ran before; the terminal that asks continues with it; nothing continues
// before a person resumes it; the agent that drives it continues; it has ended, or is
// paused on request.
const (
	ByItself How = iota
	Restarted
	ByTerminal
	ByHand
	ByAgent
	NotNow
)

// Words tells a person how the run continues.
func (c Continued) Words() string {
	switch c.How {
	case Restarted:
		return fmt.Sprintf("%s continues in the background; follow it with: %s", c.ID, next.Follow(c.ID))
	case ByTerminal:
		return fmt.Sprintf("the terminal that asks for %s %s continues with it", c.Kind, c.ID)
	case ByHand:
		return fmt.Sprintf("%s %s was not started in the background, and no process runs it now; continue with: %s", c.Kind, c.ID, next.Resume(c.ID))
	case ByAgent:
		return fmt.Sprintf("the agent of loop %s continues with it", c.ID)
	case NotNow:
		return ""
	}
	return fmt.Sprintf("%s %s is running and continues with it", c.Kind, c.ID)
}

// Answered continues a run after its question was answered. One that ran in the
// background is started again there, whichever front end took the answer; it continues with the request
// that it was started with. Several answers at once start one process: the run has one
// lease, and the process that gets it finds all answers.
func (a *Runner) Answered(ctx context.Context, p *project.Project, q runs.Question) (Continued, error) {
	r, err := a.topRun(ctx, p, q)
	if err != nil {
		return Continued{}, err
	}
	if r.Live() && !driven(r) {
		err := a.recheck(ctx, r, q)
		if errors.Is(err, engine.ErrNotRunning) { // it released a moment ago
			r, err = a.topRun(ctx, p, q)
		}
		if err != nil {
			return Continued{}, err
		}
	}
	now := r.Outcome()
	c := Continued{Kind: r.Kind(), ID: now.ID}
	switch {
	case now.Status.Terminal():
		c.How = NotNow
	case driven(r):
		c.How = ByAgent
	case r.Live(): // ByItself
	case p.Prompted(now.ID):
		c.How = ByTerminal
	case pausedByPerson(r):
		c.How = NotNow
	case now.Place != loop.Background:
		c.How = ByHand
	default:
		c.How = Restarted
		return a.restarted(ctx, p, c, "the answer")
	}
	return c, nil
}

// restartTries bounds how often restarted tries again where a command held the run for a
// moment: another answer, or guidance.
const restartTries = 3

// restarted resumes a run in the background, after what was given to it. Another answer may
// have done so first.
func (a *Runner) restarted(ctx context.Context, p *project.Project, c Continued, given string) (Continued, error) {
	var f *exit.Error
	for range restartTries {
		err := a.ResumeInBackground(ctx, p, c.ID)
		if err == nil {
			return c, nil
		}
		if r, failed := runs.Find(ctx, a.Opener, p, c.ID, runs.Wanted{}); failed == nil && (r.Live() || r.Outcome().Status.Terminal()) {
			c.How = ByItself
			return c, nil
		}
		if f = exit.Classify(err); f.Code != exit.Busy {
			break
		}
	}
	return c, &exit.Error{Code: f.Code, Err: fmt.Errorf("%s is recorded, but %s %s does not continue: %w", given, c.Kind, c.ID, f.Err), Hint: next.Resume(c.ID)}
}

// recheck makes the process of a plan look at a loop of it that was answered.
func (a *Runner) recheck(ctx context.Context, r runs.Run, q runs.Question) error {
	if r.Kind() != "plan" || q.Own != nil && q.Plan == r.Outcome().ID {
		return nil
	}
	return r.Send(ctx, engine.Command{Kind: engine.Recheck, By: a.Owner()})
}

// topRun is the run that a person started: a loop, or the outermost plan.
func (a *Runner) topRun(ctx context.Context, p *project.Project, q runs.Question) (runs.Run, error) {
	id := q.Plan
	if q.Own == nil {
		l, err := runs.LoopByID(ctx, a.Opener, p, q.Loop)
		if errors.Is(err, engine.ErrNotFound) && q.Plan != "" { // it has begun in another way meanwhile
			return runs.PlanByID(ctx, a.Opener, p, q.Plan)
		}
		if err != nil {
			return nil, err
		}
		s := l.(*runs.Loop).Now.State
		if !s.InPlan() {
			return l, nil
		}
		id = s.Parent
		if _, err := p.Plans.Show(ctx, id); errors.Is(err, engine.ErrNotFound) {
			return l, nil
		}
	}
	r, err := runs.PlanByID(ctx, a.Opener, p, id)
	if err != nil {
		return nil, err
	}
	if top := runs.TopPlan(r.(*runs.Plan).Now); top != id {
		return runs.PlanByID(ctx, a.Opener, p, top)
	}
	return r, nil
}

func driven(r runs.Run) bool {
	l, ok := r.(*runs.Loop)
	return ok && l.Now.State.Mode == loop.AgentDriven
}

// pausedByPerson reports whether a person paused the run: an answer does not undo that.
func pausedByPerson(r runs.Run) bool {
	switch r := r.(type) {
	case *runs.Loop:
		return r.Now.State.Status == loop.Paused && !r.Now.State.Unowned
	case *runs.Plan:
		return r.Now.State.PauseAsked || r.Now.State.Status == loop.Paused
	}
	return false
}
