package engine

import (
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// SharedLoops are the loops of a store that several machines share. Its requests are the
// first states of the loops, as JSON: with the events after it another machine has the
// whole record.
type SharedLoops interface {
	Store[loop.State, loop.Event, Lease[loop.State, loop.Event]]
}

// SharedPlans are the plans of such a store. Their files have the same name on every
// machine: the path from the root of the repository.
type SharedPlans interface {
	Store[plan.State, plan.Event, Lease[plan.State, plan.Event]]
}
