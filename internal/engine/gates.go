package engine

import (
	"context"
	"fmt"
	"path"
	"slices"

	"ralph/internal/gate"
	"ralph/internal/loop"
)

// gate evaluates one gate on one commit.
func (w *Worker) gate(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	attempt, pass := a.Attempt, 0
	if a.OnBase {
		attempt = 0
	} else if l := s.Last(); l != nil {
		pass = l.Passes
	}
	run, err := w.Files.NewRun(attempt, "gate-"+a.Gate.Name)
	if err != nil {
		return nil, err
	}
	tree, where, restored, err := w.court(ctx, s, a)
	if err != nil {
		return nil, err
	}
	r, err := gate.Run(ctx, gate.Request{
		Gate: *a.Gate, Tree: tree, Commit: a.Commit, Where: where,
		RunDir: run, Run: token(s.ID), LogFile: w.Files.GateLog(attempt, a.Gate.Name, pass),
		Env: w.Env.Gate(*a.Gate, w.marks(s)...), Baseline: baseline(s, a.Gate.Name),
		Soft: a.Timeout.Soft, Hard: a.Timeout.Hard, OnSoft: h.soft, Now: w.Now, Kill: h.Kill, Grace: w.Grace,
	})
	if err != nil {
		return nil, err
	}
	r.Restored = restored
	r.Clean = where == gateTree && len(restored) == 0
	if where == agentTree {
		dirty, err := w.Repo.Dirty(ctx, tree)
		r.Clean = err == nil && !dirty.Any()
	}
	return loop.GateEnded{Result: r}, nil
}

// court is the tree in which a gate judges: the loop's gate worktree at the
// commit, with everything that judges put back as it was on the base.
func (w *Worker) court(ctx context.Context, s loop.State, a loop.Action) (tree, where string, restored []string, err error) {
	if s.GatesInAgentTree && !a.OnBase {
		return s.Worktree, agentTree, nil, nil
	}
	if err := w.Repo.CheckoutDetached(ctx, s.GateTree, a.Commit); err != nil {
		return "", "", nil, fmt.Errorf("check out %s for the gates: %w", shortID(a.Commit), err)
	}
	if !a.OnBase {
		restored, err = w.restore(ctx, s, *a.Gate)
	}
	return s.GateTree, gateTree, restored, err
}

// restore puts back the files that judge: those that the gate's command names,
// the configuration of its runner, and what the project protects. Files that
// the task declares its scope are the agent's to change.
func (w *Worker) restore(ctx context.Context, s loop.State, g loop.Gate) ([]string, error) {
	names, err := w.list(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	patterns := slices.Concat(gate.NamedFiles(g, names), s.Protect, g.Protect)
	restored, err := w.Repo.RestoreFrom(ctx, s.GateTree, s.Base, patterns, s.Task.Scope...)
	if err != nil {
		return nil, fmt.Errorf("restore protected files: %w", err)
	}
	scripts, err := w.restoreScripts(ctx, s, g, names)
	return append(restored, scripts...), err
}

// restoreScripts puts the base's scripts back into the package.json that an
// npm-like command reads, and leaves its dependencies to the agent.
func (w *Worker) restoreScripts(ctx context.Context, s loop.State, g loop.Gate, names []string) ([]string, error) {
	name := path.Join(g.Dir, "package.json")
	if !gate.ReadsPackageScripts(g.Run) || !slices.Contains(names, name) {
		return nil, nil
	}
	base, err := w.Repo.FileAt(ctx, s.Base, name)
	if err != nil {
		return nil, err
	}
	return gate.RestoreScripts(s.GateTree, name, base)
}

func baseline(s loop.State, name string) *loop.Result {
	for i := range s.BaseResults {
		if s.BaseResults[i].Gate == name {
			return &s.BaseResults[i]
		}
	}
	return nil
}
