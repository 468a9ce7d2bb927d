package planner

import (
	"context"
	"path/filepath"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// open reads the file and prepares the run to continue.
func (r *run) open(ctx context.Context, o engine.Options) error {
	if r.anew != "" {
		if err := r.commit(ctx, plan.Noted{Stamp: r.stamp(), Text: r.anew}); err != nil {
			return err
		}
	}
	if o.Fresh {
		if err := r.forget(ctx, o.Kept); err != nil {
			return err
		}
	}
	r.doc = newDocument(r.spec.File, filepath.Join(r.Dir(r.lease.ID()), "plan"))
	durable.RemoveTemporary(r.doc.path)
	durable.RemoveTemporary(r.doc.keep)
	r.doc.only = r.spec.Rules.Only
	read, err := r.doc.read()
	if err != nil {
		return err
	}
	if r.graph, err = r.doc.plan.Graph(); err != nil {
		return err
	}
	for i, t := range r.doc.plan.Tasks {
		read.Tasks[i].More = r.innerOpen(ctx, r.spec, t)
	}
	r.doc.unarchive = o.Fresh && r.doc.plan.Status == plan.PlanArchived
	read.Stamp = r.stamp()
	if err := r.commitRead(ctx, read); err != nil {
		return err
	}
	if r.asked {
		r.state.Rules.Only = r.spec.Rules.Only
	}
	r.doc.only = r.state.Rules.Only
	r.noteProposed()
	r.lost = r.lostText(ctx)
	if s := r.state.Status; s.Terminal() || s == loop.Paused || r.state.PauseAsked {
		if err := r.commit(ctx, plan.Resumed{Stamp: r.stamp(), Retry: o.Retry || s.Terminal(), Wanted: r.doc.plan.WantedIDs(r.state.Rules.Only)}); err != nil {
			return err
		}
	}
	if r.state.Status.Terminal() {
		return nil // nothing is left to do
	}
	opened := plan.Opened{Stamp: r.stamp(), Owner: r.By, Place: r.drive.Place, Gap: r.gap}
	if err := r.commit(ctx, opened); err != nil {
		return err
	}
	// A new request may have named other reviewers.
	if (o.Now || r.asked) && len(r.state.ReviewHolds()) > 0 {
		if err := r.commit(ctx, plan.Woken{Stamp: r.stamp(), By: r.By}); err != nil {
			return err
		}
	}
	return r.syncBranchAfter(ctx, opened)
}
