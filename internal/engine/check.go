package engine

import (
	"context"
	"fmt"
	"path/filepath"

	"ralph/internal/gate"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// FreezeFilters remembers how content is filtered now, for every later look at
// a tree of this loop.
func (w *Worker) FreezeFilters(ctx context.Context) error { return w.content(ctx) }

// Look is what a check of an agent-driven loop judges: HEAD of the tree, and
// the tree object that its files would make, through an index of our own. tree
// is the root of one of the repository's trees; "" is the caller's.
func (w *Worker) Look(ctx context.Context, s loop.State, tree string) (loop.Committed, git.Sight, error) {
	if err := w.content(ctx); err != nil {
		return loop.Committed{}, git.Sight{}, err
	}
	sight, err := w.Repo.Sight(ctx, tree)
	if err != nil {
		return loop.Committed{}, sight, fmt.Errorf("look at the tree: %w", err)
	}
	e := loop.Committed{Commit: sight.Commit, Tree: sight.Tree}
	before, err := w.seenBefore(ctx, s)
	if err != nil {
		return e, sight, err
	}
	e.Differs = before.base != e.Tree
	if e.Changed = before.last != e.Tree; e.Changed {
		err = w.note(ctx, s, before.last, &e)
	}
	return e, sight, err
}

// seen are the trees of the base and of the newest check.
type seen struct{ base, last string }

func (w *Worker) seenBefore(ctx context.Context, s loop.State) (b seen, err error) {
	if s.Base != "" {
		if b.base, err = w.Repo.TreeOf(ctx, s.Base); err != nil {
			return b, err
		}
	}
	b.last = b.base
	if l := s.Last(); l != nil {
		b.last = l.Tree
	}
	return b, nil
}

// note says which files changed since the last check and keeps the patch for
// those who learn from it. What git has thrown away meanwhile is left out.
func (w *Worker) note(ctx context.Context, s loop.State, last string, e *loop.Committed) error {
	if last == "" {
		return nil
	}
	changes, err := w.Repo.ChangedFiles(ctx, last, e.Tree)
	if err != nil {
		return nil //nolint:nilerr // only a note; the trees that gates judge are known
	}
	const most = 50
	for _, c := range changes[:min(len(changes), most)] {
		e.Files = append(e.Files, c.Path)
	}
	const mostPatch = 1 << 20
	patch, _, err := w.Repo.Diff(ctx, last, e.Tree, mostPatch)
	if err != nil {
		return nil //nolint:nilerr // as above
	}
	return writeDurably(w.Files.Patch(s.Iteration+1), patch)
}

// Judge evaluates one gate in the tree as it is. A pass counts only if the tree
// still is what was looked at: an agent that goes on writing meanwhile proves
// nothing about either.
func (w *Worker) Judge(ctx context.Context, s loop.State, a loop.Action, tree string, seen git.Sight, h *Hooks) (loop.GateEnded, error) {
	root := tree
	if root == "" {
		root = w.Repo.Root
	}
	run, err := w.Files.NewRun(a.Attempt, "gate-"+a.Gate.Name)
	if err != nil {
		return loop.GateEnded{}, err
	}
	r, err := gate.Run(ctx, gate.Request{
		Gate: *a.Gate, Tree: root, Commit: a.Commit, Where: agentTree,
		RunDir: run, Run: token(s.ID), LogFile: w.Files.GateLog(a.Attempt, a.Gate.Name, s.Last().Passes),
		Env:     w.Env.Gate(*a.Gate, w.marks(s)...),
		Digests: digests(s, *a.Gate), Soft: a.Timeout.Soft, Hard: a.Timeout.Hard, OnSoft: h.soft,
		Now: w.Now, Kill: h.Kill, Grace: w.Grace,
	})
	if err != nil {
		return loop.GateEnded{}, err
	}
	r.Tree, r.Clean = seen.Tree, seen.Clean
	if r.Verdict != loop.Passed {
		return loop.GateEnded{Result: r}, nil
	}
	now, err := w.Repo.Sight(ctx, tree)
	if err == nil && now != seen {
		r.Verdict, r.Reason = loop.Error, "it passed, but files changed while it ran: check again, and let git ignore what the check itself writes"
	}
	return loop.GateEnded{Result: r}, err
}

// TreeRootOf is the root of the repository's tree that holds dir; "" where
// that is the caller's.
func (w *Worker) TreeRootOf(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	root, ok := w.Repo.TreeHolding(dir)
	if !ok {
		return "", fmt.Errorf("%s is in no tree of this repository", filepath.Clean(dir))
	}
	return root, nil
}
