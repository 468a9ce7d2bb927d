package status

import (
	"testing"

	"ralph/internal/cli/exit"
	"ralph/internal/plan"
)

// TestNoOutput: a plan has no output of its own; the hint names the loop that has.
func TestNoOutput(t *testing.T) {
	t.Parallel()
	done := plan.TaskState{Status: plan.Done, Loop: "p-1"}
	failed := plan.TaskState{Status: plan.Failed, Loop: "p-2"}
	running := plan.TaskState{Status: plan.Running, Loop: "p-3"}
	for name, c := range map[string]struct {
		tasks []plan.TaskState
		f     logFlags
		want  string
	}{
		"the one in progress":  {[]plan.TaskState{running, failed, done}, logFlags{agent: true}, "ralph logs p-3 --agent"},
		"the one that failed":  {[]plan.TaskState{failed, done}, logFlags{agent: true, iteration: 2}, "ralph logs p-2 --agent --iteration 2"},
		"the last":             {[]plan.TaskState{done, {Status: plan.Pending}}, logFlags{gate: "tests"}, "ralph logs p-1 --gate tests"},
		"a repair":             {[]plan.TaskState{{Status: plan.Landing, Loop: "p-1", Repair: "p-1-r"}}, logFlags{agent: true}, "ralph logs p-1-r --agent"},
		"a plan within a plan": {[]plan.TaskState{{Status: plan.Running, Loop: "inner", Child: true}, done}, logFlags{agent: true}, "ralph logs p-1 --agent"},
		"none has begun":       {[]plan.TaskState{{Status: plan.Pending}}, logFlags{agent: true}, "ralph logs p"},
	} {
		f := exit.Classify(noOutput(plan.State{ID: "p", Tasks: c.tasks}, c.f))
		if f.Code != exit.Usage || f.Hint != c.want {
			t.Errorf("%s: %d %q, want %q", name, f.Code, f.Hint, c.want)
		}
	}
}
