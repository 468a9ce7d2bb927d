package local

import (
	"context"

	"ralph/internal/engine"
	"ralph/internal/store"
)

// Archive takes an ended loop out of sight.
func (e *Engine) Archive(ctx context.Context, id string) error {
	return situation(e.store.Archive(ctx, id))
}

// Clean removes archived loops that ended long enough ago and, where asked,
// worktrees of the pool that no loop has. It answers what it removed.
func (e *Engine) Clean(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	removed, err := e.cleanLoops(ctx, o)
	if err != nil || !o.Worktrees {
		return removed, err
	}
	trees, err := e.cleanTrees(ctx, o)
	return append(removed, trees...), err
}

func (e *Engine) cleanLoops(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	entries, err := e.store.List(ctx, store.Filter{Archived: true})
	if err != nil {
		return nil, situation(err)
	}
	var removed []string
	for _, n := range entries {
		if !n.Archived || e.now().Sub(n.EndedAt) < o.OlderThan {
			continue
		}
		if !o.DryRun {
			if err := e.store.Remove(ctx, n.ID); err != nil {
				return removed, situation(err)
			}
		}
		removed = append(removed, "archived loop "+n.ID)
	}
	return removed, nil
}

func (e *Engine) cleanTrees(ctx context.Context, o engine.CleanOptions) ([]string, error) {
	trees, err := e.store.Trees(ctx)
	if err != nil {
		return nil, situation(err)
	}
	var removed []string
	for _, t := range trees {
		if t.Loop != "" || t.Kind == "in place" {
			continue
		}
		if !o.DryRun {
			if err := e.retire(ctx, t.Path); err != nil {
				return removed, err
			}
			if err := e.store.DropTree(ctx, t.Path); err != nil {
				return removed, situation(err)
			}
		}
		removed = append(removed, "worktree "+t.Path)
	}
	return removed, nil
}
