package engine

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// SharedLoops are the loops of a store that several machines share. Its requests are the
// first states of the loops, as JSON: with the events after it another machine has the
// whole record.
type SharedLoops interface {
	Store[loop.State, loop.Event, Lease[loop.State, loop.Event]]
	// Unknown lists the loops, archived ones too, that a caller does not have as they are.
	Unknown(ctx context.Context, have Known) ([]Stored[loop.State], error)
}

// Known are the loops that a caller has.
type Known interface {
	// Archived reports whether it has a loop that is archived, and so does not change any more.
	Archived(id string) bool
	// At reports whether it has a loop that is not archived as of an event.
	At(id string, seq int64) bool
}

// SharedPlans are the plans of such a store. Their files have the same name on every
// machine: the path from the root of the repository.
type SharedPlans interface {
	Store[plan.State, plan.Event, Lease[plan.State, plan.Event]]
}
