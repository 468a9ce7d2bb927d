package planner

import (
	"ralph/internal/engine"
	"ralph/internal/plan"
)

// lease is what the planner needs of the place where plans live: the right to
// write the plan, what its reviews are paid from, and a directory for big files.
type lease interface {
	engine.Lease[plan.State, plan.Event]
	engine.Ledger
	Dir() string
}
