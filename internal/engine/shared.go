package engine

import "ralph/internal/loop"

// SharedLoops are the loops of a store that several machines share. Its requests are the
// first states of the loops, as JSON: with the events after it another machine has the
// whole record.
type SharedLoops interface {
	Store[loop.State, loop.Event, Lease[loop.State, loop.Event]]
}
