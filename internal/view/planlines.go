package view

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// PlanLines tell one event of a plan's run; nothing where it says nothing new.
func PlanLines(s plan.State, e plan.Event, p Palette) []string {
	line := planLine(s, e, p)
	if line == "" {
		return nil
	}
	return p.outAll([]string{line})
}

func planLine(s plan.State, e plan.Event, p Palette) string {
	switch e := e.(type) {
	case plan.Started:
		return fmt.Sprintf("● %s  begins: loop %s", text.Clean(e.Task), e.Loop)
	case plan.Planning:
		return fmt.Sprintf("● %s  writes its plan: loop %s", text.Clean(e.Task), e.Loop)
	case plan.Opened:
		if len(s.ReviewHolds()) == 0 {
			return ""
		}
		return noted(s.Note, p) // explains after a resume why nothing begins
	case plan.Noted:
		return noted(e.Text, p)
	case plan.Taken:
		if e.Unanswered == nil {
			return ""
		}
		return p.ask("! ") + unansweredWords(plan.Unanswered{Task: e.Task, Question: *e.Unanswered})
	case plan.Stopped:
		return stoppedLine(e, p)
	case plan.TaskWaits:
		return "○ " + waitsWords(e)
	case plan.Repairing:
		return p.ask("○ ") + fmt.Sprintf("%s  does not fit: %s; loop %s repairs it", text.Clean(e.Task), joinLines(e.Why), e.Loop)
	case plan.Landed:
		return p.good("✓ ") + fmt.Sprintf("%s  landed as %s on %s", text.Clean(e.Task), e.Commit[:min(10, len(e.Commit))], s.Branch)
	case plan.LandingStale:
		return "○ " + fmt.Sprintf("%s  lands again: the branch moved to %.10s meanwhile", text.Clean(e.Task), e.Tip)
	case plan.Repaired:
		return p.good("✓ ") + fmt.Sprintf("%s  repaired: loop %s", text.Clean(e.Task), e.Loop)
	case plan.NotLanded:
		return p.bad("✗ ") + fmt.Sprintf("%s  conflict: %s", text.Clean(e.Task), joinLines(e.Message))
	case plan.ReviewEnded:
		return reviewedLine(e, p)
	case plan.Found:
		if len(e.Blockers) == 0 {
			return ""
		}
		return p.ask("! ") + text.Clean(e.Task) + "  " + blockedWords("its agent", strings.Join(e.Blockers, "; "))
	case plan.Proof:
		if e.Passed {
			return p.good("✓ ") + "the plan's gates pass on the result"
		}
		return p.bad("✗ ") + "the plan's gates do not pass on the result: " + joinLines(e.Message)
	case plan.Asked:
		return p.ask("? ") + joinLines(e.Question.Text) + "  " + text.Line(next.AnswerNewest(s))
	case plan.Broken:
		return p.bad("✗ ") + fmt.Sprintf("%s  %s", text.Clean(e.Task), joinLines(e.Message))
	}
	return ""
}

func noted(note string, p Palette) string {
	if note == "" {
		return ""
	}
	return p.ask("○ ") + joinLines(note)
}

func stoppedLine(e plan.Stopped, p Palette) string {
	task := text.Clean(e.Task)
	switch {
	case e.Opinion != nil && e.Opinion.Approve:
		return p.good("✓ ") + task + "  its plan is written, and a reviewer agrees"
	case e.Opinion != nil:
		return p.ask("○ ") + task + "  a reviewer does not agree to its plan: " + joinLines(e.Opinion.Why)
	case e.Status == loop.StatusPassed && e.Output != "": // of a loop that writes how a task is to be done
		return p.good("✓ ") + fmt.Sprintf("%s  its plan is written; the work has not begun", task)
	case e.Status == loop.StatusPassed:
		return p.good("✓ ") + fmt.Sprintf("%s  passed after %s", task, text.Plural(e.Attempts, "attempt"))
	case e.Status == loop.Waiting && e.Reason == loop.ForHuman:
		if !e.Until.IsZero() {
			return p.ask("? ") + fmt.Sprintf("%s  asks: %s; its default is taken at %s  %s", task, joinLines(e.Message), text.Clock(e.Until, e.At), next.Answer(e.Loop, ""))
		}
		return p.ask("? ") + fmt.Sprintf("%s  asks: %s  %s", task, joinLines(e.Message), next.Answer(e.Loop, ""))
	case e.Status.Terminal():
		return p.bad("✗ ") + fmt.Sprintf("%s  %s/%s: %s  %s", task, e.Status, e.Reason, joinLines(e.Message), next.Show(e.Loop))
	}
	return fmt.Sprintf("○ %s  %s", task, e.Status) + because(e.Message)
}

// waitsWords tell until when a loop waits for its agent's usage limit.
func waitsWords(e plan.TaskWaits) string {
	if e.Until.IsZero() {
		return whose(e.Task) + "  continues"
	}
	return whose(e.Task) + "  waits until " + text.Clock(e.Until, e.At) + because(e.Why)
}

func reviewedLine(e plan.ReviewEnded, p Palette) string {
	what := "the plan"
	if e.Review.Task != "" {
		what = text.Clean(e.Review.Task)
	}
	switch {
	case len(e.Review.Asks) > 0:
		return p.ask("? ") + what + "  review: " + joinLines(e.Review.Reason) + "; asks: " + joinLines(strings.Join(e.Review.Asks, "; "))
	case e.Review.Unreviewed:
		return p.dim("· ") + what + "  unreviewed: " + joinLines(e.Review.Reason)
	case e.Review.Pass:
		return p.good("✓ ") + what + "  reviewed: " + joinLines(e.Review.Reason)
	}
	return p.bad("✗ ") + what + "  review: " + joinLines(e.Review.Reason)
}

// PlanSteps tell the events of a plan that are no news while it runs: they stand
// in its log.
func PlanSteps(e plan.Event) []string {
	mark := "· "
	if end, ok := e.(plan.Rested); ok && end.Status.Terminal() && end.Status != loop.StatusPassed {
		mark = "✗ "
	}
	return []string{mark + planStep(e)}
}

func planStep(e plan.Event) string {
	switch e := e.(type) {
	case plan.TaskWaits:
		return waitsWords(e)
	case plan.LandBegan: // in the column of the other lines about a task
		return fmt.Sprintf("%s  lands on %.7s", text.Line(e.Task), e.Onto)
	}
	return text.Line(e.Describe())
}

// whose returns the name of a task, or of the whole plan.
func whose(task string) string {
	if task == "" {
		return "the proof of the plan"
	}
	return text.Line(task)
}

// PlanPhase is the line that a phase of a task begins.
func PlanPhase(task string, phase plan.Phase) string {
	return "· " + text.Line(task) + "  phase: " + string(phase)
}
