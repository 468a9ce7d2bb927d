package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/store"
)

// Archive takes an ended loop out of sight.
func (e *Engine) Archive(ctx context.Context, id string) error {
	e.learn(ctx, id)
	return e.awaitEnded(ctx, id, func() error { return e.store.Archive(ctx, id) })
}

// Clean removes archived loops that ended long enough ago and, where asked,
// worktrees of the pool that no loop has. A loop whose worktree holds the only copy of
// its work stays until that is dropped by name.
func (e *Engine) Clean(ctx context.Context, o engine.CleanOptions) (engine.Cleaned, error) {
	var done engine.Cleaned
	if o.Drop != "" {
		dropped, err := e.drop(ctx, o)
		if err != nil {
			return done, err
		}
		done.Removed = append(done.Removed, dropped...)
	}
	var err error
	if done.Unkept, err = e.unkept(ctx, o.Drop); err != nil {
		return done, err
	}
	removed, err := e.cleanLoops(ctx, o, done.Unkept)
	done.Removed = append(done.Removed, removed...)
	if err == nil && e.checkpoints != nil {
		removed, err = e.cleanCheckpoints(ctx, o)
		done.Removed = append(done.Removed, removed...)
	}
	if err != nil || !o.Worktrees {
		return done, err
	}
	removed, only, err := e.cleanTrees(ctx, o, done.Unkept)
	done.Removed, done.Unkept = append(done.Removed, removed...), append(done.Unkept, only...)
	return done, err
}

// unkept returns the worktrees that ended loops still have, but for those of one loop: a
// loop hands its worktrees back only once its work stands on a branch. Those that a user
// has deleted are left out.
func (e *Engine) unkept(ctx context.Context, but string) ([]engine.Unkept, error) {
	trees, err := e.store.Trees(ctx)
	if err != nil {
		return nil, situation.Of(err)
	}
	var out []engine.Unkept
	for _, t := range trees {
		if t.Loop == "" || t.Loop == but || t.Kind != worker.AgentTree {
			continue
		}
		r, err := e.store.Read(ctx, t.Loop)
		if err != nil {
			return nil, situation.Of(err)
		}
		if _, gone := os.Lstat(t.Path); r.State.Status.Terminal() && r.Damage == "" && gone == nil {
			out = append(out, engine.Unkept{Loop: t.Loop, Worktree: t.Path})
		}
	}
	return out, nil
}

