package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// startChild chooses the plan that is run in place of a task, and its budget of
// attempts: its share where a number was given for all, no more than a plan of
// its size has by itself; else a budget of its own. A file that cannot be read
// is reported when it is to be run.
func (r *run) startChild(ctx context.Context, a plan.Action, task plan.Task) error {
	c, err := r.childOf(r.spec, task)
	e := plan.Started{Stamp: r.stamp(), Task: a.Task, Loop: c.id, From: r.state.Tip, Most: a.Most, Child: true}
	own := 0
	if err == nil {
		e.Began, e.Mark, err = r.madeBefore(ctx, a.Task, engine.PlanSpec{ID: e.Loop, File: c.path, Base: e.From})
		own = r.usualBudget(c, append(slices.Clone(r.spec.Ancestors), r.spec.ID))
	}
	switch {
	case a.Most == 0:
		e.Most = max(own-e.Began, 0)
	case own > 0:
		e.Most = min(a.Most, own)
	}
	if err != nil {
		e.Began = 0
	}
	return r.commit(ctx, e)
}

// adoptChild decides how the plan in a task's place is run. It begins anew where it
// was with its parent; and where it was run before and misses what the task
// builds on: with what it has done where the task's base has that, without
// where it was run for this plan. Else a person decides about that work.
func (r *run) adoptChild(ctx context.Context, task string, spec engine.PlanSpec) (o engine.Options, err error) {
	o.Force, o.Now = r.force, r.now
	rec, err := r.Store.Read(ctx, spec.ID)
	if errors.Is(err, engine.ErrNotFound) {
		return o, nil
	}
	if err != nil || rec.Live {
		return o, err
	}
	if o.Fresh = forgotten(rec.State); o.Fresh {
		return o, nil
	}
	tip := rec.State.Tip
	if err := r.fetchLanded(ctx, rec.State); err != nil {
		return o, err
	}
	if o.Fresh, err = r.misses(ctx, task, tip); err != nil || !o.Fresh {
		return o, err
	}
	if o.Kept, err = r.Repo.IsAncestor(ctx, tip, spec.Base); err != nil || o.Kept {
		return o, err
	}
	before, err := specOf(rec)
	if err != nil || slices.Contains(before.Ancestors, r.spec.ID) {
		return o, err
	}
	return o, fmt.Errorf("plan %s was run by itself, and what landed there is not in what this task builds on: "+
		"%s, then %s", spec.ID, next.Accept(spec.ID), next.Run(r.spec.File, "--fresh"))
}

// misses reports whether a commit lacks the base of a task: the commit at which
// its plan began and the landed tasks that it needs. Other landed work meets it
// when it lands itself.
func (r *run) misses(ctx context.Context, task, commit string) (bool, error) {
	ground := []string{r.state.Base}
	for _, id := range r.graph.Needs(task) {
		if t := r.state.Task(id); t != nil && t.Landed != "" {
			ground = append(ground, t.Landed)
		}
	}
	for _, c := range ground {
		if in, err := r.Repo.IsAncestor(ctx, c, commit); err != nil || !in {
			return true, err
		}
	}
	return false, nil
}

// usualBudget returns the attempts that a plan may make where no number is given, with the
// plans in its tasks' places; 0 where it is its own ancestor, which ends it at once.
func (r *run) usualBudget(c child, above []string) int {
	if slices.Contains(above, c.id) {
		return 0
	}
	n := plan.UsualBudget(len(c.plan.Tasks), plan.Rules{PerTask: r.spec.Rules.PerTask, Chunks: c.plan.Sectioned}.Patience())
	for _, t := range c.plan.Tasks {
		if t.SubPlan == "" {
			continue
		}
		if inner, err := r.childOf(engine.PlanSpec{File: c.path, Text: c.frozen.Text, Inner: c.frozen.Inner}, t); err == nil {
			n += r.usualBudget(inner, append(slices.Clone(above), c.id))
		}
	}
	return n
}

// madeBefore returns the number of attempts of a child that is resumed, and its
// newest event; one that has ended, or begins anew, counts from zero.
func (r *run) madeBefore(ctx context.Context, task string, spec engine.PlanSpec) (attempts int, mark int64, err error) {
	rec, err := r.Store.Read(ctx, spec.ID)
	if errors.Is(err, engine.ErrNotFound) {
		return 0, 0, nil
	}
	if err != nil || rec.State.Status.Terminal() {
		return 0, rec.Seq, err
	}
	how, err := r.adoptChild(ctx, task, spec)
	if how.Fresh || err != nil {
		return 0, rec.Seq, err
	}
	return rec.State.Attempts, rec.Seq, nil
}
