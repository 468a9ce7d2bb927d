package view

import (
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestNext holds what to type for a loop, by what is known of it.
func TestNext(t *testing.T) {
	t.Parallel()
	asks := func(q loop.Question) loop.State {
		q.ID = "q1"
		return loop.State{Status: loop.Waiting, Reason: loop.ForHuman, Questions: []loop.Question{q}}
	}
	for name, c := range map[string]struct {
		s    loop.State
		f    Facts
		want string
	}{
		"runs":                     {s: loop.State{Status: loop.Running}},
		"begins in another":        {s: loop.State{Status: loop.Pending}, f: Facts{Live: true}},
		"not begun":                {s: loop.State{Status: loop.Pending}, want: "ralph resume l"},
		"crashed":                  {s: loop.State{Status: loop.Running}, f: Facts{Crashed: true}, want: "ralph resume l"},
		"crashed while it waited":  {s: loop.State{Status: loop.Waiting, Reason: loop.ForLimit, Wake: time.Unix(1, 0)}, f: Facts{Crashed: true}, want: "ralph resume l"},
		"at a limit":               {s: loop.State{Status: loop.Waiting, Reason: loop.ForLimit}, want: "ralph resume l --now"},
		"asks":                     {s: asks(loop.Question{}), want: `ralph answer l "…"`},
		"asks, with a default":     {s: asks(loop.Question{Default: "yes, do"}), want: `ralph answer l "yes, do"`},
		"asks, default is a trap":  {s: asks(loop.Question{Default: "$(rm -r .)"}), want: `ralph answer l "…"`},
		"asks for work":            {s: asks(loop.Question{Work: true}), want: "ralph answer l done"},
		"passed":                   {s: loop.State{Status: loop.StatusPassed}, want: "ralph accept l"},
		"passed and accepted":      {s: loop.State{Status: loop.StatusPassed, Accepted: "abc"}, want: "ralph archive l"},
		"failed":                   {s: loop.State{Status: loop.StatusFailed, Reason: loop.AgentError}, want: "ralph logs l"},
		"failed in its set-up":     {s: loop.State{Status: loop.StatusFailed, Reason: loop.SetupError}, want: "ralph doctor"},
		"paused, its budget spent": {s: loop.State{Status: loop.Paused, Reason: loop.Budget}, want: "ralph resume l --budget …"},
		"green before any work": {
			s:    loop.State{Status: loop.StatusPassed, Reason: loop.AlreadyGreen, Spec: loop.Spec{Task: loop.Task{Text: "x"}, Gates: []loop.Gate{{Run: "make"}}}},
			want: "ralph run 'x' --until 'make' --force",
		},
	} {
		c.s.ID = "l"
		if got := Next(c.s, c.f); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestPlanNext holds what to type for a plan.
func TestPlanNext(t *testing.T) {
	t.Parallel()
	failed := []plan.TaskState{{ID: "a", Status: plan.Failed, Loop: "p-a"}}
	waits := []plan.TaskState{{ID: "a", Status: plan.Running, Loop: "p-a", Rests: loop.ForHuman}}
	for name, c := range map[string]struct {
		s    plan.State
		f    PlanFacts
		want string
	}{
		"runs":                  {s: plan.State{Status: loop.Running}},
		"crashed":               {s: plan.State{Status: loop.Running}, f: PlanFacts{Crashed: true}, want: "ralph resume p"},
		"a task asks":           {s: plan.State{Status: loop.Running}, f: PlanFacts{Asks: []PlanAsk{{Next: "ralph answer p-a 1"}}}, want: "ralph answer p-a 1"},
		"a task waits":          {s: plan.State{Status: loop.Waiting, Tasks: waits}, want: `ralph answer p-a "…"`},
		"a task is at a limit":  {s: plan.State{Status: loop.Running}, f: PlanFacts{Loops: map[string]loop.State{"p-a": {Status: loop.Waiting, Reason: loop.ForLimit}}}, want: "ralph resume p --now"},
		"all is answered":       {s: plan.State{Status: loop.Waiting, Reason: loop.ForHuman}, f: PlanFacts{Asks: []PlanAsk{}}, want: "ralph resume p"},
		"paused":                {s: plan.State{Status: loop.Paused}, want: "ralph resume p"},
		"passed":                {s: plan.State{Status: loop.StatusPassed, Tip: "b"}, want: "ralph accept p"},
		"passed and accepted":   {s: plan.State{Status: loop.StatusPassed, Tip: "b", Accepted: "c"}},
		"passed, nothing new":   {s: plan.State{Status: loop.StatusPassed}},
		"a part of it is done":  {s: plan.State{Status: loop.StatusPassed, Reason: plan.PartDone}, want: "ralph run p.md"},
		"not proved":            {s: plan.State{Status: loop.StatusFailed, Reason: plan.Unproved, Final: "p-final"}, want: "ralph show p-final --evidence"},
		"a task failed":         {s: plan.State{Status: loop.StatusFailed, Tasks: failed}, want: "ralph show p-a"},
		"a task never began":    {s: plan.State{Status: loop.StatusFailed, Tasks: failed}, f: PlanFacts{Unborn: map[string]bool{"p-a": true}}, want: "ralph run p.md"},
		"aborted by its budget": {s: plan.State{Status: loop.Aborted, Reason: loop.Budget, Rules: plan.Rules{Attempts: 4}}, want: "ralph run p.md --budget …"},
	} {
		c.s.ID, c.s.File = "p", "p.md"
		if got := PlanNext(c.s, c.f); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestTaskNext holds what to type for a task of a plan.
func TestTaskNext(t *testing.T) {
	t.Parallel()
	item := PlanItem{State: plan.State{ID: "p"}}
	for name, c := range map[string]struct {
		task PlanTask
		want string
	}{
		"failed":             {PlanTask{Status: plan.Failed, record: plan.TaskState{Loop: "p-a"}}, "ralph show p-a"},
		"failed to land":     {PlanTask{Status: plan.Failed, record: plan.TaskState{Loop: "p-a", Repair: "p-a-fix"}}, "ralph show p-a-fix"},
		"failed with no run": {PlanTask{Status: plan.Failed}, "ralph show p"},
		"runs":               {PlanTask{Status: plan.Running, record: plan.TaskState{Loop: "p-a"}}, ""},
	} {
		if got := item.taskNext(c.task); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
