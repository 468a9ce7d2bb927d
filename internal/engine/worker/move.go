package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"ralph/internal/loop"
)

// Move makes the trees of a loop that another machine ran, at its newest commit, which is
// in this repository. What an earlier run on this machine left in its trees is no part of
// the work. It returns false where this machine ran the loop last: its trees may hold
// work that is not committed yet.
func (w *Worker) Move(ctx context.Context, s loop.State) (done loop.Moved, elsewhere bool, err error) {
	done.Root = cmp.Or(w.Repo.Root, w.Repo.CommonDir)
	switch {
	case s.Root == done.Root:
		return done, false, nil
	case s.Worktree == "":
		return done, true, nil
	}
	if err := errors.Join(w.FreezeFilters(ctx), w.takeSlot(ctx), w.returnTrees(ctx, s)); err != nil {
		return done, true, err
	}
	if err := w.moveBranch(ctx, s); err != nil {
		return done, true, err
	}
	s.Root = done.Root
	paths := make([]string, 2)
	for i, kind := range []string{AgentTree, GateTree} {
		if paths[i], err = w.movedTree(ctx, s, kind); err != nil {
			return done, true, err
		}
	}
	done.Worktree, done.GateTree = paths[0], paths[1]
	return done, true, w.Repo.Sync(paths...)
}

// moveBranch puts the branch of the loop at its newest commit. A branch of an earlier run
// on this machine that holds other work is kept under another name.
func (w *Worker) moveBranch(ctx context.Context, s loop.State) error {
	have, err := w.Repo.RefCommit(ctx, "refs/heads/"+s.Branch)
	if err != nil || have == s.Tip() {
		return err
	}
	if have != "" {
		part, err := w.Repo.IsAncestor(ctx, have, s.Tip())
		if err != nil {
			return err
		}
		if part {
			return w.Repo.UpdateRef(ctx, "refs/heads/"+s.Branch, s.Tip(), have)
		}
		if _, err := w.Repo.SetBranchAside(ctx, s.Branch, w.Now()); err != nil {
			return fmt.Errorf("set the earlier branch %s aside: %w", s.Branch, err)
		}
	}
	return w.Repo.StartBranch(ctx, s.Branch, s.Tip())
}

func (w *Worker) movedTree(ctx context.Context, s loop.State, kind string) (string, error) {
	setup, err := w.setupDigest(ctx, s, s.Base)
	if err != nil {
		return "", err
	}
	t, err := w.take(ctx, kind, poolKey(kind, setup))
	if err != nil {
		return "", err
	}
	if t, err = w.place(ctx, s, t, kind, s.Tip()); err != nil {
		return "", fmt.Errorf("make the worktree %s: %w", t.Path, err)
	}
	prepare := loop.Action{Do: loop.DoPrepare, Attempt: s.Iteration, Timeout: s.Limits.Attempt}
	return t.Path, w.furnish(ctx, s, prepare, &Hooks{}, kind, t, s.Base)
}
