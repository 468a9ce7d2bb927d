//go:build server

package store_test

import (
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/enginetest"
	"ralph/temporal/store"
)

// TestLoops holds the entities of loops to the contract of a store.
func TestLoops(t *testing.T) {
	t.Parallel()
	type lease = *store.Lease[loop.State, loop.Event]
	enginetest.RunLoopStore(t, func(t *testing.T) engine.Store[loop.State, loop.Event, lease] {
		return indexed[loop.State, loop.Event]{open(t, store.Loops(), project()), func(s loop.State) string { return s.ID }}
	})
}

// TestPlans holds the entities of plans to it.
func TestPlans(t *testing.T) {
	t.Parallel()
	type lease = *store.Lease[plan.State, plan.Event]
	enginetest.RunPlanStore(t, func(t *testing.T) engine.Store[plan.State, plan.Event, lease] {
		return indexed[plan.State, plan.Event]{open(t, store.Plans(), project()), func(s plan.State) string { return s.ID }}
	})
}
