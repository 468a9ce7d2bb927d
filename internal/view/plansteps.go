package view

import (
	"ralph/internal/plan"

	"ralph/internal/text"
)

// PlanSteps tell the events of a plan that are no news while it runs: they stand
// in its log.
func PlanSteps(e plan.Event) []string {
	return []string{"· " + planStep(e)}
}

func planStep(e plan.Event) string {
	if e, ok := e.(plan.TaskWaits); ok {
		return waitsWords(e)
	}
	return text.Line(e.Describe())
}

// whose names a task, or the whole plan.
func whose(task string) string {
	if task == "" {
		return "the proof of the plan"
	}
	return text.Line(task)
}

// PlanPhase tells that a phase of a task begins.
func PlanPhase(task string, phase plan.Phase) string {
	return "· " + text.Line(task) + "  phase: " + string(phase)
}
