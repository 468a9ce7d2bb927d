package move_test

import "testing"

// TestPlanFilesMove: an approach that a person approved is there where the plan moves to, as a
// worker left it where one had the plan in between.
func TestPlanFilesMove(t *testing.T) {
	t.Parallel()
	w := newPlanWorld(t)
	one, two := w.clone("one"), w.clone("two")
	w.beginPlan(one, "paused")
	for _, c := range []struct {
		from, to *clone
		worker   string
	}{{one, two, "approved"}, {two, one, "written anew"}} {
		_, err := w.doPlan(c.from, outPlan(t.Context()))
		w.ok(err)
		if got := w.files["p-b"]; got != "approved" {
			t.Errorf("a worker gets %q", got)
		}
		w.files["p-b"] = c.worker
		_, err = w.doPlan(c.from, outPlan(t.Context())) // what the plan left behind replaces nothing
		w.ok(err)
		_, err = w.doPlan(c.to, backPlan(t.Context()))
		w.ok(err)
		if got := w.approved(c.to, "p"); got != c.worker {
			t.Errorf("in clone %s: %q, want %q", c.to.home.Machine, got, c.worker)
		}
	}
}
