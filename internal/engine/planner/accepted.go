package planner

import (
	"context"
	"errors"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// dropBranches deletes the branches of a plan and of its loops that the accepted commit
// holds. The branch of a loop that did not pass stays, as does one that is not merged.
func (p *Planner) dropBranches(ctx context.Context, s plan.State, commit string) error {
	loops, err := p.Loops.List(ctx, engine.Filter{Parent: s.ID, Ended: true, Archived: true})
	if err != nil {
		return err
	}
	names := []string{}
	for _, l := range loops {
		names = append(names, l.State.Branch)
	}
	for _, name := range names {
		tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+name)
		if err != nil || tip == "" {
			continue // a name that cannot be a branch's, or it is gone
		}
		if held, err := p.Repo.IsAncestor(ctx, tip, s.Tip); err != nil {
			return err
		} else if !held {
			continue
		}
		if err := p.Repo.DeleteRef(ctx, "refs/heads/"+name, tip); err != nil {
			return err
		}
	}
	for _, t := range s.Tasks {
		if !t.Child || t.Landed == "" {
			continue
		}
		inner, err := p.Store.Read(ctx, t.Loop)
		if err == nil {
			err = p.dropBranches(ctx, inner.State, commit)
		}
		if err != nil && !errors.Is(err, engine.ErrNotFound) {
			return err
		}
	}
	ref := "refs/heads/" + s.Branch
	tip, err := p.Repo.RefCommit(ctx, ref)
	if err != nil || tip != s.Tip {
		return err
	}
	return p.Repo.DropAccepted(ctx, s.ID, ref, tip, commit)
}

// loopsMerged records on the loops whose work has landed, those of plans in the
// place of tasks too, that it is accepted. Loops that were archived or removed
// meanwhile stay as they are, and so do those of a plan whose record is gone.
func (p *Planner) loopsMerged(ctx context.Context, s plan.State, done engine.Accepted) error {
	for _, t := range s.Tasks {
		if t.Landed == "" || t.Loop == "" {
			continue
		}
		if t.Child {
			inner, err := p.Store.Read(ctx, t.Loop)
			if errors.Is(err, engine.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if err := p.loopsMerged(ctx, inner.State, done); err != nil {
				return err
			}
			continue
		}
		err := p.Loops.AcceptedWithPlan(ctx, t.Loop, done)
		if err != nil && !errors.Is(err, engine.ErrNotFound) && !errors.Is(err, engine.ErrEnded) {
			return err
		}
	}
	return nil
}

// recordAccepted records that the work is merged. A plan that is realised is
// archived now.
func (p *Planner) recordAccepted(ctx context.Context, lease engine.PlanLease, done engine.Accepted) error {
	next, err := engine.CommitPlan(ctx, lease, plan.Accepted{Stamp: p.stamp(), Branch: done.Branch, Commit: done.Commit})
	if err != nil || !next.Complete() {
		return err
	}
	return p.Store.Archive(ctx, next.ID)
}
