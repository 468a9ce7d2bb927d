package launch

import (
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
func (b *Builder) StartFromWork(ctx context.Context, p *project.Project, spec *loop.Spec, old, base, work string) error {
	if spec.InPlace || spec.WithChanges {
		return exit.UsageError("leave one of them out", "the work of loop %s and your own uncommitted changes cannot both be what the loop starts from", old)
	}
	if work == "" {
		return exit.UsageError("start it anew", "loop %s left no work", old)
	}
	commit, err := p.Repo.ResolveCommit(ctx, work)
	if err != nil {
		return fmt.Errorf("find the work that loop %s left: %w", old, err)
	}
	message := git.Message{Text: "Work that loop " + old + " left", Time: b.Now()}
	start, err := p.Repo.Apply(ctx, spec.Base, base, commit, message)
	if conflict, ok := errors.AsType[git.ErrConflict](err); ok {
		return exit.UsageError("start it anew, or at a commit that the work fits; the work: "+next.Show(old, "--diff"),
			"the work that loop %s left does not fit the commit at HEAD: %v", old, conflict)
	}
	if err != nil {
		return err
	}
	if start == spec.Base {
		b.Note("the commit at HEAD has the work of loop %s already", old)
		return nil
	}
	spec.Leftover = start
	return nil
}
