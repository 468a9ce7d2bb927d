package planner

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// ReviewRequest asks for an opinion about work in a plan (seed 003's magi).
type ReviewRequest struct {
	Plan loop.InPlan
	// Task in focus; empty is the whole plan.
	Task     string
	Text     string
	Criteria []string
	// Base and Commit bound the work; Results are the evidence of its gates.
	Base, Commit string
	Results      []loop.Result
	// Author is the agent whose work it is: another one is preferred.
	Author loop.Agent
	// Dir is where the review's files go.
	Dir string
}

// Verdict is what reviewers said together.
type Verdict struct {
	plan.Review
	Findings []plan.Finding
	// Settled are texts of open findings that are none any more.
	Settled []string
}

// unreviewed is the verdict where nobody can be asked.
func unreviewed(task, commit string) Verdict {
	return Verdict{Review: plan.Review{Task: task, Commit: commit, Unreviewed: true, Reason: "no reviewer is configured"}}
}

// reviewTask reviews a chunk of work, whatever its gates said (seed 003).
func (r *run) reviewTask(a plan.Action) func(context.Context) ([]plan.Event, error) {
	t := *r.state.Task(a.Task)
	task, _ := r.book.task(t.ID)
	req := ReviewRequest{
		Plan: *r.inPlan(task, t), Task: t.ID, Text: words(task), Criteria: task.Criteria,
		Base: t.From, Commit: t.Commit, Author: r.taskSpec(t).Agent, Dir: r.lease.Dir(),
	}
	return func(ctx context.Context) ([]plan.Event, error) {
		l, err := r.Engine.Show(ctx, t.Loop)
		if err != nil {
			return nil, err
		}
		if last := l.State.Last(); last != nil {
			req.Results = last.Results
		}
		return r.ask(ctx, req)
	}
}

// reviewPlan reviews the whole on the integration branch.
func (r *run) reviewPlan() func(context.Context) ([]plan.Event, error) {
	req := ReviewRequest{
		Plan: loop.InPlan{Title: r.state.Title, Constraints: r.book.plan.Constraints, Page: cut(string(r.book.data), mostPage)},
		Text: "the whole plan", Base: r.state.Base, Commit: r.state.Tip, Author: r.spec.Task.Agent, Dir: r.lease.Dir(),
	}
	for _, f := range r.state.Open() {
		req.Plan.Open = append(req.Plan.Open, f.Text)
	}
	return func(ctx context.Context) ([]plan.Event, error) { return r.ask(ctx, req) }
}

func (r *run) ask(ctx context.Context, req ReviewRequest) ([]plan.Event, error) {
	v := unreviewed(req.Task, req.Commit)
	if r.Review != nil && req.Commit != "" {
		var err error
		if v, err = r.Review(ctx, req); err != nil {
			return nil, err
		}
	}
	v.Task, v.Commit, v.At = req.Task, req.Commit, r.stamp().At
	return []plan.Event{plan.Judged{Stamp: r.stamp(), Review: v.Review, Findings: v.Findings, Settled: v.Settled}}, nil
}
