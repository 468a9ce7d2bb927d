package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"ralph/internal/engine"
	"ralph/internal/engine/situation"
	"ralph/internal/git"
	"ralph/internal/store"
)

// Archive takes an ended loop out of sight.
func (e *Engine) Archive(ctx context.Context, id string) error {
	e.learn(ctx, id)
	return situation.Of(e.patiently(ctx, id, func() error { return e.store.Archive(ctx, id) }))
}

// Clean removes archived loops that ended long enough ago and, where asked,
// worktrees of the pool that no loop has. It returns their names.
func (e *Engine) Clean(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	removed, err := e.cleanLoops(ctx, o)
	if err == nil && e.kept != nil {
		var more []string
		more, err = e.cleanCheckpoints(ctx, o)
		removed = append(removed, more...)
	}
	if err != nil || !o.Worktrees {
		return removed, err
	}
	trees, err := e.cleanTrees(ctx, o)
	return append(removed, trees...), err
}

func (e *Engine) cleanLoops(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	entries, err := e.store.List(ctx, store.Filter{Archived: true})
	if err != nil {
		return nil, situation.Of(err)
	}
	var removed []string
	for _, n := range entries {
		if !n.Archived || e.now().Sub(n.EndedAt) < o.OlderThan {
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
	owners, err := e.kept.Owners(ctx)
	if err != nil {
		return nil, err
	}
	var removed []string
	for _, id := range owners {
		if _, err := e.runs.Read(ctx, id); !errors.Is(err, engine.ErrNotFound) {
			if err != nil {
				return removed, situation.Of(err)
			}
			continue
		}
		if !o.DryRun {
			if err := e.kept.Drop(ctx, id); err != nil {
				return removed, err
			}
		}
		removed = append(removed, "checkpoints of loop "+id)
	}
	return removed, nil
}

func (e *Engine) cleanTrees(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	trees, err := e.store.Trees(ctx)
	if err != nil {
		return nil, situation.Of(err)
	}
	var removed []string
	var failed []error
	for _, t := range trees {
		if t.Loop != "" || t.Kind == "in place" {
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
	return removed, errors.Join(failed...)
}

// cleanTree takes a tree out of the pool before it is deleted: a loop could
// want it at this moment. A tree left by a failure in between is found and
// used when its name is assigned again.
func (e *Engine) cleanTree(ctx context.Context, path string) (gone bool, err error) {
	if free, err := e.store.DropTree(ctx, path); err != nil || !free {
		return false, situation.Of(err)
	}
	err = e.retire(ctx, path)
	if errors.Is(err, git.ErrNotLinked) || errors.Is(err, fs.ErrNotExist) {
		err = nil // it was never made, or is deleted already
	}
	return err == nil, err
}
