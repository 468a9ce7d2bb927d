package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// sameTask looks for an unfinished loop of the same task. It answers its id to
// resume, or "" to start another one.
func (a *Commands) sameTask(ctx context.Context, p *project.Project, spec loop.Spec, f launch.Flags) (string, error) {
	old, err := a.unfinished(ctx, p, spec, f)
	if err != nil || old == nil {
		return "", err
	}
	if old.Live {
		return "", &exit.Error{
			Code: exit.Busy, Err: fmt.Errorf("this task is being worked on by loop %s", old.State.ID),
			Hint: next.Follow(old.State.ID) + ", or end it first: " + next.Abort(old.State.ID),
		}
	}
	resume := f.Resume
	if !f.Resume && !f.Fresh {
		question := fmt.Sprintf("loop %s of this task is unfinished (%s, attempt %d of %d)", old.State.ID, project.StatusText(*old), old.State.Iteration, old.State.Limits.MaxIterations)
		if !a.Asks() {
			return "", exit.UsageError("add --resume to continue it, or --fresh to start anew", "%s", question)
		}
		if resume, err = a.resumeOrFresh(ctx, question+".\nResume it, or start fresh? [r/f] "); err != nil {
			return "", err
		}
	}
	if resume {
		return old.State.ID, nil
	}
	return "", a.setAside(ctx, p, old)
}

// unfinished is the loop that runs under the asked-for id, or has the same task.
func (a *Commands) unfinished(ctx context.Context, p *project.Project, spec loop.Spec, f launch.Flags) (*engine.Loop, error) {
	list, err := p.Loops.List(ctx, engine.Filter{Active: true})
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

// afterFailed looks for the newest loop of the same task that failed and was neither
// retried nor archived. A person decides whether the new one starts from its work; where
// no person can be asked it begins anew, and that work stays on its branch (seed 004).
func (a *Commands) afterFailed(ctx context.Context, p *project.Project, spec *loop.Spec, f launch.Flags) error {
	list, err := p.Loops.List(ctx, engine.Filter{Unclosed: true, Apart: true})
	if err != nil {
		return err
	}
	var old loop.State
	var work string
	for _, l := range list {
		s := l.State
		if s.FailureRef != "" && s.Task.Text == spec.Task.Text && !s.EndedAt.Before(old.EndedAt) {
			old, work = s, cmp.Or(l.Kept, "refs/heads/"+s.FailureRef)
		}
	}
	switch {
	case old.ID == "" && f.Resume:
		return exit.UsageError("leave out --resume", "no loop of this task is unfinished or has failed")
	case old.ID == "":
		return nil
	}
	ended := fmt.Sprintf("loop %s of this task %s (%s), and its work is kept on %s", old.ID, old.Status, old.Reason, old.FailureRef)
	resume := f.Resume
	if !resume && !f.Fresh && !spec.InPlace && !spec.WithChanges && a.Asks() {
		if resume, err = a.resumeOrFresh(ctx, ended+".\nResume from that work, or start fresh? [r/f] "); err != nil {
			return err
		}
	}
	if resume {
		spec.RetryOf, spec.Guided = old.ID, old.Unheard()
		return launch.StartFromWork(ctx, a.Opener, p, spec, old, old.Base, work)
	}
	a.Note("%s; this one starts anew. To continue that work: %s. To put it away: %s", ended, next.Retry(old.ID, "--with-work"), next.Archive(old.ID))
	return nil
}

// resumeOrFresh asks a person, until the answer is one of the two.
func (a *Commands) resumeOrFresh(ctx context.Context, question string) (resume bool, err error) {
	for {
		answer, err := a.Ask(ctx, question)
		answer = strings.ToLower(answer)
		switch {
		case strings.HasPrefix(answer, "r"), strings.HasPrefix(answer, "f"):
			return answer[0] == 'r', nil
		case err != nil:
			return false, err
		}
		question = "Answer r (resume) or f (fresh): "
	}
}

// setAside ends the old loop of a task that is started fresh. Its branch is
// kept under an archive name.
func (a *Commands) setAside(ctx context.Context, p *project.Project, old *engine.Loop) error {
	s, err := runs.EndLoop(ctx, a.Opener, p, old.State.ID, "set aside for a fresh start")
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
	l, err := p.Loops.Show(ctx, id)
	if err == nil {
		err = f.RefusesToo(l.State)
	}
	if err != nil {
		return err
	}
	return a.runner.DriveLoop(ctx, p, f.Events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		return p.Loops.Resume(ctx, id, engine.Options{Max: p.Settings.MaxLoops(), Force: f.Force}, d)
	})
}
