package planner

import (
	"context"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// open reads the file and brings the run to where it can go on.
func (r *run) open(ctx context.Context, o engine.Options) error {
	if o.Fresh {
		if err := r.forget(ctx, o.Kept); err != nil {
			return err
		}
	}
	r.book = newBook(r.spec.File, filepath.Join(r.lease.Dir(), "plan"))
	r.book.only = r.spec.Rules.Only
	read, err := r.book.read()
	if err != nil {
		return err
	}
	if r.graph, err = r.book.plan.Graph(); err != nil {
		return err
	}
	for i, t := range r.book.plan.Tasks {
		read.Tasks[i].More = InnerOpen(r.spec.File, t)
	}
	r.book.unarchive = o.Fresh && r.book.plan.Status == plan.PlanArchived
	read.Stamp = r.stamp()
	if err := r.takeIn(ctx, read); err != nil {
		return err
	}
	if r.asked {
		r.state.Rules.Only = r.spec.Rules.Only
	}
	r.book.only = r.state.Rules.Only
	r.offer()
	r.lost = r.lostWords(ctx)
	if s := r.state.Status; s.Terminal() || s == loop.Paused || r.state.PauseAsked {
		if err := r.apply(ctx, plan.Resumed{Stamp: r.stamp(), Retry: o.Retry || s.Terminal()}); err != nil {
			return err
		}
	}
	if r.state.Status.Terminal() {
		return nil // nothing is left to do
	}
	opened := plan.Opened{Stamp: r.stamp(), Owner: r.By}
	if err := r.apply(ctx, opened); err != nil {
		return err
	}
	// Who asks for the run anew may have named other reviewers.
	if (o.Now || r.asked) && len(r.state.ReviewHolds()) > 0 {
		if err := r.apply(ctx, plan.Woken{Stamp: r.stamp(), By: r.By}); err != nil {
			return err
		}
	}
	return r.keepBranch(ctx, opened)
}
