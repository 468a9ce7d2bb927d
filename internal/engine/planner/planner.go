package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// Planner runs the plans of one repository.
type Planner struct {
	Engine engine.Engine
	Store  *store.Store
	Repo   *git.Repo
	Now    func() time.Time
	// By is how this process is shown to others.
	By string
	// Views is the folder for what people read; empty: none.
	Views string
	// Hands makes the worker of a loop, whose drivers and environment reviewers
	// of a plan use too.
	Hands func(dir string) *engine.Worker
	// Fault is called at every point at which a crash must be survived.
	Fault func(point string)
}

var _ engine.Planner = (*Planner)(nil)

// RunPlan takes up the plan of a file.
func (p *Planner) RunPlan(ctx context.Context, spec engine.PlanSpec, o engine.PlanOptions, d engine.PlanDrive) (plan.State, error) {
	data, err := json.Marshal(spec)
	if err != nil {
		return plan.State{}, fmt.Errorf("record the plan: %w", err)
	}
	first := plan.Begin(spec.ID, spec.File, "", branch(spec.ID), spec.Base, spec.Rules)
	lease, err := p.take(ctx, first, data, o.TakeOver)
	if err != nil {
		return plan.State{}, situation(err)
	}
	defer lease.Release()
	return p.drive(ctx, lease, spec, o, d)
}

// ResumePlan goes on with a plan as it was begun.
func (p *Planner) ResumePlan(ctx context.Context, id string, o engine.PlanOptions, d engine.PlanDrive) (plan.State, error) {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return plan.State{}, situation(err)
	}
	spec, err := specOf(r)
	if err != nil {
		return r.State, err
	}
	lease, err := p.take(ctx, r.State, nil, o.TakeOver)
	if err != nil {
		return r.State, situation(err)
	}
	defer lease.Release()
	return p.drive(ctx, lease, spec, o, d)
}

// take gets the lease. A process that was killed while it started another one
// holds its lock until that one has become its program: an instant longer than
// it lived.
func (p *Planner) take(ctx context.Context, s plan.State, spec []byte, over bool) (*store.PlanLease, error) {
	const patience, pause = 5, 40 * time.Millisecond
	for n := 1; ; n++ {
		lease, err := p.Store.TakePlan(ctx, s, spec, over)
		if _, held := errors.AsType[*store.HeldError](err); !held || n == patience {
			return lease, err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func specOf(r store.PlanRecord) (engine.PlanSpec, error) {
	var spec engine.PlanSpec
	if err := json.Unmarshal(r.Spec, &spec); err != nil {
		return spec, fmt.Errorf("read what plan %s was asked for: %w", r.State.ID, err)
	}
	return spec, nil
}

// drive runs the plan under its lease.
func (p *Planner) drive(ctx context.Context, lease *store.PlanLease, spec engine.PlanSpec, o engine.PlanOptions, d engine.PlanDrive) (plan.State, error) {
	r := &run{
		Planner: p, lease: lease, spec: spec, drive: d, force: o.Force, state: lease.State(),
		flying: map[string]*flight{}, back: make(chan landing), touched: map[string][]string{}, failed: map[string]int{},
	}
	r.state.Rules = spec.Rules
	if err := r.open(ctx, o); err != nil {
		return r.state, situation(err)
	}
	err := r.crank(ctx)
	r.home()
	err = errors.Join(err, r.book.flush(context.WithoutCancel(ctx), &r.state, r.graph, true))
	if err == nil {
		err = r.archive(ctx)
	}
	return r.state, situation(err)
}

// open reads the file and brings the run to where it can go on.
func (r *run) open(ctx context.Context, o engine.PlanOptions) error {
	if o.Fresh {
		again := plan.Begin(r.state.ID, r.state.File, r.state.Title, r.state.Branch, r.spec.Base, r.spec.Rules)
		if err := r.forget(ctx, again); err != nil {
			return err
		}
	}
	r.book = newBook(r.spec.File, filepath.Join(r.lease.Dir(), "plan"))
	read, err := r.book.read()
	if err != nil {
		return err
	}
	if r.graph, err = r.book.plan.Graph(); err != nil {
		return err
	}
	read.Stamp = r.stamp()
	if err := r.apply(ctx, read); err != nil {
		return err
	}
	if s := r.state.Status; s.Terminal() || s == loop.Paused || r.state.PauseAsked {
		if err := r.apply(ctx, plan.Resumed{Stamp: r.stamp(), Retry: o.Retry || s.Terminal()}); err != nil {
			return err
		}
	}
	if r.state.Status.Terminal() {
		return nil // nothing is left to do
	}
	if err := r.apply(ctx, plan.Opened{Stamp: r.stamp(), Owner: r.By}); err != nil {
		return err
	}
	return r.keepBranch(ctx)
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
	if err := r.lease.Commit(ctx, again, nil); err != nil {
		return err
	}
	r.state = again
	if tip != "" {
		return r.apply(ctx, plan.Noted{Stamp: r.stamp(), Text: "begun anew; what landed before is kept on " + aside})
	}
	return nil
}

// stamp is the time of an event, without the process's own clock.
func (p *Planner) stamp() loop.Stamp { return loop.Stamp{At: p.Now().Round(0)} }

// branch is the integration branch of a plan.
func branch(id string) string { return "ralph/" + id + "/_landed" }

// syncBranch brings the integration branch to the tip that was recorded.
func (r *run) syncBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.state.Branch
	at, err := r.Repo.RefCommit(ctx, ref)
	switch {
	case err != nil:
		return err
	case at == "":
		return r.Repo.StartBranch(ctx, r.state.Branch, r.state.Tip)
	case at == r.state.Tip:
		return nil
	}
	behind, err := r.Repo.IsAncestor(ctx, at, r.state.Tip)
	if err != nil {
		return err
	}
	if !behind {
		return &movedError{r.state.Branch, at, r.state.Tip}
	}
	return r.Repo.UpdateRef(ctx, ref, r.state.Tip, at)
}

// movedError: the integration branch is not where the plan left it.
type movedError struct{ branch, at, left string }

func (e *movedError) Error() string {
	return fmt.Sprintf("branch %s was moved by somebody else: it stands at %s, the plan left it at %s; put it back (git branch -f %s %s) and run the plan again",
		e.branch, short(e.at), short(e.left), e.branch, short(e.left))
}

// situation gives the store's errors the names that faces know.
func situation(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrNoPlan):
		return fmt.Errorf("%w: %w", engine.ErrNoPlan, err)
	case errors.Is(err, os.ErrNotExist):
		return err
	}
	if _, ok := errors.AsType[*store.HeldError](err); ok {
		return fmt.Errorf("%w: %w", engine.ErrPlanRunning, err)
	}
	if _, ok := errors.AsType[*store.FencedError](err); ok {
		return fmt.Errorf("%w: %w", engine.ErrFenced, err)
	}
	return err
}
