package planner

import (
	"ralph/internal/engine"
	"ralph/internal/plan"
)

// lease is the planner's view of the store of plans: the right to write the
// plan, the ledger for its reviews, and a directory for big files.
type lease interface {
	engine.Lease[plan.State, plan.Event]
	engine.Ledger
	Dir() string
}
