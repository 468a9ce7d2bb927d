package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Recover ends what a dead owner left running in the present attempt and heals
// the loop's worktrees. It returns the number of processes that it ended.
func (w *Worker) Recover(ctx context.Context, s loop.State) (ended int, err error) {
	w.Repo.SweepScratch()
	for _, n := range []int{0, s.Iteration} {
		left, err := w.recoverRuns(ctx, w.Files.Runs(n))
		if err != nil {
			return ended, err
		}
		ended += left
	}
	if s.GateTree == "" {
		return ended, nil // whatever there is is made again
	}
	if err := w.FreezeFilters(ctx); err != nil {
		return ended, err
	}
	return ended, w.healAll(ctx, s)
}

// LostTree explains to the user that the agent's worktree is gone although
// the loop has it; empty while it exists.
func (w *Worker) LostTree(s loop.State) string {
	if s.Worktree == "" || s.InPlace || exists(s.Worktree) {
		return ""
	}
	return "the worktree was deleted meanwhile and is made again from " + git.Short(s.Tip()) + "; what was not committed is lost"
}

// ErrWorkLost is returned by the commit of an attempt whose tree is gone with all that its agent
// did: nothing is left that could be judged.
var ErrWorkLost error = &proc.Cut{
	What: "the worktree of the agent", How: "was deleted before its work was committed", Cause: loop.CauseLack,
}

// hasWork returns ErrWorkLost where the tree of an attempt that is to be committed is gone, and
// its branch is where the attempt began. It is asked before the tree is made again: from then on
// nothing tells that an agent had worked in it.
func (w *Worker) hasWork(ctx context.Context, s loop.State) error {
	if s.InPlace || exists(s.Worktree) {
		return nil
	}
	tip, err := w.Repo.RefCommit(ctx, "refs/heads/"+s.Branch)
	if err == nil && (tip == "" || tip == s.Tip()) {
		err = ErrWorkLost
	}
	return err
}

// healAll repairs the trees that the loop has. One that it was making again
// when its owner died is put aside: the step that needs it finds it missing.
func (w *Worker) healAll(ctx context.Context, s loop.State) error {
	held, err := w.Trees.Held(ctx)
	if err != nil {
		return err
	}
	for _, t := range held {
		switch {
		case !exists(t.Path):
		case t.Fresh:
			err = w.retire(ctx, t.Path)
		default:
			err = w.heal(ctx, s, t.Path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) recoverRuns(ctx context.Context, dir string) (ended int, err error) {
	runs, err := os.ReadDir(dir)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("look for leftover processes: %w", err)
	}
	for _, run := range runs {
		left, err := proc.Recover(ctx, filepath.Join(dir, run.Name()))
		if err != nil {
			return ended, fmt.Errorf("end leftover processes: %w", err)
		}
		if left.How == proc.LeftEnded {
			ended++
		}
	}
	return ended, nil
}

// heal repairs a worktree that a crash left damaged. One that is gone is
// made again from the newest commit.
func (w *Worker) heal(ctx context.Context, s loop.State, tree string) error {
	branch := ""
	if tree == s.Worktree {
		branch = s.Branch
	}
	if err := w.Repo.Heal(ctx, git.Worktree{Path: tree, Branch: branch, Commit: s.Tip()}); err != nil {
		return fmt.Errorf("heal the worktree %s: %w", tree, err)
	}
	return nil
}
