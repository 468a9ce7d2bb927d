package planner

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// FindPlan resolves an id, a unique prefix of one, or the path of a plan's file.
func (p *Planner) FindPlan(ctx context.Context, name string) (string, error) {
	all, err := p.Store.Plans(ctx, true)
	if err != nil {
		return "", err
	}
	var fits []string
	for _, r := range all {
		switch {
		case r.State.ID == name, r.State.File == name:
			return r.State.ID, nil
		case strings.HasPrefix(r.State.ID, name) && name != "":
			fits = append(fits, r.State.ID)
		}
	}
	switch len(fits) {
	case 0:
		return "", fmt.Errorf("%w: %s", engine.ErrNoPlan, name)
	case 1:
		return fits[0], nil
	}
	return "", fmt.Errorf("%q could be %s", name, strings.Join(fits, ", "))
}

// ShowPlan is everything about one plan.
func (p *Planner) ShowPlan(ctx context.Context, id string) (engine.Plan, error) {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return engine.Plan{}, situation(err)
	}
	return shown(r)
}

func shown(r store.PlanRecord) (engine.Plan, error) {
	spec, err := specOf(r)
	if err != nil {
		return engine.Plan{}, err
	}
	b := newBook(r.State.File, filepath.Join(r.Dir, "plan"))
	_ = b.recall() // a plan whose file is gone is shown by its record
	return engine.Plan{
		State: r.State, Plan: b.plan, Spec: spec, Live: r.Live, Crashed: r.Crashed(), Archived: r.Archived,
		Owner: r.Owner.String(), Dir: r.Dir, Seq: r.Seq,
	}, nil
}

// Plans lists them, the newest first.
func (p *Planner) Plans(ctx context.Context, archived bool) ([]engine.Plan, error) {
	all, err := p.Store.Plans(ctx, archived)
	if err != nil {
		return nil, err
	}
	out := make([]engine.Plan, len(all))
	for i, r := range all {
		if out[i], err = shown(r); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// PlanEvents are those after a sequence number.
func (p *Planner) PlanEvents(ctx context.Context, id string, after int64) ([]engine.PlanRecord, error) {
	all, err := p.Store.PlanEvents(ctx, id, after)
	out := make([]engine.PlanRecord, len(all))
	for i, e := range all {
		out[i] = engine.PlanRecord(e)
	}
	return out, err
}

// ArchivePlan takes a plan that has ended out of sight.
func (p *Planner) ArchivePlan(ctx context.Context, id string) error {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return situation(err)
	}
	if !r.State.Status.Terminal() {
		return engine.ErrNotEnded
	}
	return p.Store.ArchivePlan(ctx, id, true)
}

// AcceptPlan brings the integration branch home. Of a plan that has ended short
// of its goal, partly brings home what landed: each task of it passed its gates. It was proved as a whole: where
// the branch that is checked out has moved meanwhile, the merge must pass too.
func (p *Planner) AcceptPlan(ctx context.Context, id string, partly bool) (engine.Accepted, error) {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return engine.Accepted{}, situation(err)
	}
	switch s := r.State.Status; {
	case !s.Terminal():
		return engine.Accepted{}, fmt.Errorf("%w: it is %s", engine.ErrNotComplete, s)
	case s != loop.StatusPassed && !partly:
		return engine.Accepted{}, fmt.Errorf("%w: it is %s", engine.ErrNotComplete, s)
	}
	if r.State.Tip == r.State.Base {
		return engine.Accepted{}, fmt.Errorf("%w: nothing was changed", engine.ErrNotComplete)
	}
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return engine.Accepted{}, err
	}
	if head.Branch == "" {
		return engine.Accepted{}, engine.ErrDetached
	}
	got, err := p.onto(ctx, r.State, head.Commit)
	if err != nil {
		return engine.Accepted{}, err
	}
	done := engine.Accepted{Branch: head.Branch, Commit: got.Commit, FastForward: got.FastForward, Already: got.Commit == head.Commit, Results: got.Results}
	if !done.Already {
		if err := p.Repo.AdvanceBranch(ctx, head.Branch, got.Commit, head.Commit); err != nil {
			return done, err
		}
	}
	return done, p.brought(ctx, r.State, done)
}

// brought records that the work is home. A plan that is realised is put away
// now.
func (p *Planner) brought(ctx context.Context, s plan.State, done engine.Accepted) error {
	lease, err := p.Store.TakePlan(ctx, s, nil, false)
	if err != nil {
		return situation(err)
	}
	defer lease.Release()
	e := plan.Accepted{Stamp: p.stamp(), Branch: done.Branch, Commit: done.Commit}
	next, err := plan.Apply(lease.State(), e)
	if err == nil {
		err = lease.Commit(ctx, next, []plan.Event{e})
	}
	if err != nil || !next.Complete() {
		return err
	}
	return p.Store.ArchivePlan(ctx, s.ID, true)
}

// onto brings the tip on top of a commit. The gates of the loop that landed last
// judge what is new.
func (p *Planner) onto(ctx context.Context, s plan.State, commit string) (engine.Brought, error) {
	if ahead, err := p.Repo.IsAncestor(ctx, commit, s.Tip); err != nil || ahead {
		return engine.Brought{Commit: s.Tip, FastForward: true}, err
	}
	if has, err := p.Repo.IsAncestor(ctx, s.Tip, commit); err != nil || has {
		return engine.Brought{Commit: commit, FastForward: true}, err
	}
	var last *plan.TaskState
	for i := range s.Tasks {
		if t := &s.Tasks[i]; t.Landed == s.Tip && t.Loop != "" {
			last = t
		}
	}
	if last == nil {
		return engine.Brought{}, errors.New("the branch that is checked out has moved on, and no loop is left to judge the merge: rebase it by hand")
	}
	merged, err := p.Repo.Merge(ctx, commit, s.Tip, git.Message{Text: "Merge the plan " + s.Title, Time: p.Now()})
	if err != nil {
		return engine.Brought{}, err
	}
	got, err := p.Engine.Judge(ctx, last.Loop, merged.Commit)
	return engine.Brought{Commit: merged.Commit, Results: got}, err
}
