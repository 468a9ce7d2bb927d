package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// sameTask looks for an unfinished loop of the same task. It answers its id to
// resume, or "" to start anew.
func (a *Commands) sameTask(ctx context.Context, p *project.Project, spec loop.Spec, f launch.Flags) (string, error) {
	old, err := a.unfinished(ctx, p, spec, f)
	if err != nil || old == nil {
		if err == nil && f.Resume {
			err = exit.UsageError("leave out --resume", "there is no unfinished loop of this task")
		}
		return "", err
	}
	if old.Live {
		return "", &exit.Error{
			Code: exit.Busy, Err: fmt.Errorf("this task is being worked on by loop %s", old.State.ID),
			Hint: next.Follow(old.State.ID) + ", or end it first: " + next.Abort(old.State.ID),
		}
	}
	resume, err := a.resumeOrFresh(ctx, old, f)
	if err != nil || resume {
		return old.State.ID, err
	}
	return "", a.setAside(ctx, p, old)
}

// unfinished is the loop that runs under the asked-for id, or has the same task.
func (a *Commands) unfinished(ctx context.Context, p *project.Project, spec loop.Spec, f launch.Flags) (*engine.Loop, error) {
	list, err := p.Engine.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return nil, err
	}
	for i, l := range list {
		s := l.State
		if s.ID == f.LoopID || f.ByTask() && s.Task.Text == spec.Task.Text {
			return &list[i], nil
		}
	}
	return nil, nil
}

// noteFailed names the newest loop of the same task that failed and was neither
// retried nor archived: this one starts anew, and the work of that one stays on its
// branch (seed 004).
func (a *Commands) noteFailed(ctx context.Context, p *project.Project, spec loop.Spec) error {
	list, err := p.Engine.List(ctx, engine.Filter{Unsettled: true, Apart: true})
	if err != nil {
		return err
	}
	var old loop.State
	for _, l := range list {
		s := l.State
		if s.FailureRef != "" && s.Task.Text == spec.Task.Text && !s.EndedAt.Before(old.EndedAt) {
			old = s
		}
	}
	if old.ID != "" {
		a.Note("loop %s of this task %s (%s), and its work is kept on %s; this one starts anew. To put that one away: %s", old.ID, old.Status, old.Reason, old.FailureRef, next.Archive(old.ID))
	}
	return nil
}

func (a *Commands) resumeOrFresh(ctx context.Context, old *engine.Loop, f launch.Flags) (bool, error) {
	if f.Resume || f.Fresh {
		return f.Resume, nil
	}
	question := fmt.Sprintf("loop %s of this task is unfinished (%s, iteration %d of %d)", old.State.ID, project.Standing(*old), old.State.Iteration, old.State.Limits.MaxIterations)
	if !a.Asks() {
		return false, exit.UsageError("add --resume to continue it, or --fresh to start anew", "%s", question)
	}
	answer, err := a.Ask(ctx, question+".\nResume it, or start fresh? [r/f] ")
	switch {
	case err != nil:
		return false, err
	case strings.HasPrefix(strings.ToLower(answer), "r"):
		return true, nil
	case strings.HasPrefix(strings.ToLower(answer), "f"):
		return false, nil
	}
	return false, exit.UsageError("answer r or f", "neither resume nor fresh")
}

// setAside ends the old loop of a task that is started fresh. Its branch is
// kept under an archive name.
func (a *Commands) setAside(ctx context.Context, p *project.Project, old *engine.Loop) error {
	s, err := a.EndLoop(ctx, p, old.State.ID, "set aside for a fresh start")
	if err != nil && !errors.Is(err, engine.ErrEnded) { // by itself, meanwhile
		return err
	}
	archived, err := p.Repo.SetBranchAside(ctx, old.State.Branch, a.Now())
	switch _, none := errors.AsType[git.ErrUnknownRevision](err); {
	case err == nil:
		a.Say("the old branch is kept as %s", archived)
	case s.FailureRef != "":
		a.Say("the old work is kept on %s", s.FailureRef)
	case !none: // A loop without changes has left no branch.
		return err
	}
	return nil
}

// resumeUnfinished resumes the unfinished loop of a task.
func (a *Commands) resumeUnfinished(ctx context.Context, p *project.Project, id string, f launch.Flags) error {
	return a.DriveLoop(ctx, p, f.Events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		return p.Engine.Resume(ctx, id, engine.Options{Max: p.Settings.MaxLoops(), Force: f.Force}, d)
	})
}
