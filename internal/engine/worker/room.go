package worker

import (
	"cmp"
	"context"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/sandbox"
)

// evaluationTree is the tree in which a gate judges: the loop's gate worktree at the
// commit, with everything that judges put back as it was on the base.
func (w *Worker) evaluationTree(ctx context.Context, s loop.State, e evaluation) (tree, where string, restored []string, err error) {
	if s.GatesInAgentTree && !e.OnBase && e.variant == "" {
		return s.Worktree, agentTree, nil, nil
	}
	commit := cmp.Or(e.variant, e.Commit)
	if err := w.Repo.CheckoutDetached(ctx, s.GateTree, commit); err != nil {
		return "", "", nil, fmt.Errorf("check out %s for the gates: %w", shortID(commit), err)
	}
	if !e.OnBase && e.variant == "" {
		restored, err = w.restore(ctx, s, *e.Gate)
	}
	return s.GateTree, gateTree, restored, err
}

// confineGate sandboxes a gate: it runs code that the agent wrote.
func (w *Worker) confineGate(ctx context.Context, s loop.State, g loop.Gate, tree string, env []string) (confined, error) {
	p := sandbox.Profile{Grants: []string{tree}, Env: env, Visible: namedIn([]string{g.Run}), NoNetwork: g.NoNetwork}
	var own []string
	own, p.ReadOnly = w.ownPart(tree)
	p.Grants = append(p.Grants, own...)
	return w.confine(ctx, s, p)
}
