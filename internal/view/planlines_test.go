package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestPlanTellsWhatItWaitsFor: until when and why, that it goes on, and with what a
// question is answered that is not the only one.
func TestPlanTellsWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: now}
	failed := plan.Question{Question: loop.Question{ID: "q1", Text: "c failed: red"}, About: plan.AboutFailure, Task: "c"}
	alone := plan.State{ID: "p", Status: loop.Running, Questions: []plan.Question{failed}}
	beside := alone
	beside.Tasks = []plan.TaskState{{ID: "b", Status: plan.Running, Loop: "p-b", Rests: loop.ForHuman}}
	for _, row := range []struct {
		s    plan.State
		e    plan.Event
		want string
	}{
		{alone, plan.TaskWaits{Stamp: at, Task: "c", Until: now.Add(time.Hour), Why: "5-hour limit"}, "○ c  waits until 13:00: 5-hour limit"},
		{alone, plan.TaskWaits{Stamp: at, Task: "c", Until: now.Add(24 * time.Hour)}, "○ c  waits until 2026-11-21 12:00"},
		{alone, plan.TaskWaits{Stamp: at, Task: "c"}, "○ c  continues"},
		{alone, plan.TaskWaits{Stamp: at}, "○ the proof of the plan  continues"},
		{alone, plan.Stopped{Stamp: at, Task: "c", Loop: "p-c", Status: loop.Paused, Message: "5-hour limit"}, "○ c  paused: 5-hour limit"},
		{alone, plan.Asked{Stamp: at, Question: failed}, `? c failed: red  ralph answer p "…"`},
		{beside, plan.Asked{Stamp: at, Question: failed}, `? c failed: red  ralph answer p --task c "…"`},
	} {
		if got := strings.Join(PlanLines(row.s, row.e, Palette{}), "\n"); got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}

// TestPlanTellsOneLineAnEvent: texts of several lines are joined, and the end of a plan has
// the mark of its status.
func TestPlanTellsOneLineAnEvent(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: now}
	s := plan.State{ID: "p", Status: loop.Running}
	stopped := plan.Stopped{Stamp: at, Task: "c", Loop: "p-c", Status: loop.Waiting, Reason: loop.ForHuman, Message: "Which one?\n\"a\" or b"}
	if got, want := strings.Join(PlanLines(s, stopped, Palette{}), "\n"), `? c  asks: Which one? · "a" or b  ralph answer p-c`; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for e, want := range map[plan.Event]string{
		plan.Rested{Stamp: at, Status: loop.StatusFailed, Message: "1 task failed"}: "✗ failed: 1 task failed",
		plan.Rested{Stamp: at, Status: loop.Waiting, Message: "1 question waits"}:   "· waits: 1 question waits",
		plan.Noted{Stamp: at}: "· what was noted before does not hold any more",
	} {
		if got := strings.Join(PlanSteps(e), "\n"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestEveryPlanEventHasALine: the log of a plan has words for every event, also for one whose
// fields are mostly empty.
func TestEveryPlanEventHasALine(t *testing.T) {
	t.Parallel()
	for name := range plan.Events().Types() {
		e, err := plan.Decode(name, []byte(`{"at":"2026-03-01T12:00:00Z","task":"t","status":"paused","message":"why"}`))
		if err != nil {
			t.Fatal(err)
		}
		lines := PlanLines(plan.State{}, e, Palette{})
		if len(lines) == 0 {
			lines = PlanSteps(e)
		}
		if _, words, _ := strings.Cut(strings.Join(lines, "\n"), " "); strings.TrimSpace(words) == "" {
			t.Errorf("%s: %q", name, lines)
		}
	}
}
