package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// prepare makes the branch and the two trees of a loop, fresh or from the pool.
func (w *Worker) prepare(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	base, err := w.base(ctx, s)
	if err != nil {
		return nil, err
	}
	if w.Template != "" {
		if err := durable.Write(w.Files.Template(), []byte(w.Template)); err != nil {
			return nil, fmt.Errorf("freeze the prompt's template: %w", err)
		}
	}
	done := loop.Prepared{Base: base, Worktree: s.Root}
	if err := w.branch(ctx, s, cmp.Or(s.Leftover, base)); err != nil {
		return nil, err
	}
	if s.InPlace {
		if err = w.Trees.Lock(ctx, s.Root); err == nil {
			done.GateTree, err = w.tree(ctx, s, a, h, GateTree, base)
		}
	} else {
		var paths []string
		if paths, err = w.trees(ctx, s, a, h, base, AgentTree, GateTree); err == nil {
			done.Worktree, done.GateTree = paths[0], paths[1]
		}
	}
	if err != nil {
		return nil, err
	}
	// The record names the trees: a power cut must not leave empty files in them that
	// would be committed as the agent's work.
	if err := w.Repo.Sync(done.Worktree, done.GateTree); err != nil {
		return nil, err
	}
	if has, err := w.submodules(ctx, base); err != nil {
		return nil, err
	} else if has && len(s.Setup) == 0 {
		done.Notes = append(done.Notes, "the repository has submodules; they are not initialised unless `isolation.setup` does it")
	}
	return done, nil
}

// base is the commit to start from: the one that was asked for, or with the
// user's uncommitted changes a first commit on top of it.
func (w *Worker) base(ctx context.Context, s loop.State) (string, error) {
	if !s.WithChanges {
		return s.Base, nil
	}
	if tip, err := w.Repo.RefCommit(ctx, "refs/heads/"+s.Branch); err == nil && w.ours(ctx, s, tip) {
		return tip, nil // made before a crash
	}
	message := git.Message{Text: "Uncommitted changes that the loop starts from", Trailers: trailers(s, 0), Time: s.StartedAt}
	commit, err := w.Repo.Snapshot(ctx, s.Root, s.Base, message)
	if err != nil {
		return "", fmt.Errorf("commit the uncommitted changes: %w", err)
	}
	return commit, w.refuseCarried(ctx, s, commit)
}

// ours: ralph made this commit for the loop.
func (w *Worker) ours(ctx context.Context, s loop.State, commit string) bool {
	if commit == "" {
		return false
	}
	message, err := w.Repo.CommitMessage(ctx, commit)
	return err == nil && strings.Contains(message, "\n"+git.LoopTrailer+": "+s.ID+"\n")
}

// branch makes the loop's branch, which may exist from before a crash. Without
// changes of the user in it, losing it in a power cut loses nothing.
func (w *Worker) branch(ctx context.Context, s loop.State, start string) error {
	create, name := w.Repo.StartBranch, s.Branch
	if s.WithChanges {
		create = w.Repo.CreateBranch
	}
	err := create(ctx, name, start)
	if taken, ok := errors.AsType[git.ErrBranchBlocks](err); ok {
		return fmt.Errorf("make branch %s: %w; rename that one: git branch -m %s NAME", name, err, taken.Existing)
	}
	if _, ok := errors.AsType[git.ErrRefMoved](err); ok {
		if tip, err := w.Repo.ResolveCommit(ctx, "refs/heads/"+name); err == nil && tip == start {
			return nil
		}
		return fmt.Errorf("branch %s exists already and points elsewhere: choose another --loop-id", name)
	}
	return err
}

// tree takes a tree from the pool or makes one, at base, and sets it up.
func (w *Worker) tree(ctx context.Context, s loop.State, a loop.Action, h *Hooks, kind, base string) (string, error) {
	paths, err := w.trees(ctx, s, a, h, base, kind)
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// trees is tree for several kinds. Their files, the slow part, are written
// side by side; set-up commands, which share caches, run in turn.
func (w *Worker) trees(ctx context.Context, s loop.State, a loop.Action, h *Hooks, base string, kinds ...string) ([]string, error) {
	setup, err := w.setupDigest(ctx, s, base)
	if err != nil {
		return nil, err
	}
	took, paths := make([]Tree, len(kinds)), make([]string, len(kinds))
	for i, kind := range kinds {
		if took[i], err = w.take(ctx, kind, poolKey(kind, setup)); err != nil {
			return nil, err
		}
		paths[i] = took[i].Path
	}
	if err := w.placeAll(ctx, s, took, kinds, base); err != nil {
		return nil, err
	}
	for i, t := range took {
		if err := w.furnish(ctx, s, a, h, kinds[i], t, base); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// placeAll fills trees side by side. Meanwhile it lists the files of the base, which the
// preparation and the first gate ask for.
func (w *Worker) placeAll(ctx context.Context, s loop.State, trees []Tree, kinds []string, base string) error {
	errs := make([]error, len(trees)+1)
	var all sync.WaitGroup
	all.Go(func() { _, errs[len(trees)] = w.files(ctx, base) })
	for i, t := range trees {
		at := base
		if kinds[i] == AgentTree {
			at = cmp.Or(s.Leftover, base)
		}
		all.Go(func() { trees[i], errs[i] = w.place(ctx, s, t, kinds[i], at) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// place makes a fresh tree, and puts the loop's branch at base into an agent's
// tree, without what an earlier agent left there. A gate tree of the pool is brought to the
// commit by each gate.
func (w *Worker) place(ctx context.Context, s loop.State, t Tree, kind, base string) (Tree, error) {
	branch := ""
	if kind == AgentTree {
		branch = s.Branch
	}
	begun := isDir(t.Path)
	if t.Fresh {
		// A tree whose making was abandoned may be at another commit.
		if err := w.Repo.EnsureWorktree(ctx, git.Worktree{Path: t.Path, Branch: branch, Commit: base}); err != nil || !begun {
			return t, err
		}
	}
	if branch == "" {
		return t, nil
	}
	t, err := w.sift(ctx, s, t, base)
	if err != nil {
		return t, err
	}
	return t, w.Repo.Switch(ctx, t.Path, branch, base)
}
