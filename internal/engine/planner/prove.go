package planner

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// proof begins the proof of the whole plan, unless the tip has been judged by
// the very gates that would run now: the last landing was.
func (r *run) proof(ctx context.Context) (moved bool, err error) {
	if r.state.Final != "" {
		return false, nil
	}
	if len(r.planGates()) == len(r.spec.Task.Gates) && r.judged() {
		return true, r.apply(ctx, plan.Proof{Stamp: r.stamp(), Passed: true, Message: "proved when the last task landed"})
	}
	id, err := r.loopID(ctx, "final", "", 1)
	if err != nil {
		return false, err
	}
	return true, r.apply(ctx, plan.ProofBegan{Stamp: r.stamp(), Loop: id})
}

// judged: the tip is what a landing left, and so every gate has passed on it.
func (r *run) judged() bool {
	return slices.ContainsFunc(r.state.Tasks, func(t plan.TaskState) bool { return t.Landed == r.state.Tip && t.Loop != "" })
}

// planGates are those of every task, and the commands of the plan and of its
// tasks that a person has accepted.
func (r *run) planGates() []loop.Gate {
	gates := slices.Clone(r.spec.Task.Gates)
	commands := slices.Clone(r.book.plan.Commands)
	for _, t := range r.book.plan.Tasks {
		commands = append(commands, t.Commands...) // a later landing may have broken an earlier task
	}
	for _, c := range commands {
		if g, ok := r.spec.Commands[c]; ok && !slices.ContainsFunc(gates, func(o loop.Gate) bool { return o.Run == c }) {
			gates = append(gates, named(g, "plan", gates))
		}
	}
	return gates
}

// prove runs the plan's gates on the tip, in a loop: where they are red, it has
// one attempt to mend what the tasks together have broken.
func (r *run) prove(f *flight) hand {
	spec := r.spec.Task
	spec.ID, spec.Base, spec.Parent = r.state.Final, r.state.Tip, r.state.ID
	spec.Branch = r.branchName(r.state.Final)
	spec.Gates, spec.Until, spec.Limits.MaxIterations = loop.ReviewsFor(r.planGates(), loop.Work{}), true, 1
	spec.InPlace, spec.WithChanges, spec.Force = false, false, false
	spec.Task = loop.Task{
		ID: "final", Text: "Every task of the plan is done; the plan's own gates do not pass on the result. Mend it.",
		Plan: &loop.InPlan{Title: r.state.Title, Constraints: r.book.plan.Constraints},
	}
	return func(ctx context.Context) ([]plan.Event, error) {
		s, err := r.runLoop(ctx, spec, "", f)
		if err != nil {
			return nil, err
		}
		if !s.Status.Terminal() {
			return []plan.Event{r.stopped("", s)}, nil
		}
		done := plan.Proof{Stamp: r.stamp(), Loop: s.ID, Passed: s.Status == loop.StatusPassed, Message: s.Message, Attempts: s.Iteration}
		if !done.Passed {
			done.Message = unproved(s)
		}
		if done.Passed && s.Commit != "" {
			done.Commit = s.Commit
		}
		return []plan.Event{done}, keepEvidence(r.lease.Dir(), cmp.Or(done.Commit, spec.Base), newest(s))
	}
}

// unproved names the gates that are red on the result, and says that mending it
// did not help.
func unproved(s loop.State) string {
	var red []string
	if last := s.Last(); last != nil {
		for _, r := range last.Results {
			if r.Level != loop.Soft && r.Verdict != loop.Passed && r.Verdict != loop.Skipped {
				red = append(red, gateName(s.Gates, r.Gate)+": "+cmp.Or(r.Reason, string(r.Verdict)))
			}
		}
	}
	if len(red) == 0 {
		return s.Message
	}
	words := "red on the result of all tasks together: " + strings.Join(red, "; ") + "; an attempt to mend it did not help"
	if s.Reason != loop.MaxAttempts {
		words += ": " + s.Message
	}
	return words
}

// gateName is a gate by its name and, where it is a command, by that.
func gateName(gates []loop.Gate, name string) string {
	i := slices.IndexFunc(gates, func(g loop.Gate) bool { return g.Name == name })
	if i < 0 || gates[i].Run == "" {
		return "gate " + name
	}
	return "gate " + name + " (" + gates[i].Run + ")"
}
