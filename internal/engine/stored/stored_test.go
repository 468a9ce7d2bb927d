package stored_test

import (
	"path/filepath"
	"testing"

	"go.uber.org/goleak"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
	"ralph/internal/testing/enginetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestLoops holds the database to what engines need of a store of loops.
func TestLoops(t *testing.T) {
	t.Parallel()
	enginetest.RunLoopStore(t, func(t *testing.T) engine.Store[loop.State, loop.Event, stored.LoopLease] {
		return stored.LoopsOf(open(t))
	})
}

// TestPlans holds the database to what engines need of a store of plans.
func TestPlans(t *testing.T) {
	t.Parallel()
	enginetest.RunPlanStore(t, func(t *testing.T) engine.Store[plan.State, plan.Event, engine.PlanLease] {
		return stored.PlansOf(open(t))
	})
}

func open(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ralph"), store.Options{Owner: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}
