package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// Verify does an action of the final verification of an agent-driven loop, whose
// tree ("" is the caller's) held what was seen. The gates run as those of any loop.
func (w *Worker) Verify(ctx context.Context, s loop.State, a loop.Action, tree string, seen git.TreeSnapshot, h *Hooks) (loop.Event, error) {
	s.Sandbox, s.SandboxWrite, s.SandboxAsked = w.Confine.DrivenSandbox, w.Confine.DrivenWrite, w.Confine.DrivenAsked
	s.InPlace, s.Worktree = false, ""
	if a.Do == loop.DoVerify {
		return w.beginVerification(ctx, s, a, seen, h)
	}
	if s.GatesInAgentTree && a.Do == loop.DoGate && !a.OnBase {
		return w.verifyInTree(ctx, s, a, tree, seen, h)
	}
	e, err := w.Do(ctx, s, a, h)
	if g, is := e.(loop.GateEnded); is && !a.OnBase {
		g.Result.Tree = s.Last().Tree
		e = g
	}
	return e, err
}

// verifyInTree judges in the agent's own tree (gates_in: agent). Only what needs
// another tree than that is done in the gate's.
func (w *Worker) verifyInTree(ctx context.Context, s loop.State, a loop.Action, tree string, seen git.TreeSnapshot, h *Hooks) (loop.Event, error) {
	s.Worktree = tree
	if tree == "" {
		s.Worktree = w.Repo.Root
	}
	e, err := w.gate(ctx, s, a, h)
	if err != nil {
		return nil, err
	}
	g := e.(loop.GateEnded)
	g.Result.Tree = s.Last().Tree
	return g, w.unmoved(ctx, tree, seen, &g.Result)
}

// beginVerification makes the commit that is judged and the worktree where that is
// done, with the set-up of the base.
func (w *Worker) beginVerification(ctx context.Context, s loop.State, a loop.Action, seen git.TreeSnapshot, h *Hooks) (loop.Event, error) {
	// The agent may write to the repository itself, and git does not look at what objects hold.
	if err := w.Repo.CheckWhole(ctx, s.Base); err != nil {
		return nil, fmt.Errorf("read the commit on which the loop began: %w", err)
	}
	// The same check of the same tree is the same commit, also later: a person's answer is about it.
	message := git.Message{Text: fmt.Sprintf("The tree of check %d", s.Iteration), Trailers: trailers(s, s.Iteration), Time: s.Last().StartedAt}
	commit, err := w.Repo.CommitSnapshot(ctx, seen, message)
	if err != nil {
		return nil, fmt.Errorf("commit the tree to verify it: %w", err)
	}
	done := loop.Verifying{Commit: commit}
	if err := w.recoverTrees(ctx, s); err != nil {
		return nil, err
	}
	if done.GateTree, err = w.tree(ctx, s, a, h, GateTree, s.Base); err != nil {
		return nil, fmt.Errorf("make a tree for the final verification: %w", err)
	}
	base, err := w.Repo.TreeOf(ctx, s.Base)
	if err != nil {
		return nil, err
	}
	done.Differs = base != seen.Tree
	if s.PartsBase != "" {
		if err := w.lookAtParts(ctx, s, &done); err != nil {
			return nil, err
		}
		s.Base = s.PartsBase
	}
	if done.Links, err = w.findLinks(ctx, s, commit); err != nil {
		return nil, err
	}
	if done.Suspects, done.Findings, err = w.findSuspects(ctx, s, commit); err != nil {
		return nil, err
	}
	if done.Obeyed, err = w.findObeyed(ctx, s, commit); err != nil {
		return nil, err
	}
	secrets, notes, err := w.findSecrets(ctx, s, commit)
	done.Secrets, done.Notes = secrets, append(done.Notes, notes...)
	return done, err
}

// lookAtParts notes the judge files that changed between the first part of an
// orchestration and the check of the whole, which is judged from where it began.
func (w *Worker) lookAtParts(ctx context.Context, s loop.State, done *loop.Verifying) error {
	var changed []string
	for _, g := range s.Gates {
		e := evaluation{Action: loop.Action{Gate: &g, Commit: s.Base}, against: s.PartsBase}
		c, err := w.caseOf(ctx, s, e)
		if err != nil {
			return err
		}
		j, err := c.Judges()
		if err != nil {
			return err
		}
		changed = append(changed, slices.Concat(j.SetAside, j.Permitted)...)
	}
	if slices.Sort(changed); len(changed) > 0 {
		changed = slices.Compact(changed)
		done.Notes = append(done.Notes, "is judged from "+git.Short(s.Base)+"; files that judge changed since its first part began: "+listPaths(changed, len(changed)))
	}
	return nil
}

// recoverTrees repairs the worktree that a killed check of this loop has left.
func (w *Worker) recoverTrees(ctx context.Context, s loop.State) error {
	held, err := w.Trees.Held(ctx)
	if err != nil || len(held) == 0 {
		return err
	}
	return w.healAll(ctx, s)
}

// ReturnTrees gives back the worktrees of an agent-driven loop that has ended, and
// removes the HOME and the layers of its gates. A hook works without a repository:
// then the next loop that takes such a worktree makes it again.
func (w *Worker) ReturnTrees(ctx context.Context, s loop.State) error {
	w.dropKept()
	if w.Repo != nil {
		s.Worktree = ""
		return w.returnTrees(ctx, s)
	}
	held, err := w.Trees.Held(ctx)
	for _, t := range held {
		err = errors.Join(err, w.Trees.Gone(ctx, t.Path), w.Trees.Return(ctx, t.Path))
	}
	return err
}
