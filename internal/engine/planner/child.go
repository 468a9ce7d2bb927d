package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A task may name a plan that is run in its place (seed 001's hierarchical
// pattern): with a lease, a budget of attempts and an integration branch of its
// own, which lands on the parent's as the commits of a loop do.

// ChildFile is the plan that a task names, relative to the file of its own.
func ChildFile(parent, name string) (string, error) {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(parent), path)
	}
	return filepath.EvalSymlinks(path)
}

// childID names the plan of a task, also one whose file cannot be found: that is
// said when it is to be run.
func (r *run) childID(task plan.Task) string {
	path, err := ChildFile(r.spec.File, task.SubPlan)
	if err != nil {
		path = filepath.Join(filepath.Dir(r.spec.File), task.SubPlan)
	}
	return PlanID(path)
}

// runChild runs the plan of a task until it stops by itself.
func (r *run) runChild(t plan.TaskState, f *flight) hand {
	task, _ := r.book.task(t.ID)
	drive := engine.PlanDrive{Watch: r.drive.Watch, Loop: r.watch(t.ID), Stops: f.stops}
	return func(ctx context.Context) ([]plan.Event, error) {
		spec, err := r.childSpec(ctx, t, task)
		if err != nil {
			return nil, fmt.Errorf("task %s is a plan of its own: %w", t.ID, err)
		}
		fresh, err := r.beginsAnew(ctx, spec)
		if err != nil {
			return nil, err
		}
		s, err := r.runPlan(ctx, spec, engine.PlanOptions{Force: r.force, Fresh: fresh}, drive, f)
		if err != nil {
			return nil, err
		}
		done := plan.Stopped{Stamp: r.stamp(), Task: t.ID, Loop: t.Loop, Status: s.Status, Reason: s.Reason, Message: s.Message, Progress: s.Tip != s.Base}
		if s.Tip != s.Base {
			done.Commit = s.Tip
		}
		return []plan.Event{done}, nil
	}
}

// runPlan waits where somebody else runs the plan: it is worth waiting for.
func (r *run) runPlan(ctx context.Context, spec engine.PlanSpec, o engine.PlanOptions, drive engine.PlanDrive, f *flight) (plan.State, error) {
	for {
		s, err := r.RunPlan(ctx, spec, o, drive)
		if !errors.Is(err, engine.ErrPlanRunning) {
			return s, err
		}
		select {
		case <-time.After(retryAfter):
		case <-f.stops:
			return plan.State{ID: spec.ID, Status: loop.Paused, Message: "somebody else runs it"}, nil
		case <-ctx.Done():
			return plan.State{}, context.Cause(ctx)
		}
	}
}

// beginsAnew: the child was run before, and not from what the task builds on. Where
// it holds nothing that the task's base has not, it begins anew; else a person is
// to say what becomes of that work.
func (r *run) beginsAnew(ctx context.Context, spec engine.PlanSpec) (bool, error) {
	rec, err := r.Store.Plan(ctx, spec.ID)
	if errors.Is(situation(err), engine.ErrNoPlan) {
		return false, nil
	}
	if err != nil || rec.Live {
		return false, err
	}
	tip := rec.State.Tip
	if on, err := r.Repo.IsAncestor(ctx, spec.Base, tip); err != nil || on {
		return false, err
	}
	if in, err := r.Repo.IsAncestor(ctx, tip, spec.Base); err != nil || in {
		return in, err
	}
	return false, fmt.Errorf("plan %s was run by itself, and what landed there is not in what this task builds on: "+
		"ralph accept %s, or begin it anew with ralph run %s --fresh", spec.ID, spec.ID, spec.File)
}

// childSpec is what the child is asked for: what the parent was, for another
// file, from where the task begins. A plan that is its own ancestor is refused.
func (r *run) childSpec(ctx context.Context, t plan.TaskState, task plan.Task) (engine.PlanSpec, error) {
	path, err := ChildFile(r.spec.File, task.SubPlan)
	if err != nil {
		return engine.PlanSpec{}, err
	}
	spec := r.spec
	spec.ID, spec.File, spec.Base = t.Loop, path, t.From
	spec.Ancestors = append(slices.Clone(r.spec.Ancestors), r.spec.ID)
	if slices.Contains(spec.Ancestors, spec.ID) {
		return engine.PlanSpec{}, fmt.Errorf("%s contains itself", task.SubPlan)
	}
	b := newBook(path, "")
	if err := b.load(); err != nil {
		return engine.PlanSpec{}, err
	}
	spec.Rules.Only, spec.Rules.Attempts, spec.Rules.Chunks = nil, 0, b.plan.Sectioned
	spec.Commands, _, err = r.Accepted(ctx, spec.ID, b.plan, spec.Task.Prefix, spec.Trust)
	return spec, err
}

// childGoesOn: the child need not rest any more. It has ended, somebody runs it,
// or all that it asked is answered.
func (p *Planner) childGoesOn(ctx context.Context, id string) (bool, error) {
	rec, err := p.Store.Plan(ctx, id)
	if err != nil || rec.Live || rec.State.Status.Terminal() {
		return err == nil, err
	}
	if rec.State.OpenQuestion() != nil || rec.State.Status == loop.Paused {
		return false, nil
	}
	for _, s := range sleepersOf(rec.State) {
		goes, err := p.goesOn(ctx, s)
		if err != nil || goes {
			return goes, err
		}
	}
	return len(sleepersOf(rec.State)) == 0, nil
}
