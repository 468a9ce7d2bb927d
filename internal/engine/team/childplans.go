package team

import (
	"context"
	"errors"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/plan"
)

// WorkerPlans are the plans of a team on a worker, which creates those in the places of
// tasks.
type WorkerPlans struct {
	stored.SharedPlans
	Travel Travel
}

// Create makes the commit available from which a new plan starts, and records it.
func (w WorkerPlans) Create(ctx context.Context, first plan.State, data []byte) (engine.PlanLease, error) {
	spec, err := engine.ReadPlanSpec(first.ID, data)
	if err != nil {
		return nil, err
	}
	err = w.Travel.Announce(ctx, first.Branch, first.Base)
	if errors.Is(err, engine.ErrExists) { // the branch does, not the plan
		return nil, errors.New(err.Error())
	}
	if err == nil {
		err = durable.Write(spec.File, spec.Text)
	}
	if err != nil {
		return nil, err
	}
	return w.SharedPlans.Create(ctx, first, data)
}
