package plan

import (
	"slices"

	"ralph/internal/loop"
)

// Phase is the progress of a task from text to work (seed 002). Each ends
// only on evidence that can be checked: see Of.
type Phase string

// The phases, in their order.
const (
	Understand Phase = "understand"
	Clarify    Phase = "clarify"
	Design     Phase = "plan"
	Approve    Phase = "approve"
	Execute    Phase = "execute"
	Verify     Phase = "verify"
	Deliver    Phase = "deliver"
)

// The gates of the loop that writes the approach of a task. The phases
// understand, clarify and plan end on them.
const (
	GateUnderstood = "understood"
	GateClarified  = "no-open-questions"
	GatePlanned    = "steps-written"
)

// PhaseOf returns the phase of a task whose present loop is l; nil is a loop
// that has not begun. It is empty for a task that no agent works on.
//
//	understand  the request has been repeated in other words
//	clarify     no question is open
//	plan        the steps are written
//	approve     a person, or a reviewer, approved them
//	execute     the agent has ended
//	verify      every gate and review has passed
//	deliver     the work has landed, and its output is saved
//
// A task passes through the first four only if the plan requires approval
// (Rules.Approve); a question of the agent leads back to clarify at any time.
func PhaseOf(t TaskState, l *loop.State) Phase {
	switch {
	case t.Status == Approving && t.Passed:
		return Approve
	case t.busy() && l != nil && l.Open() != nil && !evaluating(l.Step):
		return Clarify
	case t.Status == Approving:
		return writing(l)
	case t.Status == Running && (t.Child || l == nil || !evaluating(l.Step)):
		return Execute
	case t.Status == Running, t.Status == InReview:
		return Verify
	case t.Status == Landing:
		return Deliver
	}
	return ""
}

// writing is the first phase whose gate has not passed when it was last asked.
func writing(l *loop.State) Phase {
	if l == nil {
		return Understand
	}
	for _, a := range slices.Backward(l.Recent) {
		if len(a.Results) > 0 {
			return unmet(a.Results)
		}
	}
	return Understand
}

func unmet(results []loop.Result) Phase {
	passed := map[string]bool{}
	for _, r := range results {
		passed[r.Gate] = r.Verdict == loop.Passed
	}
	switch {
	case !passed[GateUnderstood]:
		return Understand
	case !passed[GateClarified]:
		return Clarify
	}
	return Design
}

func evaluating(s loop.Step) bool {
	return s == loop.StepGates || s == loop.StepProof || s == loop.StepKeep || s == loop.StepTidy || s == loop.StepDone
}

// Phases follows the phases of a plan's tasks through its events, as far as
// these show them: the inside of a loop stands in the loop's own record.
type Phases map[string]entered

// entered is the phase that began last, the one that a question interrupted, and
// whether the task's loop writes how it is to be done.
type entered struct {
	now, before Phase
	writes      bool
}

// Enter returns the phase of the task that begins with an event; empty is
// none.
func (p Phases) Enter(e Event) (task string, began Phase) {
	switch e := e.(type) {
	case Planning:
		return p.begin(e.Task, Understand, true)
	case Started:
		return p.begin(e.Task, Execute, false)
	case Taken:
		if at := p[e.Task]; at.now == Clarify {
			return p.begin(e.Task, at.before, at.writes)
		}
	case Stopped:
		return p.stopped(e)
	case LandBegan:
		return p.begin(e.Task, Deliver, false)
	}
	return "", ""
}

func (p Phases) begin(task string, now Phase, writes bool) (string, Phase) {
	at := p[task]
	if at.now == now || task == "" {
		return "", ""
	}
	p[task] = entered{now: now, before: at.now, writes: writes}
	return task, now
}

func (p Phases) stopped(e Stopped) (task string, began Phase) {
	at := p[e.Task]
	switch passed := e.Status == loop.StatusPassed; {
	case e.Status == loop.Waiting && e.Reason == loop.ForHuman:
		return p.begin(e.Task, Clarify, at.writes)
	case passed && at.writes && e.Opinion == nil:
		return p.begin(e.Task, Approve, true)
	case passed && !at.writes:
		return p.begin(e.Task, Verify, false)
	}
	return "", ""
}
