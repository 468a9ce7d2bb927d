package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// CheckpointRefs are the refs of ours that keep content of loops in a
// repository: their checkpoints, and the commits that were set aside.
type CheckpointRefs struct{ Repo *git.Repo }

// Owners are the loops that have any.
func (c CheckpointRefs) Owners(ctx context.Context) ([]string, error) {
	var ids []string
	for _, root := range []string{checkpointRefs, git.ExtraRefs} {
		refs, err := c.Repo.OwnRefs(ctx, root)
		if err != nil {
			return nil, err
		}
		for _, ref := range refs {
			// One without a number was made by an older ralph.
			id, _, _ := strings.Cut(strings.TrimPrefix(ref, root), "/")
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// Drop removes those of a loop.
func (c CheckpointRefs) Drop(ctx context.Context, id string) error {
	return errors.Join(c.Repo.DropOwnRefs(ctx, checkpointRefs+id), c.Repo.DropOwnRefs(ctx, git.ExtraRefs+id))
}

const checkpointRefs = "refs/ralph/checkpoints/"

// checkpointRef names a checkpoint's commit. Nothing below refs/ralph is
// fetched or pushed by default.
func checkpointRef(id string, n int) string { return fmt.Sprintf("%s%s/%d", checkpointRefs, id, n) }

// Checkpoint keeps the present content of the agent's tree as a commit that a
// ref of ours holds, as number n or, where that is in use, one of the next.
func (w *Worker) Checkpoint(ctx context.Context, s loop.State, n int) (commit string, number int, err error) {
	if s.Worktree == "" {
		return "", 0, errors.New("make a checkpoint: there is no tree yet")
	}
	message := git.Message{Text: "Checkpoint", Trailers: trailers(s, s.Iteration)}
	if commit, err = w.Repo.Snapshot(ctx, s.Worktree, s.Tip(), message); err != nil {
		return "", 0, fmt.Errorf("make a checkpoint: %w", err)
	}
	for most := n + 100; ; n++ {
		// A number may be taken by a record that was cut off.
		err = w.Repo.UpdateRef(ctx, checkpointRef(s.ID, n), commit, "")
		if _, taken := errors.AsType[git.ErrRefMoved](err); taken && n < most {
			continue
		}
		if err != nil {
			return "", 0, fmt.Errorf("keep checkpoint %d: %w", n, err)
		}
		return commit, n, nil
	}
}

// Restore brings the content of a checkpoint back: as a new commit on the
// loop's branch, in the agent's tree. The content that it replaces is kept on a
// branch first.
func (w *Worker) Restore(ctx context.Context, s loop.State, c loop.Checkpoint) (loop.Restored, error) {
	done := loop.Restored{Checkpoint: c.N}
	if err := w.FreezeFilters(ctx); err != nil {
		return done, err
	}
	if _, err := w.importWork(ctx, s); err != nil {
		return done, err
	}
	if err := w.heal(ctx, s, s.Worktree); err != nil {
		return done, err
	}
	if d, err := w.Repo.Dirty(ctx, s.Worktree); err != nil || len(d.Nested) > 0 {
		return done, errors.Join(err, nestedError(s.Worktree, d.Nested))
	}
	head, err := w.Repo.HeadOf(ctx, s.Worktree)
	if err != nil {
		return done, err
	}
	tip, err := w.Repo.RefCommit(ctx, "refs/heads/"+s.Branch)
	if err != nil {
		return done, err
	}
	if done.Kept, err = w.setAside(ctx, s, head.Commit, c); err != nil {
		return done, err
	}
	message := git.Message{
		Text: fmt.Sprintf("Continue from checkpoint %d\n\nWhat was there is kept on %s.", c.N, done.Kept), Trailers: trailers(s, s.Iteration),
	}
	if done.Commit, err = w.Repo.CommitContent(ctx, c.Commit, message, cmp.Or(tip, s.Tip())); err != nil {
		return done, fmt.Errorf("commit the content of checkpoint %d: %w", c.N, err)
	}
	if err := w.Repo.Switch(ctx, s.Worktree, s.Branch, done.Commit); err != nil {
		return done, fmt.Errorf("bring back checkpoint %d: %w", c.N, err)
	}
	return done, w.Repo.Sync()
}

func nestedError(tree string, nested []string) error {
	if len(nested) == 0 {
		return nil
	}
	return fmt.Errorf("%w: %s", engine.ErrNested, filepath.Join(tree, nested[0]))
}

// setAside keeps the tree as it is on a branch of its own.
func (w *Worker) setAside(ctx context.Context, s loop.State, tip string, c loop.Checkpoint) (branch string, err error) {
	message := git.Message{Text: fmt.Sprintf("What was there before checkpoint %d was brought back", c.N), Trailers: trailers(s, s.Iteration)}
	commit, err := w.Repo.Snapshot(ctx, s.Worktree, tip, message)
	if err != nil {
		return "", fmt.Errorf("keep what is there: %w", err)
	}
	branch, err = git.ArchiveName(s.Branch, w.Now(), func(name string) error { return w.Repo.CreateBranch(ctx, name, commit) })
	if err != nil {
		return "", fmt.Errorf("keep what is there on a branch: %w", err)
	}
	return branch, nil
}
