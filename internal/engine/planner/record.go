package planner

import (
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// storedPlan is a plan as its store has it.
type storedPlan = engine.Stored[plan.State]

// crashed reports whether a plan should be running (its status is pending or
// running) and has no owner.
func crashed(r storedPlan) bool {
	return !r.Live && (r.State.Status == loop.Running || r.State.Status == loop.Pending)
}
