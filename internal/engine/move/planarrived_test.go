package move_test

import (
	"testing"

	"ralph/internal/engine"
)

// TestPlanArrivedAndDriven: a move that was killed after the plan arrived is completed also
// while a worker has the plan.
func TestPlanArrivedAndDriven(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		w := newPlanWorld(t)
		one := w.clone("one")
		w.beginPlan(one, "paused")
		w.calls, w.at, w.trouble = 0, at, killAfter
		_, err := w.doPlan(one, outPlan(t.Context()))
		w.trouble = none
		if err == nil {
			t.Fatal("no call is between the arrival and its confirmation")
		}
		there, is := w.planOnServer()
		if here, _ := one.planHere(); !is || engine.PlanMovedOf(there) != nil || here.Away() {
			continue
		}
		w.freed()
		worker, err := w.plans.Acquire(t.Context(), "p", nil, false)
		w.ok(err)
		_, err = w.doPlan(one, outPlan(t.Context()))
		w.ok(err)
		if here, _ := one.planHere(); !here.Away() {
			t.Errorf("the record here is %s (%s)", here.Status, here.Reason)
		}
		w.ok(worker.Owned(t.Context()))
		w.ok(worker.Release(t.Context()))
		return
	}
}
