package recovery

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestWhatNeedsAProcess: loops are left to the plan that resumes them, and a
// deadline inside a waiting plan is the plan's.
func TestWhatNeedsAProcess(t *testing.T) {
	t.Parallel()
	soon, late := noon.Add(time.Minute), noon.Add(time.Hour)
	inPlan := func(r Run, in ...string) Run { r.In = in; return r }
	var (
		crashedPlan = Run{ID: "p", Kind: Plan, Crashed: true}
		livePlan    = Run{ID: "p", Kind: Plan, Live: true}
		crashedLoop = Run{ID: "l", Kind: Loop, Crashed: true}
		askingLoop  = Run{ID: "l", Kind: Loop, Asks: true, Wake: soon}
		askingPlan  = Run{ID: "p", Kind: Plan, Asks: true, Wake: late}
	)
	for name, row := range map[string]struct {
		runs []Run
		want []string
		wake time.Time
	}{
		"a loop of its own":           {[]Run{crashedLoop}, []string{"l"}, time.Time{}},
		"a loop of a crashed plan":    {[]Run{inPlan(crashedLoop, "p"), crashedPlan}, []string{"p"}, time.Time{}},
		"a loop of a running plan":    {[]Run{livePlan, inPlan(crashedLoop, "p")}, []string{"p"}, time.Time{}},
		"a loop of an ended plan":     {[]Run{inPlan(crashedLoop, "p")}, []string{"l"}, time.Time{}},
		"a plan that is to pause":     {[]Run{{ID: "p", Kind: Plan, Crashed: true, PauseAsked: true}, inPlan(crashedLoop, "p")}, nil, time.Time{}},
		"a plan in a plan":            {[]Run{inPlan(Run{ID: "q", Kind: Plan, Crashed: true}, "p"), crashedPlan, inPlan(crashedLoop, "q")}, []string{"p"}, time.Time{}},
		"a question without an end":   {[]Run{{ID: "l", Kind: Loop, Asks: true}}, nil, time.Time{}},
		"a question with an end":      {[]Run{askingLoop}, []string{"l"}, soon},
		"a terminal asks":             {[]Run{{ID: "l", Kind: Loop, Asks: true, Wake: soon, Prompted: true}}, nil, time.Time{}},
		"a question inside a plan":    {[]Run{askingPlan, inPlan(askingLoop, "p")}, []string{"p"}, soon},
		"one of a plan in a plan":     {[]Run{askingPlan, inPlan(Run{ID: "q", Kind: Plan, Asks: true}, "p"), inPlan(askingLoop, "q")}, []string{"p"}, soon},
		"one of an ended plan's loop": {[]Run{inPlan(askingLoop, "p")}, nil, time.Time{}},
		"a loop with a plan's name":   {[]Run{{ID: "p", Kind: Loop, Crashed: true}, livePlan}, []string{"p", "p"}, time.Time{}},
	} {
		before := slices.Clone(row.runs)
		var ids []string
		var wake time.Time
		for _, r := range candidates(row.runs) {
			ids, wake = append(ids, r.ID), r.Wake
		}
		if diff := cmp.Diff(row.want, ids); diff != "" || !wake.Equal(row.wake) {
			t.Errorf("%s: wake %v (-want +got):\n%s", name, wake, diff)
		}
		if diff := cmp.Diff(before, row.runs); diff != "" {
			t.Errorf("%s changed its input:\n%s", name, diff)
		}
	}
}
