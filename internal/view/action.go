package view

import (
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
)

// Verb names what a person can do with a run.
type Verb string

// The verbs.
const (
	DoPause   Verb = "pause"
	DoResume  Verb = "resume"
	DoSteer   Verb = "steer"
	DoAbort   Verb = "abort"
	DoRetry   Verb = "retry"
	DoAccept  Verb = "accept"
	DoArchive Verb = "archive"
	// DoRetryWork does the task again from the work that was refused.
	DoRetryWork Verb = "retry-work"
)

// Action is something that a person can do with a run now.
type Action struct {
	Verb  Verb
	Label string
	// Text labels the text that goes with it; empty is none. Needed: it is not empty.
	Text   string
	Needed bool
	// Confirm asks before it is done; empty is no question.
	Confirm string
	// Look are the concerns that a person accepts with the work, which is Commit.
	Look   []loop.Concern
	Commit string
	// Command does the same at a terminal. Args are its arguments, where it is not one of
	// the verb and the name of the run; one that is … is the text.
	Command string
	Args    []string
}

// Mark is the colour of the run's status: ok, bad, ask, go or dim.
func (r Run) Mark() string {
	switch {
	case r.marked == loop.Left:
		return "dim"
	case r.Status.Terminal():
		return markOf(r.Status)
	case r.Group == GroupNeedsYou:
		return "ask"
	case r.Group == GroupRunning:
		return "go"
	}
	return "dim"
}

// About are the lines of a list about the run without the first one, which names it, for
// front ends that name it themselves.
func (r Run) About() []string { return r.Details[min(len(r.Details), 1):] }

// Pausable reports whether the run can be asked to stop after its step.
func (r Run) Pausable() bool {
	return !r.Status.Terminal() && r.Status != loop.Paused && !r.PauseAsked && !r.Crashed
}

// Acceptable reports whether the run has passed and has work to merge.
func (r Run) Acceptable() bool { return r.Group == GroupReady || r.Clash != nil && !r.Archived }

// Retriable reports whether the task of the loop can be done again.
func (r Run) Retriable() bool {
	return !r.Plan && !r.Driven && r.marked != loop.Left && (r.Status == loop.StatusFailed || r.Status == loop.Aborted || r.Clash != nil)
}

// Resumable reports whether a process can continue the run now.
func (r Run) Resumable() bool {
	switch {
	case r.Status.Terminal(), r.Live && r.Status != loop.Waiting, r.Live && r.Question != nil, r.Driven && r.Status != loop.Paused, r.Reason == loop.ForLoop, r.marked == loop.ForMove:
		return false
	}
	return r.Status == loop.Paused || r.Crashed || r.Status == loop.Waiting && r.Question == nil
}

// Actions are what a person can do with a loop now, the most wanted first.
func (l Loop) Actions() []Action {
	out := l.actions(l.InPlan)
	for i := range out {
		if out[i].Verb == DoAccept {
			out[i].Look, out[i].Commit = l.Look, l.Commit
		}
	}
	if i := slices.IndexFunc(out, func(a Action) bool { return a.Verb == DoRetry }); i >= 0 && l.allow() != "" {
		out = slices.Insert(out, i+1, l.retryWork())
	}
	if !l.Status.Terminal() {
		out = append(out, Action{Verb: DoSteer, Label: "Steer", Text: "Guidance for the next attempts", Needed: true, Command: next.Steer(l.ID, next.Blank)})
	}
	return out
}

// retryWork does the task again from the work that was refused, with what lets it pass.
func (l Loop) retryWork() Action {
	a := Action{
		Verb: DoRetryWork, Label: "Retry with its work", Confirm: "Start the task again from the work of this loop? Do so if its work is right.",
		Command: l.allow() + ifRight, Args: append(next.Arguments(l.allow()), "--detach"),
	}
	if strings.Contains(a.Command, next.Blank) {
		a.Text, a.Needed = "Files that the work may change, as a pattern", true
	}
	return a
}

// ifRight follows the command that lets refused work pass.
const ifRight = "   # if its work is right"

// Actions are what a person can do with a plan now, the most wanted first. What landed of
// one that ended short of its goal is accepted as a part, and the rest tried again.
func (v Plan) Actions() []Action {
	var out []Action
	if v.Take != "" && !v.Acceptable() {
		out = append(out, Action{Verb: DoAccept, Label: "Accept what landed", Confirm: "Merge what landed of the plan into the current branch of the repository?", Command: v.Take})
	}
	if v.AgainArgs != nil && v.Of == "" {
		out = append(out, Action{Verb: DoRetry, Label: "Try the rest again", Confirm: "Run the plan again, with the tasks that are not done?", Command: v.Again, Args: v.AgainArgs})
	}
	out = append(out, v.actions(false)...)
	for i := range out {
		if out[i].Verb == DoAccept {
			out[i].Look, out[i].Commit = v.Look, v.Tip
		}
	}
	return out
}

// StatusText is the status of the loop with the place of its work, in a few words.
func (l Loop) StatusText() string {
	if !l.Status.Terminal() {
		return string(l.Status)
	}
	return string(l.Status) + ", " + l.work()
}

// StatusText is the status of the plan with what is to be known about it, in a few words.
func (v Plan) StatusText() string {
	return strings.Join(append([]string{string(v.Status)}, v.About()...), ", ")
}

// actions are those that loops and plans share. The work of a plan's loop is accepted,
// resumed and done again with its plan.
func (r Run) actions(inPlan bool) []Action {
	var out []Action
	add := func(when bool, a Action) {
		if when {
			out = append(out, a)
		}
	}
	add(r.Acceptable(), Action{Verb: DoAccept, Label: "Accept", Confirm: "Merge this work into the current branch of the repository?", Command: next.Accept(r.ID)})
	add(r.Resumable() && !inPlan, Action{Verb: DoResume, Label: "Resume", Command: next.Resume(r.ID)})
	add(r.Retriable() && !inPlan, Action{Verb: DoRetry, Label: "Retry", Confirm: "Start the task again?", Command: next.Retry(r.ID)})
	add(r.Pausable(), Action{Verb: DoPause, Label: "Pause", Command: next.Pause(r.ID)})
	add(!r.Status.Terminal(), Action{Verb: DoAbort, Label: "Abort", Text: "Reason, for the record", Confirm: "End this run? Its work is kept on a branch.", Command: next.Abort(r.ID)})
	add(r.Status.Terminal() && !r.Archived && !inPlan && !r.Acceptable(), Action{Verb: DoArchive, Label: "Archive", Command: next.Archive(r.ID)})
	return out
}
