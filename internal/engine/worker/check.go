package worker

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// Look is the input of a check of an agent-driven loop: HEAD of the tree, and
// the tree object that its files would make, through an index of our own. tree
// is the root of one of the repository's trees; "" is the caller's.
func (w *Worker) Look(ctx context.Context, s loop.State, tree string) (loop.Committed, git.TreeSnapshot, error) {
	if err := w.FreezeFilters(ctx); err != nil {
		return loop.Committed{}, git.TreeSnapshot{}, err
	}
	snapshot, err := w.Repo.SnapshotTree(ctx, tree)
	if err != nil {
		return loop.Committed{}, snapshot, fmt.Errorf("look at the tree: %w", err)
	}
	last := s.BaseTree
	if l := s.Last(); l != nil {
		last = l.Tree
	}
	return loop.Committed{
		Commit: snapshot.Commit, Tree: snapshot.Tree, Differs: s.BaseTree != snapshot.Tree, Changed: last != snapshot.Tree,
	}, snapshot, nil
}

// Note lists which files changed since the last look, and keeps the patch for
// those who learn from it. It is for people and may be missing: git throws old
// trees away.
func (w *Worker) Note(ctx context.Context, s loop.State, looked loop.Committed) []string {
	last := s.BaseTree
	if l := s.Last(); l != nil {
		last = l.Tree
	}
	if !looked.Changed || last == "" {
		return nil
	}
	const most, mostPatch = 50, 1 << 20
	changes, err := w.Repo.ChangedFiles(ctx, last, looked.Tree)
	if err != nil {
		return nil
	}
	var files []string
	for _, c := range changes[:min(len(changes), most)] {
		files = append(files, c.Path)
	}
	if patch, _, err := w.Repo.Diff(ctx, last, looked.Tree, mostPatch); err == nil {
		masked := w.redactGate(s, loop.Gate{}).Mask(string(patch))
		_ = durable.Write(w.Files.Patch(s.Iteration+1), []byte(masked))
	}
	return files
}

// EvaluateInTree evaluates one gate in the tree as it is. A pass counts only if the tree
// is still the one that was snapshot: an agent that keeps writing meanwhile
// proves nothing about either. An interruption is an error: the check has not happened.
func (w *Worker) EvaluateInTree(ctx context.Context, s loop.State, a loop.Action, tree string, seen git.TreeSnapshot, h *Hooks) (loop.GateEnded, error) {
	if a.Gate.Kind == loop.KindMutation {
		return loop.GateEnded{Result: w.untilVerified(s, a, seen)}, nil
	}
	root := tree
	if root == "" {
		root = w.Repo.Root
	}
	held := s
	held.Sandbox, held.SandboxWrite, held.SandboxAsked = w.Confine.DrivenSandbox, w.Confine.DrivenWrite, w.Confine.DrivenAsked
	held.InPlace = false
	r, at, err := w.runAt(ctx, held, a, gateRun{
		tree: root, where: AgentTree, name: a.Gate.Name, log: w.Files.GateLog(a.Attempt, a.Gate.Name, s.Last().Passes),
		attempt: a.Attempt, env: w.Env.Gate(*a.Gate, w.marks(s)...),
		enter: func(env []string) (cleanRoom, error) { return w.agentTreeRoom(ctx, held, root, env) },
	}, h)
	if err != nil {
		return loop.GateEnded{}, err
	}
	if at != nil {
		r.Tree, r.Clean = seen.Tree, seen.Clean
		err = w.unmoved(ctx, tree, seen, &r)
	}
	return loop.GateEnded{Result: r}, err
}

// unmoved takes the pass from a gate during which the tree changed.
func (w *Worker) unmoved(ctx context.Context, tree string, seen git.TreeSnapshot, r *loop.Result) error {
	if r.Verdict != loop.Passed {
		return nil
	}
	moved, err := w.Repo.ChangedSince(ctx, tree, seen)
	if err == nil && len(moved) > 0 {
		r.Verdict, r.Reason = loop.Error, "it passed, but "+strings.Join(moved[:min(len(moved), 3)], ", ")+" changed while it ran, by the check itself or by another process: nothing is proved about either"
	}
	return err
}

// WorktreeOf is the root of the repository's tree that holds dir; "" where
// that is the caller's.
func (w *Worker) WorktreeOf(dir string) (string, error) {
	if dir == "" {
		return "", nil
	}
	root, ok := w.Repo.RootOf(dir)
	if !ok {
		return "", fmt.Errorf("%s is in no tree of this repository", filepath.Clean(dir))
	}
	return root, nil
}
