package worker

import (
	"context"
	"strings"

	"ralph/internal/git"
	"ralph/internal/loop"
)

// quarantine gives the agent of a loop a repository of its own for one run,
// where it is sandboxed: it commits there, and its changes to objects and
// branches stay there. In place the repository is read-only for it.
func (w *Worker) quarantine(ctx context.Context, s loop.State) error {
	if w.Confine.Capabilities == nil || s.InPlace {
		return nil
	}
	by, err := w.Confine.Capabilities.Choose(ctx, s.Sandbox, s.InPlace)
	if err != nil || by == loop.HeldNone {
		return nil //nolint:nilerr // the sandbox reports why that is impossible
	}
	return w.Repo.OpenQuarantine(ctx, s.Worktree, w.Repo.QuarantineDir(s.ID), s.Branch)
}

// importWork imports the agent's commits from a repository of its own, before
// anything else is done with the tree. It returns the remark about it.
func (w *Worker) importWork(ctx context.Context, s loop.State) (notes []string, err error) {
	if s.Worktree == "" || s.InPlace {
		return nil, nil
	}
	got, err := w.Repo.ImportQuarantine(ctx, s.Worktree, w.Repo.QuarantineDir(s.ID), s.Branch)
	if err != nil {
		return nil, err
	}
	if got.Refused != "" {
		notes = append(notes, "what the agent committed itself is not kept, its files are: "+got.Refused)
	}
	if len(got.ExtraRefs) > 0 {
		notes = append(notes, "the agent made branches of its own, which are kept: "+strings.Join(got.ExtraRefs, ", "))
	}
	return append(notes, moved(s, got.Moved)...), nil
}

// reclaim puts the loop's branch back where the record has it before a new
// attempt, should it have moved since the last one. Commits on top are a
// person's help. A commit elsewhere is not the loop's, wherever the branch
// points: it is neither judged nor landed.
func (w *Worker) reclaim(ctx context.Context, s loop.State) error {
	l := s.Last()
	if l == nil || l.Runs > 0 || l.Interruptions > 0 || l.Questions > 0 || s.Worktree == "" {
		return nil // the work of the cut-off run of this attempt is the loop's
	}
	found, err := w.Repo.Reclaim(ctx, git.Claim{
		Branch: s.Branch, Own: s.Tip(), Further: !s.InPlace, Aside: git.ExtraRefs + s.ID + "/moved",
	})
	w.notes = append(w.notes, moved(s, found)...)
	return err
}

func moved(s loop.State, found string) []string {
	if found == "" {
		return nil
	}
	return []string{"another process moved branch " + s.Branch + " to " + git.Short(found) + ", which is not work of this loop; it is kept as " +
		git.ExtraRefs + s.ID + "/moved-" + found[:12] + ", and the branch is back"}
}
