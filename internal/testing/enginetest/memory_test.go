package enginetest_test

import (
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/testing/enginetest"
)

// TestMemory holds the store in memory to what the database is held to.
func TestMemory(t *testing.T) {
	t.Parallel()
	t.Run("plans", func(t *testing.T) {
		t.Parallel()
		enginetest.RunPlanStore(t, func(*testing.T) engine.Store[plan.State, plan.Event, engine.PlanLease] {
			return enginetest.NewPlans()
		})
	})
	t.Run("loops", func(t *testing.T) {
		t.Parallel()
		enginetest.RunLoopStore(t, func(*testing.T) engine.Store[loop.State, loop.Event, engine.LoopLease] {
			return enginetest.NewLoops()
		})
	})
}
