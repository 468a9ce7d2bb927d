package planner

import (
	"context"
	"path/filepath"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// open reads the file and brings the run to where it can go on.
func (r *run) open(ctx context.Context, o engine.PlanOptions) error {
	if o.Fresh {
		again := plan.Begin(r.state.ID, r.spec.File, r.state.Title, r.state.Branch, r.spec.Base, r.spec.Rules)
		if err := r.forget(ctx, again); err != nil {
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
	return r.keepBranch(ctx, opened)
}

// forget begins anew, with a branch of its own: the old one is kept aside.
func (r *run) forget(ctx context.Context, again plan.State) error {
	tip, err := r.Repo.RefCommit(ctx, "refs/heads/"+r.state.Branch)
	aside := ""
	if err == nil && tip != "" {
		aside = "archive/" + r.state.Branch + "-" + r.Now().UTC().Format("20060102-150405")
		if err := r.Repo.ArchiveBranch(ctx, r.state.Branch, aside); err != nil {
			return err
		}
	}
	if r.state.Accepted == "" {
		again.Tasks = undone(r.state.Tasks)
	}
	if err := r.lease.Commit(ctx, again, nil); err != nil {
		return err
	}
	r.state = again
	if tip != "" {
		return r.apply(ctx, plan.Noted{Stamp: r.stamp(), Text: "begun anew; what landed before is kept on " + aside})
	}
	return nil
}

// undone are the tasks whose work goes aside: their ticks in the file are ours,
// and say nothing any more.
func undone(tasks []plan.TaskState) []plan.TaskState {
	var out []plan.TaskState
	for _, t := range tasks {
		if t.Proved() && !t.Gone {
			out = append(out, plan.TaskState{ID: t.ID, Title: t.Title, Digest: t.Digest, Status: plan.Pending, Insist: true})
		}
	}
	return out
}
