package team

import (
	"context"
	"errors"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/plan"
)

// PublishPlan pushes the landed commit that a transition of a plan names.
func (t Travel) PublishPlan(ctx context.Context, p stored.PlanPublication) error {
	return t.retryPublish(ctx, p.Owned, func(ctx context.Context) error {
		return t.push(ctx, p.Owned, planRef(p.Next), p.Before.Tip, p.Next.Tip)
	})
}

// UsablePlan gets the landed commit of a plan, before it is acquired.
func (t Travel) UsablePlan(ctx context.Context, s plan.State) error {
	if err := t.has(ctx, planRef(s)); err != nil {
		return err
	}
	return t.fetchCommit(ctx, s.ID, planRef(s), s.Tip)
}

// planRef is the integration branch of a plan on the remote.
func planRef(s plan.State) string { return "refs/heads/" + s.Branch }

// FetchPlan brings to this machine what an acquired plan needs: its file, its integration
// branch, and what its loops have done.
func (e *Engine) FetchPlan(ctx context.Context, spec engine.PlanSpec, s plan.State) error {
	if err := durable.Write(spec.File, spec.Text); err != nil {
		return err
	}
	if err := e.Travel.fetchCommit(ctx, s.ID, planRef(s), s.Tip); err != nil {
		return err
	}
	if err := e.moveBranch(ctx, s); err != nil {
		return err
	}
	for _, id := range s.Loops() {
		if _, err := e.Show(ctx, id); err != nil && !errors.Is(err, engine.ErrNotFound) {
			return err
		}
	}
	return nil
}

// moveBranch moves the integration branch of this repository to where the record has it.
// The repository is the worker's own: the branch is where this worker left the plan.
func (e *Engine) moveBranch(ctx context.Context, s plan.State) error {
	repo := e.Travel.Remote.Repo
	at, err := repo.RefCommit(ctx, planRef(s))
	if err != nil || at == "" || at == s.Tip {
		return err
	}
	return repo.UpdateRef(ctx, planRef(s), s.Tip, at)
}
