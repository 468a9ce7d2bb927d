package team

import (
	"context"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/plan"
)

// OfferPlan pushes what landed of a plan that moves to the team. Ours: the branch of this name
// on the remote is the plan's own.
func (t Travel) OfferPlan(ctx context.Context, spec engine.PlanSpec, s plan.State, ours bool) error {
	if err := errors.Join(shareable(spec.Task), t.workable(ctx, spec.Base, len(spec.Task.Setup) > 0)); err != nil {
		return err
	}
	ref := planRef(s)
	have, err := t.Remote.Tip(ctx, ref)
	if err != nil || have == s.Tip {
		return err
	}
	if have != "" && !ours {
		if ours, err = t.partOf(ctx, s.ID, ref, s.Tip); err != nil {
			return err
		}
	}
	if have != "" && !ours {
		return fmt.Errorf("%w: the remote has other work on its branch %s", engine.ErrExists, s.Branch)
	}
	if err := t.Remote.Push(ctx, ref, s.Tip, have); err != nil {
		return fmt.Errorf("push what landed of plan %s: %w", s.ID, err)
	}
	return nil
}

// FetchLanded gets what landed of a plan that moves away from the team.
func (t Travel) FetchLanded(ctx context.Context, s plan.State) error { return t.fetchLanded(ctx, s) }

// PutPlanFiles publishes the files of a plan that moves to the team.
func (t Travel) PutPlanFiles(ctx context.Context, id string, epoch int64, dir string) error {
	return t.Files.Put(ctx, Run{id, true}, epoch, dir)
}

// GetPlanFiles brings the published files of a plan here.
func (t Travel) GetPlanFiles(ctx context.Context, id, dir string) error {
	return t.Files.Get(ctx, Run{id, true}, dir)
}
