package planner

import (
	"context"
	"errors"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// The policies for questions that nobody answers.
const (
	takeDefault = "default"
	failTask    = "fail"
)

// byPolicy is who answers where nobody does.
const byPolicy = "policy"

// expects says whether a question is open that the policy will settle: the run
// does not rest before.
func (r *run) expects() bool {
	if r.spec.Unattended.Policy != takeDefault && r.spec.Unattended.Policy != failTask || r.state.Status.Terminal() || r.state.PauseAsked {
		return false
	}
	if r.settles(r.state.OpenQuestion()) {
		return true
	}
	for _, t := range r.state.Tasks {
		if t.Status == plan.Running && t.Rests == loop.ForHuman {
			return true
		}
	}
	return false
}

// settles: with the policy default a question without one still waits.
func (r *run) settles(q *loop.Question) bool {
	return q != nil && (q.Default != "" || r.spec.Unattended.Policy == failTask)
}

// unattended settles questions whose time is over.
func (r *run) unattended(ctx context.Context) error {
	if !r.expects() {
		return nil
	}
	if q := r.state.OpenQuestion(); r.settles(q) && r.overdue(q) {
		text := q.Default
		if r.spec.Unattended.Policy == failTask {
			text = failing(*q)
		}
		return r.apply(ctx, plan.Answered{Stamp: r.stamp(), Text: text, By: byPolicy})
	}
	for _, t := range r.state.Tasks {
		if t.Status != plan.Running || t.Rests != loop.ForHuman {
			continue
		}
		if err := r.settleLoop(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// failing is the answer that means no: the last option.
func failing(q loop.Question) string {
	if n := len(q.Options); n > 0 {
		return q.Options[n-1]
	}
	return "fail"
}

func (r *run) overdue(q *loop.Question) bool {
	return r.Now().Sub(q.AskedAt) >= r.spec.Unattended.After
}

// settleLoop answers the question of a task's loop, or ends the loop.
func (r *run) settleLoop(ctx context.Context, t plan.TaskState) error {
	l, err := r.Engine.Show(ctx, t.Loop)
	if err != nil {
		return err
	}
	q := l.State.Open()
	if q == nil || !r.overdue(q) {
		return nil
	}
	c := engine.Command{Kind: engine.Answer, Text: q.Default, By: byPolicy}
	if r.spec.Unattended.Policy == failTask || q.Default == "" {
		c = engine.Command{Kind: engine.Abort, Text: "its question was not answered within " + r.spec.Unattended.After.Round(time.Second).String(), By: byPolicy}
	}
	_, err = r.Engine.Send(ctx, t.Loop, c)
	if errors.Is(err, engine.ErrEnded) {
		return nil
	}
	return err
}
