package launch

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// StartFromWork lets a loop start from what an ended one left at work, a commit or a ref, of
// what it did since base: one commit on the base of the new loop, against which all of it
// is judged. Work that conflicts with that base is refused.
func StartFromWork(ctx context.Context, b *project.Opener, p *project.Project, spec *loop.Spec, old loop.State, base, work string) error {
	if spec.InPlace || spec.WithChanges {
		return exit.UsageError("leave one of them out", "the work of loop %s and your own uncommitted changes cannot both be what the loop starts from", old.ID)
	}
	if work == "" {
		return exit.UsageError("start it anew", "loop %s left no work", old.ID)
	}
	branch := cmp.Or(old.FailureRef, old.Branch)
	commit, err := p.Repo.ResolveCommit(ctx, work)
	if _, none := errors.AsType[git.ErrUnknownRevision](err); none {
		return exit.UsageError(next.WorkGone(old.ID, branch, old.Commit), "the branch %s with the work that loop %s left is deleted", branch, old.ID)
	}
	if err != nil {
		return fmt.Errorf("find the work that loop %s left: %w", old.ID, err)
	}
	message := git.Message{Text: "Work that loop " + old.ID + " left", Time: b.Now()}
	start, err := p.Repo.Apply(ctx, spec.Base, base, commit, message)
	if conflict, ok := errors.AsType[git.ErrConflict](err); ok {
		return misfit(ctx, p, spec.Base, old, branch, conflict)
	}
	if err != nil {
		return err
	}
	if start == spec.Base {
		b.Note("the commit at HEAD has the work of loop %s already", old.ID)
		return nil
	}
	spec.Leftover = start
	return nil
}

// misfit refuses work that conflicts with the commit at HEAD, and names the ways out.
func misfit(ctx context.Context, p *project.Project, head string, old loop.State, branch string, conflict error) error {
	if common, err := p.Repo.MergeBase(ctx, head, old.Base); err == nil && common == "" {
		return exit.UsageError(next.Switch(branch)+", or a branch with that history; or start it anew: "+next.Retry(old.ID),
			"the commit at HEAD has no history in common with the work that loop %s left: %v", old.ID, conflict)
	}
	return exit.UsageError(next.Resolve(old.ID, branch, old.Acceptable()), "the work that loop %s left does not fit the commit at HEAD: %v", old.ID, conflict)
}
