package store

import (
	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Kind is what a store knows about the runs of one kind. S is the state of the
// machine, E its events.
type Kind[S any, E journal.Event] struct {
	name   string
	id     func(S) string
	ended  func(S) bool
	encode func(E) (name string, data []byte, err error)
	decode func(name string, data []byte) (E, error)
	traits func(engine.Stored[S]) engine.Traits
	// final: a run that has ended stays so, and lists begin with the newest. A plan may be
	// run again: lists begin with the one that changed last.
	final bool
	// away: the run has left the store, and may come back.
	away func(S) bool
}

// Loops is the kind of loops.
func Loops() Kind[loop.State, loop.Event] {
	return Kind[loop.State, loop.Event]{
		name: "loop",
		id:   func(s loop.State) string { return s.ID }, ended: func(s loop.State) bool { return s.Status.Terminal() },
		encode: loop.Encode, decode: loop.Decode,
		traits: engine.LoopTraits, final: true, away: func(s loop.State) bool { return s.Away() },
	}
}

// Plans is the kind of plans.
func Plans() Kind[plan.State, plan.Event] {
	return Kind[plan.State, plan.Event]{
		name: "plan",
		id:   func(s plan.State) string { return s.ID }, ended: func(s plan.State) bool { return s.Status.Terminal() },
		encode: plan.Encode, decode: plan.Decode,
		traits: engine.PlanTraits, away: func(s plan.State) bool { return s.Away() },
	}
}
