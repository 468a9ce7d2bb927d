package planner

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// proof begins the proof of the whole plan, unless the tip has been judged by
// the very gates that would run now: the last landing was.
func (r *run) proof(ctx context.Context) (moved bool, err error) {
	if r.state.Final != "" {
		return false, nil
	}
	if len(r.planGates()) == len(r.spec.Task.Gates) && r.tipPassed() {
		return true, r.commit(ctx, plan.Proof{Stamp: r.stamp(), Passed: true, Message: "proved when the last task landed"})
	}
	id, err := r.loopID(ctx, "final", "", 1)
	if err != nil {
		return false, err
	}
	return true, r.commit(ctx, plan.ProofBegan{Stamp: r.stamp(), Loop: id})
}

// tipPassed: the tip is the result of a landing, and so every gate has passed
// on it.
func (r *run) tipPassed() bool {
	return slices.ContainsFunc(r.state.Tasks, func(t plan.TaskState) bool { return t.Landed == r.state.Tip && t.Loop != "" })
}

// planGates are those of every task, and the commands of the plan and of its
// tasks that a person has accepted.
func (r *run) planGates() []loop.Gate {
	gates := slices.Clone(r.spec.Task.Gates)
	commands := slices.Clone(r.doc.plan.Commands)
	for _, t := range r.doc.plan.Tasks {
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
// one attempt to repair the tasks' combined result.
func (r *run) prove(f *job) jobFunc {
	spec := r.spec.Task
	spec.ID, spec.Base, spec.Parent = r.state.Final, r.state.Tip, r.state.ID
	spec.Branch = r.branchName(r.state.Final)
	spec.Gates, spec.StopIfGreen, spec.Limits.MaxIterations = loop.ReviewsFor(r.planGates(), loop.Work{}), true, 1
	spec.Proof = loop.ProofNone // each task has its own
	spec.InPlace, spec.WithChanges, spec.Force = false, false, false
	spec.Task = loop.Task{
		ID: "final", Text: "Every task of the plan is done; the plan's own gates do not pass on the result. Fix it.",
		Plan: &loop.InPlan{Title: r.state.Title, Constraints: r.doc.plan.Constraints},
	}
	return func(ctx context.Context) ([]plan.Event, error) {
		s, err := r.runLoop(ctx, spec, "", f)
		if err != nil {
			return nil, err
		}
		if !s.Status.Terminal() {
			return []plan.Event{r.stopped("", s)}, nil
		}
		done := plan.Proof{Stamp: r.stamp(), Loop: s.ID, Passed: s.Status == loop.StatusPassed, Message: s.Message, Attempts: s.Made()}
		if !done.Passed {
			done.Message = unproved(s)
		}
		if done.Passed && s.Commit != "" {
			done.Commit, done.Concerns = s.Commit, plan.RepairCodes(s.Concerns())
		}
		return []plan.Event{done}, keepEvidence(r.Dir(r.lease.ID()), cmp.Or(done.Commit, spec.Base), newest(s))
	}
}

// unproved names the gates that are red on the result, and reports that the
// repair did not help.
func unproved(s loop.State) string {
	var red []string
	if last := s.Last(); last != nil {
		for _, r := range last.Results {
			r = r.ForAgents()
			if r.Level != loop.Soft && r.Verdict != loop.Passed && r.Verdict != loop.Skipped {
				red = append(red, gateName(s.Gates, r.Gate)+": "+cmp.Or(r.Reason, string(r.Verdict)))
			}
		}
	}
	if len(red) == 0 {
		return s.Message
	}
	words := "red on the result of all tasks together: " + strings.Join(red, "; ") + "; an attempt to fix it did not help"
	if s.Reason != loop.MaxAttempts {
		words += ": " + s.Message
	}
	return words
}

// gateName is a gate by its name and, where it is a command, by that.
func gateName(gates []loop.Gate, name string) string {
	i := slices.IndexFunc(gates, func(g loop.Gate) bool { return g.Name == name })
	if i < 0 || gates[i].Run == "" || gates[i].Hidden {
		return "gate " + name
	}
	return "gate " + name + " (" + gates[i].Run + ")"
}

// Measurements of the gates on a commit of the integration branch are kept by
// the commit, for reviewers of the whole plan. A proof that uses a landing's
// again has no loop that it could be read from.

func evidenceFile(dir, commit string) string {
	return filepath.Join(dir, "evidence", commit+".json")
}

// keepEvidence keeps the measurements on a commit; without any it keeps
// nothing.
func keepEvidence(dir, commit string, results []loop.Result) error {
	if len(results) == 0 || commit == "" {
		return nil
	}
	told := make([]loop.Result, len(results))
	for i, r := range results {
		told[i] = r.ForAgents() // reviewers are agents
	}
	text, err := json.MarshalIndent(told, "", "  ")
	if err != nil {
		return fmt.Errorf("keep the evidence of %s: %w", git.Short(commit), err)
	}
	file := evidenceFile(dir, commit)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("keep the evidence of %s: %w", git.Short(commit), err)
	}
	return durable.Write(file, append(text, '\n'))
}

// Evidence returns what the gates left on a commit of the integration branch of the plan
// in dir; nothing where none was kept.
func Evidence(dir, commit string) ([]loop.Result, error) {
	text, err := os.ReadFile(evidenceFile(dir, commit))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var out []loop.Result
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("read the evidence of %s: %w", git.Short(commit), err)
	}
	return out, nil
}

func (r *run) keepLandingEvidence(ctx context.Context, t plan.TaskState, got engine.Integrated) error {
	results, err := r.landedOn(ctx, t, got)
	if err != nil {
		return err
	}
	return keepEvidence(r.Dir(r.lease.ID()), got.Commit, results)
}

// landedOn are the results that let a task land: of the merge where one was made,
// else of its loop, or of the plan that was run in its place.
func (r *run) landedOn(ctx context.Context, t plan.TaskState, got engine.Integrated) ([]loop.Result, error) {
	switch {
	case len(got.Results) > 0:
		return got.Results, nil
	case t.Child:
		return Evidence(r.Dir(t.Loop), got.Commit)
	}
	l, err := r.Loops.Show(ctx, t.Loop)
	return newest(l.State), err
}

// newest are the results of a loop's last round of gates, which was the first
// where nothing had to be done.
func newest(s loop.State) []loop.Result {
	if last := s.Last(); last != nil {
		return last.Results
	}
	return s.BaseResults
}

// measured leaves out the words of other reviewers, or people: a reviewer does
// not see them.
func measured(all []loop.Result) (out []loop.Result) {
	for _, r := range all {
		if r.Kind != loop.KindReview && r.Kind != loop.KindHuman {
			out = append(out, r)
		}
	}
	return out
}
