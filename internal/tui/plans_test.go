package tui

import (
	"context"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/view"
)

// planned is a plan that asks a question of its own, and one whose loop works.
func planned() []Plan {
	asks := plan.State{
		ID: "night-1", Title: "The night", Status: loop.Waiting, Reason: loop.ForHuman, StartedAt: clockAt(9, 0), Base: "b", Tip: "b", Rules: plan.Rules{PerTask: 3},
		Tasks:     []plan.TaskState{{ID: "one", Status: plan.Done, Loop: "night-1-one"}, {ID: "two", Status: plan.Pending}},
		Questions: []plan.Question{{Question: loop.Question{ID: "q1", Text: "Accept the whole?", Options: []string{"accept", "reject"}, AskedAt: clockAt(9, 5)}}},
	}
	works := plan.State{ID: "day-2", Title: "The day", Status: loop.Running, StartedAt: clockAt(10, 0), Tasks: []plan.TaskState{{ID: "a", Status: plan.Running, Loop: "day-2-a"}}}
	return []Plan{{view.PlanItem{State: asks}, 4}, {view.PlanItem{State: works, Facts: view.PlanFacts{Live: true}}, 2}}
}

func withPlans(o *Options) {
	o.Plans = func(context.Context) ([]Plan, error) { return planned(), nil }
}

// TestPlansHaveRows: what a plan asks is seen, answered, and counted once.
func TestPlansHaveRows(t *testing.T) {
	t.Parallel()
	e := &fake{}
	s := newScreen(t, e, 80, 24, withPlans)
	golden(t, "plans-80x24", s.text())
	for _, want := range []string{"1 needs you · 1 running", "NEEDS YOU (1)", "night-1", "1/2", "Accept the whole?", "RUNNING (1)", "day-2", "0/1"} {
		if !strings.Contains(s.text(), want) {
			t.Errorf("no %q in:\n%s", want, s.text())
		}
	}
	s.press("enter")
	golden(t, "plan-80x24", s.text())
	if !strings.Contains(s.text(), "✓ done") || !strings.Contains(s.text(), "two") {
		t.Errorf("its page:\n%s", s.text())
	}
	s.press("l")
	if !strings.Contains(s.text(), "ralph logs night-1 -f") {
		t.Errorf("its log:\n%s", s.text())
	}
	s.press("s")
	if !strings.Contains(s.text(), "steer the loop of a task") {
		t.Errorf("steered:\n%s", s.text())
	}
	s.press("A", "down", "enter")
	if got := strings.Join(e.sent, " "); !strings.Contains(got, "night-1") || !strings.Contains(got, "accept") {
		t.Errorf("sent %q", got)
	}
}

// TestAPlanAnswersForItsTasks: on the page of a plan the question of a task is answered.
func TestAPlanAnswersForItsTasks(t *testing.T) {
	t.Parallel()
	const task = "ralph-tax-rounding-0badcafe"
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24, func(o *Options) {
		o.Plans = func(context.Context) ([]Plan, error) {
			all := planned()
			l, err := e.Show(t.Context(), task)
			if err != nil {
				return nil, err
			}
			all[0].Item.State.Questions = nil
			all[0].Item.Facts.Asks = []view.PlanAsk{{Task: "one", Loop: task, Question: *l.State.Open()}}
			return all[:1], nil
		}
		o.Open = "night-1"
	})
	s.shows("A answer")
	s.press("A", "2", "enter")
	if got := strings.Join(e.sent, " "); !strings.Contains(got, task) || !strings.Contains(got, "bankers") {
		t.Errorf("sent %q\n%s", got, s.text())
	}
}

// TestAPlanPutsAllItsQuestions: tab goes from one to the next, and each answer goes to the
// run that asked.
func TestAPlanPutsAllItsQuestions(t *testing.T) {
	t.Parallel()
	const task = "ralph-tax-rounding-0badcafe"
	e := &fake{loops: everyone()}
	s := newScreen(t, e, 80, 24, func(o *Options) {
		o.Plans = func(context.Context) ([]Plan, error) {
			all := planned()
			l, err := e.Show(t.Context(), task)
			if err != nil {
				return nil, err
			}
			all[0].Item.Facts.Asks = []view.PlanAsk{{Task: "two", Loop: task, Question: *l.State.Open()}}
			return all[:1], nil
		}
		o.Open = "night-1"
	})
	s.shows("A answer (2)")
	s.press("A")
	s.shows("Question 1 of 2 (tab: the next)", "1  accept")
	s.press("tab")
	s.shows("Question 2 of 2, about two (tab: the next)", "2  bankers")
	s.press("tab")
	s.shows("Question 1 of 2")
	s.press("tab", "2", "enter")
	if got := strings.Join(e.sent, " "); !strings.Contains(got, task) || !strings.Contains(got, "bankers") {
		t.Errorf("sent %q\n%s", got, s.text())
	}
}

// TestAPlanWhoseTaskAsksIsCountedThere, not twice.
func TestAPlanWhoseTaskAsksIsCountedThere(t *testing.T) {
	t.Parallel()
	asks := plan.State{
		ID: "night-1", Status: loop.Waiting, Reason: loop.ForHuman, StartedAt: clockAt(9, 0),
		Tasks: []plan.TaskState{{ID: "one", Status: plan.Running, Loop: "night-1-one", Rests: loop.ForHuman}},
	}
	group := func(s plan.State) string {
		return view.Sections([]view.Run{view.PlanItem{State: s}.Run(clockAt(12, 0))})[0].Title
	}
	if got := group(asks); got != "NEEDS YOU" {
		t.Errorf("asked by its task: %s", got)
	}
	asks.Tasks[0].Rests = ""
	if got := group(asks); got != "NEEDS YOU" {
		t.Errorf("answered, and no process continues with it: %s", got)
	}
}
