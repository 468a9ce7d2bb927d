package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// MayLeave returns an error where the loop has content here that no commit can keep. The tree
// that its record names is another loop's where it was returned, and another machine's where
// the loop has not continued since it moved here.
func (w *Worker) MayLeave(ctx context.Context, s loop.State) error {
	held, err := w.Trees.Held(ctx)
	mine := func(t Tree) bool { return t.Path == s.Worktree }
	if err != nil || !slices.ContainsFunc(held, mine) || !exists(s.Worktree) {
		return err
	}
	d, err := w.Repo.Dirty(ctx, s.Worktree)
	return errors.Join(err, nestedError(s.Worktree, d.Nested))
}

// Leave hands back the trees of a loop that was moved to another engine, after its teardown.
// What was not committed is kept on a branch, whose name is returned; empty is nothing.
// Doing it again does what is left.
func (w *Worker) Leave(ctx context.Context, s loop.State, h *Hooks) (kept string, err error) {
	if err := errors.Join(w.FreezeFilters(ctx), w.takeSlot(ctx)); err != nil {
		return "", err
	}
	held, err := w.Trees.Held(ctx)
	if err != nil || len(held) == 0 {
		return "", err
	}
	if _, err := w.importWork(ctx, s); err != nil {
		return "", err
	}
	if exists(s.Worktree) {
		if kept, err = w.keepUncommitted(ctx, s); err != nil {
			return kept, err
		}
	}
	if _, err := w.tearDown(ctx, s, h); err != nil {
		return kept, err
	}
	return kept, w.returnTrees(ctx, s)
}

func (w *Worker) keepUncommitted(ctx context.Context, s loop.State) (string, error) {
	d, err := w.Repo.Dirty(ctx, s.Worktree)
	if err != nil || !d.Any() {
		return "", err
	}
	head, err := w.Repo.HeadOf(ctx, s.Worktree)
	if err != nil {
		return "", err
	}
	message := git.Message{Text: "What was not committed when the loop moved", Trailers: trailers(s, s.Iteration)}
	commit, err := w.Repo.Snapshot(ctx, s.Worktree, head.Commit, message)
	if err != nil {
		return "", fmt.Errorf("keep what was not committed: %w", err)
	}
	branch, err := git.ArchiveName(s.Branch, w.Now(), func(name string) error { return w.Repo.CreateBranch(ctx, name, commit) })
	if err != nil {
		return "", fmt.Errorf("keep what was not committed on a branch: %w", err)
	}
	return branch, nil
}

// Arrive makes the branches of a loop that moved here, whose commits are here. kept is its
// failed work; empty is none.
func (w *Worker) Arrive(ctx context.Context, s loop.State, kept string) error {
	switch {
	case kept != "":
		have, err := w.Repo.RefCommit(ctx, "refs/heads/"+s.FailureRef)
		if err != nil || have != "" {
			return err
		}
		return w.Repo.CreateBranch(ctx, s.FailureRef, kept)
	case s.Commit == "" && (s.Worktree == "" || s.Unmoved().Status.Terminal()):
		return nil // it has no branch
	}
	return w.moveBranch(ctx, s)
}
