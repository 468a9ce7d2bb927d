package local

import (
	"context"

	"ralph/internal/engine/worker"
	"ralph/internal/store"
)

// trees are the worktrees of one loop.
type trees struct {
	store.TreeLease
	fault func(point string)
}

var _ worker.Trees = trees{}

func (t trees) Take(ctx context.Context, kind, setup, root string) (tree worker.Tree, err error) {
	err = t.at("take", func() error {
		took, err := t.TreeLease.Take(ctx, kind, setup, root)
		tree = worker.Tree{Path: took.Path, Fresh: took.Fresh}
		return err
	})
	return tree, err
}

func (t trees) Held(ctx context.Context) ([]worker.Tree, error) {
	held, err := t.TreeLease.Held(ctx)
	out := make([]worker.Tree, len(held))
	for i, h := range held {
		out[i] = worker.Tree{Path: h.Path, Fresh: h.Fresh}
	}
	return out, err
}

func (t trees) Ready(ctx context.Context, path string) error {
	return t.at("ready", func() error { return t.TreeLease.Ready(ctx, path) })
}

func (t trees) Gone(ctx context.Context, path string) error {
	return t.at("gone", func() error { return t.TreeLease.Gone(ctx, path) })
}

func (t trees) Return(ctx context.Context, path string) error {
	return t.at("return", func() error { return t.TreeLease.Return(ctx, path) })
}

func (t trees) Lock(ctx context.Context, path string) error {
	return t.at("lock", func() error { return t.TreeLease.Lock(ctx, path) })
}

// at does something that is recorded; a crash may come before it and after.
func (t trees) at(what string, do func() error) error {
	t.fault("before:" + what)
	err := do()
	t.fault("after:" + what)
	return err
}
