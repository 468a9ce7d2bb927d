package planner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// planFileName is where an agent writes how a task is to be done. It is on a
// branch of its own, which never lands.
const planFileName = "RALPH_TASK_PLAN.md"

// agreedFile is the copy of what a loop wrote that a person reads, edits and
// approves.
func (r *run) agreedFile(loop string) string {
	return filepath.Join(r.lease.Dir(), "agreed", loop+".md")
}

// planning chooses the loop that writes how a task is to be done, where a person
// is to agree before it begins.
func (r *run) planning(ctx context.Context, a plan.Action) error {
	id, err := r.loopID(ctx, a.Task, "-plan", r.state.Task(a.Task).Tries+1)
	if err != nil {
		return err
	}
	return r.apply(ctx, plan.Planning{Stamp: r.stamp(), Task: a.Task, Loop: id, From: r.state.Tip, Most: a.Most})
}

// writePlan lets the task's agent write how it will do the task.
func (r *run) writePlan(t plan.TaskState, f *flight) hand {
	spec := r.taskSpec(t)
	task, _ := r.book.task(t.ID)
	spec.Task.Text = fmt.Sprintf("Do not do the task yet. Read what you need, ask what is unclear (ralph ask), and write into %s how you will do it: "+
		"the steps, the files, the tests, the risks. Change no other file. A person reads it before the work begins. The task:\n\n%s", planFileName, words(task))
	spec.Gates = []loop.Gate{{
		Name: "plan-written", Kind: loop.KindCommand, Level: loop.Hard, Parse: "exit",
		Run: "test -s " + planFileName, Timeout: loop.GateTimeout(loop.KindLint),
	}}
	spec.Task.Criteria, spec.Task.Plan.OutputFile = nil, planFileName
	file := r.agreedFile(t.Loop)
	return func(ctx context.Context) ([]plan.Event, error) {
		s, err := r.runLoop(ctx, spec, t.ID, f)
		if err != nil {
			return nil, err
		}
		done := r.stopped(t.ID, s)
		if s.Status == loop.StatusPassed {
			text, err := r.Repo.FileAt(ctx, s.Commit, planFileName)
			if err != nil {
				return nil, fmt.Errorf("read the plan of %s: %w", t.ID, err)
			}
			if err := engine.WriteDurably(file, text); err != nil {
				return nil, fmt.Errorf("keep the plan of %s: %w", t.ID, err)
			}
			done.Output = "it stands in " + file + ", which may be edited"
		}
		return []plan.Event{done}, nil
	}
}

// agreed is how a person wants the task to be done; empty where nobody was asked.
func (r *run) agreed(t plan.TaskState) string {
	if t.Agreed == "" {
		return ""
	}
	text, err := os.ReadFile(r.agreedFile(t.Agreed))
	if err != nil {
		return ""
	}
	return cut(string(text), mostPage)
}
