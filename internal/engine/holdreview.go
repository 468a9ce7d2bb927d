package engine

import (
	"context"

	"ralph/internal/loop"
	"ralph/internal/review"
	"ralph/internal/sandbox"
)

// HoldReviewer holds reviewers of the loop's work, more tightly than an agent:
// nothing of the repository is theirs to write, the tree that they look at
// included. What they leave there would meet the next reviewer.
func (w *Worker) HoldReviewer(s loop.State) func(context.Context, loop.Agent) (review.Cell, error) {
	return func(ctx context.Context, a loop.Agent) (review.Cell, error) {
		if a.Use == "api" { // asked by ralph itself: there is no process to hold
			return review.Cell{}, nil
		}
		p := sandbox.Profile{Visible: namedIn(a.Argv)}
		var own []string
		for name, value := range a.Env {
			own = append(own, name+"="+value)
			p.Visible = append(p.Visible, namedIn([]string{value})...)
		}
		p.Env = w.Env.Agent(own...)
		s.Agent = a
		cell, err := w.hold(ctx, s, p)
		if err != nil {
			return review.Cell{}, err
		}
		return review.Cell{Sandbox: cell.inside, By: cell.by, Env: overlay(p.Env, cell.env), Leave: cell.release}, nil
	}
}