// drop hands back the worktrees of an ended loop whose work could not be kept.
func (e *Engine) drop(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	all, err := e.unkept(ctx, "")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, u := range all {
		if u.Loop == o.Drop {
			out = append(out, "the work of loop "+u.Loop+" in "+u.Worktree)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("loop %s: %w", o.Drop, engine.ErrNothingUnkept)
	}
	if !o.DryRun {
		err = e.store.FreeTrees(ctx, o.Drop)
	}
	return out, situation.Of(err)
}

// cleanLoops removes archived loops, but for those with unkept work.
func (e *Engine) cleanLoops(ctx context.Context, o engine.CleanOptions, unkept []engine.Unkept) ([]string, error) {
	entries, err := e.store.Entries(ctx, store.Filter{Archived: true})
	if err != nil {
		return nil, situation.Of(err)
	}
	var removed []string
	for _, n := range entries {
		holds := func(u engine.Unkept) bool { return u.Loop == n.ID }
		if !n.Archived || e.now().Sub(n.EndedAt) < o.OlderThan || slices.ContainsFunc(unkept, holds) {
			continue
		}
		if !o.DryRun {
			if err := e.store.Remove(ctx, n.ID); err != nil {
				return removed, situation.Of(err)
			}
		}
		removed = append(removed, "archived loop "+n.ID)
	}
	return removed, nil
}

// cleanCheckpoints removes the checkpoints of loops that no longer exist:
// they were removed just now, or by a process that was killed while doing so.
func (e *Engine) cleanCheckpoints(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	owners, err := e.checkpoints.Owners(ctx)
	if err != nil {
		return nil, err
	}
	var removed []string
	for _, id := range owners {
		if _, err := e.loops.Read(ctx, id); !errors.Is(err, engine.ErrNotFound) {
			if err != nil {
				return removed, situation.Of(err)
			}
			continue
		}
		if !o.DryRun {
			if err := e.checkpoints.Drop(ctx, id); err != nil {
				return removed, err
			}
		}
		removed = append(removed, "checkpoints of loop "+id)
	}
	return removed, nil
}

// cleanTrees deletes the worktrees that no loop has, and those that a loop has kept after its
// end without any work in them. only are those with a commit that no ref contains.
func (e *Engine) cleanTrees(ctx context.Context, o engine.CleanOptions, unkept []engine.Unkept) (removed []string, only []engine.Unkept, err error) {
	trees, err := e.store.Trees(ctx)
	if err != nil {
		return nil, nil, situation.Of(err)
	}
	var failed []error
	for _, t := range trees {
		if t.Kind == "in place" {
			continue
		}
		if free, err := e.handBack(ctx, t, o, unkept); err != nil {
			failed = append(failed, err)
			continue
		} else if !free {
			continue
		}
		if commit, err := e.commitLostWith(ctx, t, o.Given); err != nil {
			failed = append(failed, fmt.Errorf("remove worktree %s: %w", t.Path, err))
			continue
		} else if commit != "" {
			only = append(only, engine.Unkept{Worktree: t.Path, Commit: commit})
			continue
		}
		if !o.DryRun {
			if gone, err := e.cleanTree(ctx, t.Path); err != nil {
				failed = append(failed, fmt.Errorf("remove worktree %s: %w", t.Path, err))
				continue
			} else if !gone {
				continue
			}
		}
		removed = append(removed, "worktree "+t.Path)
	}
	return removed, only, errors.Join(failed...)
}

// commitLostWith returns the commit that would be lost with a worktree. What a gate's worktree
// holds was made to be judged: the work itself, which a loop keeps, or a variant of it.
func (e *Engine) commitLostWith(ctx context.Context, t store.Tree, given []string) (string, error) {
	if t.Kind == worker.GateTree || e.onlyCommit == nil {
		return "", nil
	}
	commit, err := e.onlyCommit(ctx, t.Path, given...)
	if errors.Is(err, git.ErrNotLinked) || errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return commit, err
}

// handBack reports whether a tree can be deleted, after it was taken from a loop that has
// ended and has no work of its own in it.
func (e *Engine) handBack(ctx context.Context, t store.Tree, o engine.CleanOptions, unkept []engine.Unkept) (free bool, err error) {
	if t.Loop == "" {
		return true, nil
	}
	if slices.ContainsFunc(unkept, func(u engine.Unkept) bool { return u.Loop == t.Loop }) {
		return false, nil
	}
	r, err := e.store.Read(ctx, t.Loop)
	if err != nil || r.Damage != "" || !r.State.Status.Terminal() || t.Loop == o.Drop && o.DryRun {
		return false, situation.Of(err)
	}
	if o.DryRun {
		return true, nil
	}
	return true, situation.Of(e.store.FreeTrees(ctx, t.Loop))
}

// cleanTree takes a tree out of the pool before it is deleted: a loop could
// want it at this moment. A tree left by a failure in between is found and
// used when its name is assigned again.
func (e *Engine) cleanTree(ctx context.Context, path string) (gone bool, err error) {
	if free, err := e.store.DropTree(ctx, path); err != nil || !free {
		return false, situation.Of(err)
	}
	err = e.discard(ctx, path)
	if errors.Is(err, git.ErrNotLinked) || errors.Is(err, fs.ErrNotExist) {
		err = nil // it was never made, or is deleted already
	}
	return err == nil, err
}
