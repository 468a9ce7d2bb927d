package report

import (
	"fmt"
	"maps"
	"slices"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanSteps tell the events of a plan that are no news while it runs: they stand
// in its log.
func PlanSteps(e plan.Event) []string {
	return []string{"· " + planStep(e)}
}

// movedWords tell which tasks have other ids now.
func movedWords(moved map[string]string) string {
	words := make([]string, 0, len(moved))
	for _, was := range slices.Sorted(maps.Keys(moved)) {
		words = append(words, line(was)+" is "+line(moved[was])+" now")
	}
	if len(words) == 0 {
		return ""
	}
	return ": " + listed(words, 6)
}

func planStep(e plan.Event) string {
	switch e := e.(type) {
	case plan.Opened:
		return "the plan begins"
	case plan.Read:
		return "the plan's file was read" + movedWords(e.Moved)
	case plan.Taken:
		return whose(e.Task) + "  is taken up again"
	case plan.Stopped:
		return whose(e.Task) + "  stopped: " + string(e.Status) + because(e.Message)
	case plan.TaskWaits:
		return waitsWords(e)
	case plan.LandBegan:
		return fmt.Sprintf("%s  lands on %s", line(e.Task), short(e.Onto))
	case plan.ProofBegan:
		return "the plan's gates run on the result: loop " + line(e.Loop)
	case plan.Answered:
		return by("answered", e.By) + ": " + line(e.Text)
	case plan.Resolved:
		return by("resolved", e.By) + ": " + line(e.Text)
	case plan.Found:
		return "found " + plural(len(e.Findings), "gap or edge case")
	case plan.PauseAsked:
		return by("asked to pause", e.By)
	case plan.Resumed:
		if e.Retry {
			return "goes on; what failed is tried again"
		}
		return "goes on"
	case plan.AbortAsked:
		if e.Why == "" {
			return "asked to stop for good"
		}
		return "asked to stop for good: " + line(e.Why)
	case plan.Rested:
		if e.Message != "" && e.Status == loop.Waiting {
			return "waits: " + line(e.Message)
		}
		return string(e.Status) + ": " + line(e.Message)
	}
	return "noted"
}

// whose names a task, or the whole plan.
func whose(task string) string {
	if task == "" {
		return "the proof of the plan"
	}
	return line(task)
}

func by(what, who string) string {
	if who == "" {
		return what
	}
	return what + " by " + line(who)
}

// PlanPhase tells that a phase of a task begins.
func PlanPhase(task string, phase plan.Phase) string {
	return "· " + line(task) + "  phase: " + string(phase)
}
