package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Accept brings the integration branch home. It was proved as a whole: where
// the branch that is checked out has moved meanwhile, the merge must pass too.
// Of a plan that has ended short of its goal, partly brings home what landed:
// each task of it passed its gates.
func (p *Planner) Accept(ctx context.Context, id string, o engine.AcceptOptions) (engine.Accepted, error) {
	r, err := p.Store.Plan(ctx, id)
	if err != nil {
		return engine.Accepted{}, situation(err)
	}
	if s := r.State.Status; !s.Terminal() || s != loop.StatusPassed && !o.Partly {
		return engine.Accepted{}, fmt.Errorf("%w: it is %s", engine.ErrNotPassed, s)
	}
	if r.State.Tip == r.State.Base {
		return engine.Accepted{}, fmt.Errorf("%w: nothing was changed", engine.ErrNotPassed)
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
func (p *Planner) brought(ctx context.Context, s plan.State, done engine.Accepted) (err error) {
	lease, err := p.take(ctx, s, nil, false)
	if err != nil {
		return situation(err)
	}
	defer func() { err = errors.Join(err, p.letGo(ctx, lease)) }()
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
func (p *Planner) onto(ctx context.Context, s plan.State, commit string) (engine.Integrated, error) {
	if ahead, err := p.Repo.IsAncestor(ctx, commit, s.Tip); err != nil || ahead {
		return engine.Integrated{Commit: s.Tip, FastForward: true}, err
	}
	if has, err := p.Repo.IsAncestor(ctx, s.Tip, commit); err != nil || has {
		return engine.Integrated{Commit: commit, FastForward: true}, err
	}
	judge, err := p.judgeOf(ctx, s)
	if err != nil {
		return engine.Integrated{}, err
	}
	merged, err := p.Repo.Merge(ctx, commit, s.Tip, git.Message{Text: "Merge the plan " + s.Title, Time: p.Now()})
	if err != nil {
		return engine.Integrated{}, err
	}
	got, err := p.Engine.Judge(ctx, judge, merged.Commit)
	return engine.Integrated{Commit: merged.Commit, Results: got}, err
}

// judgeOf is the loop that landed last: its gates judge what the plan is merged
// with. Where a plan landed in a task's place, it is that plan's.
func (p *Planner) judgeOf(ctx context.Context, s plan.State) (string, error) {
	for _, t := range slices.Backward(s.Tasks) {
		switch {
		case t.Landed != s.Tip || t.Loop == "":
		case t.Child:
			inner, err := p.Store.Plan(ctx, t.Loop)
			if err != nil {
				return "", situation(err)
			}
			return p.judgeOf(ctx, inner.State)
		default:
			return t.Loop, nil
		}
	}
	return "", errors.New("the branch that is checked out has moved on, and no loop is left to judge the merge: rebase it by hand")
}
