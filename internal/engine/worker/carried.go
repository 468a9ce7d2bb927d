package worker

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/loop"
)

// origin returns the commit from which a merge brings all that follows: the base, or the
// one before it where the base has the user's uncommitted changes.
func (w *Worker) origin(ctx context.Context, s loop.State) (string, error) {
	if !s.WithChanges || !w.ours(ctx, s, s.Base) {
		return s.Base, nil
	}
	return w.Repo.ResolveCommit(ctx, s.Base+"^")
}

// refuseCarried returns an error where the user's uncommitted changes, as commit has them,
// add a secret that the loop refuses: no attempt could remove it, since it is in the base.
func (w *Worker) refuseCarried(ctx context.Context, s loop.State, commit string) error {
	if s.Secrets != loop.SecretsBlock || commit == s.Base {
		return nil
	}
	found, err := w.secretsBetween(ctx, s, s.Base, commit)
	if err != nil || len(found) == 0 {
		return err
	}
	return fmt.Errorf("the uncommitted changes, which --with-changes takes along, add what looks like a secret (%s), and secrets: block refuses it; "+
		"remove it or let git ignore the file, and run it again", strings.Join(found, ", "))
}
