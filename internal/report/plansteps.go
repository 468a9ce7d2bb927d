package report

import "ralph/internal/plan"

// PlanSteps tell the events of a plan that are no news while it runs: they stand
// in its log.
func PlanSteps(e plan.Event) []string {
	return []string{"· " + planStep(e)}
}

func planStep(e plan.Event) string {
	if e, ok := e.(plan.TaskWaits); ok {
		return waitsWords(e)
	}
	return line(e.Describe())
}

// whose names a task, or the whole plan.
func whose(task string) string {
	if task == "" {
		return "the proof of the plan"
	}
	return line(task)
}

// PlanPhase tells that a phase of a task begins.
func PlanPhase(task string, phase plan.Phase) string {
	return "· " + line(task) + "  phase: " + string(phase)
}
