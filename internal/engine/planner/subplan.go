package planner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A task may name a plan that is run in its place (seed 001's hierarchical
// pattern): with a lease, a budget of attempts and an integration branch of its
// own, which lands on the parent's as the commits of a loop do.

// runChild runs the plan of a task until it stops by itself.
func (r *run) runChild(t plan.TaskState, f *job) jobFunc {
	task, _ := r.doc.task(t.ID)
	f.child = true
	watch := r.watch(f)
	drive := engine.Drive{Watch: func(u engine.Update) { r.began(f); watch(u) }, Stops: f.stops, Drives: r.drive.Drives}
	return func(ctx context.Context) ([]plan.Event, error) {
		spec, err := r.childSpec(ctx, t, task)
		if err != nil {
			return nil, fmt.Errorf("task %s is a plan of its own: %w", t.ID, err)
		}
		s, err := r.runPlan(ctx, t, spec, drive, f)
		if err != nil {
			return nil, err
		}
		done := plan.Stopped{Stamp: r.stamp(), Task: t.ID, Loop: t.Loop, Status: s.Status, Reason: endOfChild(s), Message: s.Message, Progress: s.Tip != s.Base, Concerns: plan.Codes(s.Concerns())}
		if done.Attempts = s.Attempts - t.Began; done.Attempts < 0 { // it began anew
			done.Attempts = s.Attempts
		}
		if s.Tip != s.Base {
			done.Commit = s.Tip
		}
		return []plan.Event{done}, nil
	}
}

// endOfChild is why the child ended, to its parent. One that made all attempts
// it was given is like a loop that did: a budget which binds the parent too is
// spent only where a loop reports it.
func endOfChild(s plan.State) loop.Reason {
	spent := func(t plan.TaskState) bool { return t.Status == plan.Failed && t.Reason == loop.Budget }
	if s.Status.Terminal() && s.Reason == loop.Budget && s.Attempts >= s.Budget() && !slices.ContainsFunc(s.Tasks, spent) {
		return loop.MaxAttempts
	}
	return s.Reason
}

// runPlan runs the plan of a task until it stops by itself, or waits for it where another
// process runs it.
func (r *run) runPlan(ctx context.Context, t plan.TaskState, spec engine.PlanSpec, drive engine.Drive, f *job) (s plan.State, err error) {
	var how engine.Options
	stop, err := r.reach(ctx, f, f.stops, func() (err error) { how, err = r.adoptChild(ctx, t.ID, spec); return err })
	for stop == 0 && err == nil {
		stop, err = r.reach(ctx, f, f.stops, func() (err error) { s, err = r.driveChild(ctx, spec, how, drive, t.Mark); return err })
		if stop == 0 && !errors.Is(err, engine.ErrRunning) {
			return s, err
		}
		if stop == 0 {
			stop, err = r.awaitChild(ctx, t.ID, spec.ID, f)
		}
	}
	if stop > 0 {
		return plan.State{ID: spec.ID, Status: loop.Paused, Message: beforeItBegan}, r.pauseChild(ctx, spec, stop)
	}
	return plan.State{}, err
}

// driveChild drives a plan in a task's place. One that has ended since the event mark, in any
// process, is not run again: that would be another budget.
func (r *run) driveChild(ctx context.Context, spec engine.PlanSpec, o engine.Options, drive engine.Drive, mark int64) (plan.State, error) {
	rec, err := r.Store.Read(ctx, spec.ID)
	if err == nil && !rec.Live && rec.State.Status.Terminal() && r.happened(ctx, rec, mark) {
		return rec.State, r.fetchLanded(ctx, rec.State)
	}
	o.TakeOver = r.mayTakeChild(ctx, spec.ID)
	return r.Start(ctx, spec, o, drive)
}

// awaitChild waits while another process runs the plan in a task's place, or until the job is
// to stop. It only reads the record: each try to acquire it costs a team's server more.
func (r *run) awaitChild(ctx context.Context, task, id string, f *job) (engine.Stop, error) {
	defer r.awaits.put(task, "")
	for {
		rec, err := r.Store.Read(ctx, id)
		if err != nil || !rec.Live || r.mayTakeChild(ctx, id) {
			return 0, nil //nolint:nilerr // the next try to drive it reports what is wrong
		}
		r.awaits.put(task, r.heldBy(id, rec.Owner))
		if stop, err := f.wait(ctx, f.stops, retryAfter); stop > 0 || err != nil {
			return stop, err
		}
	}
}

// childSpec returns the request for the child: from where the task begins, with
// the commands that a person has accepted or, where plans are trusted, was
// shown.
func (r *run) childSpec(ctx context.Context, t plan.TaskState, task plan.Task) (engine.PlanSpec, error) {
	c, err := r.childOf(r.spec, task)
	if err != nil {
		return engine.PlanSpec{}, err
	}
	spec, err := c.request(r.spec, task, t.From)
	if err != nil {
		return engine.PlanSpec{}, err
	}
	if spec.Rules.Attempts > 0 {
		spec.Rules.Attempts = t.Began + t.Most
	}
	if spec.Commands, _, err = r.Approved(ctx, spec.ID, c.plan, spec.Task.Prefix, false); err != nil {
		return spec, err
	}
	maps.Copy(spec.Commands, c.frozen.Commands)
	for _, command := range Proposals(c.plan) {
		if spec.Trust && slices.Contains(spec.Shown, command) {
			spec.Commands[command] = CommandGate(command, spec.Task.Prefix)
		}
	}
	return spec, nil
}

// ChildSpec returns the request for a plan in a task's place, but for its
// commands: its parent's, for another file, from the commit base. What the task says
// about its proof holds for the tasks of that plan. A plan that is its own ancestor
// is refused.
func ChildSpec(parent engine.PlanSpec, task plan.Task, path, base string, pl plan.Plan) (engine.PlanSpec, error) {
	return child{id: IDOf(path), path: path, plan: pl}.request(parent, task, base)
}

func (c child) request(parent engine.PlanSpec, task plan.Task, base string) (engine.PlanSpec, error) {
	spec := parent
	spec.Task = task.Permit(spec.Task, spec.ProofAsked)
	spec.ID, spec.File, spec.Base, spec.Commands = c.id, c.path, base, nil
	spec.Text, spec.Inner = c.frozen.Text, c.frozen.Inner
	spec.Ancestors = append(slices.Clone(parent.Ancestors), parent.ID)
	if slices.Contains(spec.Ancestors, spec.ID) {
		return engine.PlanSpec{}, fmt.Errorf("%s contains itself", filepath.Base(c.path))
	}
	spec.Rules.Only, spec.Rules.Flags, spec.Rules.Chunks = nil, nil, c.plan.Sectioned
	if spec.Rules.Gaps != nil && c.plan.GapRounds != nil {
		spec.Rules.Gaps = &plan.GapRules{Rounds: *c.plan.GapRounds}
	}
	return spec, nil
}

// childContinues reports whether the child need not rest any more: it has
// ended, another process runs it, or all its questions are answered.
func (p *Planner) childContinues(ctx context.Context, id string) (bool, error) {
	rec, err := p.Store.Read(ctx, id)
	if errors.Is(err, engine.ErrNotFound) { // it was paused before it began
		return false, nil
	}
	if err != nil || rec.State.Status.Terminal() || rec.Live && !resting(rec.State.Status, rec.State.Reason) {
		return err == nil, err
	}
	if rec.State.OpenQuestion() != nil || rec.State.Status == loop.Paused {
		return false, nil
	}
	for _, s := range restingOf(rec.State) {
		goes, err := p.continues(ctx, s)
		if err != nil || goes {
			return goes, err
		}
	}
	return len(restingOf(rec.State)) == 0, nil
}
