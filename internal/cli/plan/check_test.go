package plan

import (
	"testing"

	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// TestCheckOf: a plan is done when no task, gap or edge case is open.
func TestCheckOf(t *testing.T) {
	t.Parallel()
	done, open := plan.Task{ID: "a", Status: plan.Done}, plan.Task{ID: "b", Status: plan.Pending}
	for name, c := range map[string]struct {
		file        planfile.File
		wrong       planfile.Errors
		valid, done bool
	}{
		"all done":      {planfile.File{Plan: plan.Plan{Tasks: []plan.Task{done}}}, nil, true, true},
		"one open":      {planfile.File{Plan: plan.Plan{Tasks: []plan.Task{done, open}}}, nil, true, false},
		"a gap is open": {planfile.File{Plan: plan.Plan{Tasks: []plan.Task{done}, Gaps: []string{"no error handling"}}}, nil, true, false},
		"wrong":         {planfile.File{}, planfile.Errors{{Line: 3, Message: "no id"}}, false, false},
	} {
		got := checkOf("plan.md", c.file, c.wrong)
		if got.Valid != c.valid || got.Done != c.done || len(got.Errors) != len(c.wrong) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
