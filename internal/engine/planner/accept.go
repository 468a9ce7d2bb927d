package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// statusWords are the words of an error for a status.
func statusWords(s loop.Status) string {
	if s.Terminal() {
		return "ended as " + string(s)
	}
	return "is " + string(s)
}

// Accept merges the integration branch. It was proved as a whole: where the
// branch that is checked out has moved meanwhile, the merge must pass too. Of
// a plan that has ended short of its goal, partly merges the landed tasks:
// each of them passed its gates.
func (p *Planner) Accept(ctx context.Context, id string, o engine.AcceptOptions) (done engine.Accepted, err error) {
	r, err := p.Store.Read(ctx, id)
	if err != nil {
		return engine.Accepted{}, err
	}
	if r.Damage != "" {
		return engine.Accepted{}, damaged(r)
	}
	if s := r.State.Status; !s.Terminal() || s != loop.StatusPassed && !o.Partly {
		return engine.Accepted{}, fmt.Errorf("%w; plan %s %s", engine.ErrNotPassed, id, statusWords(s))
	}
	if r.State.Tip == r.State.Base {
		return engine.Accepted{}, fmt.Errorf("%w: nothing was changed", engine.ErrNotPassed)
	}
	// Acquiring it compares the whole journal, before anything is merged.
	lease, err := p.acquire(ctx, r.State, nil, false)
	if err != nil {
		return engine.Accepted{}, err
	}
	defer func() { err = errors.Join(err, p.release(ctx, lease)) }()
	r.State = lease.State()
	if err := o.Holds(r.State.Tip); err != nil {
		return engine.Accepted{}, err
	}
	if err := p.founded(ctx, r.State); err != nil {
		return engine.Accepted{}, err
	}
	if p.Elsewhere != nil {
		if err := p.Elsewhere.Fetch(ctx, r.State); err != nil {
			return engine.Accepted{}, err
		}
		if err := p.writeBack(ctx, r, lease); err != nil {
			return engine.Accepted{}, err
		}
		r.State = lease.State()
	}
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return engine.Accepted{}, err
	}
	if head.Branch == "" {
		return engine.Accepted{}, engine.ErrDetached
	}
	done, err = p.merge(ctx, r, head, o)
	if met, ok := errors.AsType[*engine.ConflictError](err); ok {
		err = errors.Join(err, p.recordConflict(ctx, lease, met.Clash))
	}
	if err != nil {
		return done, err
	}
	if !done.Already || r.State.Accepted == "" {
		if err := p.loopsMerged(ctx, r.State, done); err != nil {
			return done, err
		}
		if err := p.recordAccepted(ctx, lease, done); err != nil {
			return done, err
		}
	}
	if r.Archived { // acquiring it has brought it back into lists
		if err := p.Store.Archive(ctx, id); err != nil {
			return done, err
		}
	}
	if o.KeepBranches {
		return done, nil
	}
	done.Stays = p.dropBranches(ctx, r.State, done.Commit)
	return done, nil
}

// founded refuses a plan with landed work whose loop has not passed. Loops that were
// removed meanwhile are not compared, nor one that changed nothing: a person accepted
// what an earlier loop had landed.
func (p *Planner) founded(ctx context.Context, s plan.State) error {
	for _, t := range s.Tasks {
		if t.Landed == "" || t.Loop == "" || t.Child || t.Commit == t.From {
			continue
		}
		l, err := p.Engine.Show(ctx, t.Loop)
		if errors.Is(err, engine.ErrNotFound) {
			continue
		}
		if err == nil {
			err = l.State.Founded()
		}
		if err != nil {
			return fmt.Errorf("plan %s: %w: task %s landed, and loop %s: %w", s.ID, engine.ErrDamaged, t.ID, t.Loop, err)
		}
	}
	return nil
}

// merge brings the landed work, and the progress in the plan's file, to the branch that
// is checked out.
func (p *Planner) merge(ctx context.Context, r storedPlan, head git.Head, o engine.AcceptOptions) (engine.Accepted, error) {
	done := engine.Accepted{Branch: head.Branch, Commit: head.Commit, Already: true}
	if a := r.State.Accepted; a != "" {
		if has, err := p.Repo.IsAncestor(ctx, a, head.Commit); has || err != nil {
			return done, err
		}
	}
	got, err := p.integratePlan(ctx, r.State, head.Commit)
	if met, ok := errors.AsType[git.ErrConflict](err); ok {
		c := loop.NewClash(head.Branch, head.Commit, r.State.Tip, met.Paths)
		err = &engine.ConflictError{Run: r.State.ID, Plan: true, Branch: r.State.Branch, Clash: c}
	} else if red, ok := errors.AsType[*engine.NotGreenError](err); ok {
		err = &engine.ConflictError{Run: r.State.ID, Plan: true, Branch: r.State.Branch, Clash: red.Clash(head.Branch, head.Commit, r.State.Tip), Red: red}
	}
	if err != nil {
		return done, err
	}
	done.Results, done.Already = got.Results, got.Commit == head.Commit
	m := git.Message{
		Text: cmp.Or(r.State.Title, r.State.ID) + landedTasks(r.State), Time: p.Now(),
		Trailers: []git.Trailer{{Key: git.PlanTrailer, Value: r.State.ID}},
	}
	if done.Commit, err = p.shaped(ctx, r, o.Strategy, head.Commit, got.Commit, m); err != nil {
		return done, err
	}
	done.FastForward = got.FastForward && done.Commit == got.Commit
	if done.Commit == head.Commit {
		return done, nil
	}
	return done, p.Repo.AdvanceBranch(ctx, head.Branch, done.Commit, head.Commit)
}

// shaped returns the commit with which the merged work enters the branch at head, with
// the progress in the plan's file: in the one commit of a squash, else as the last one.
func (p *Planner) shaped(ctx context.Context, r storedPlan, s engine.Strategy, head, merged string, m git.Message) (string, error) {
	if s == engine.SquashWork {
		whole, err := p.withProgress(ctx, r, head, merged)
		if err != nil {
			return "", err
		}
		return p.Repo.Shape(ctx, git.SquashWork, head, r.State.Tip, whole, m)
	}
	commit, err := p.Repo.Shape(ctx, git.Strategy(s), head, r.State.Tip, merged, m)
	if err != nil {
		return "", err
	}
	return p.withProgress(ctx, r, head, commit)
}

// landedTasks lists the tasks of a plan that landed, for the message of one commit.
func landedTasks(s plan.State) string {
	var b strings.Builder
	for _, t := range s.Tasks {
		if t.Landed != "" {
			name := t.ID
			if t.Title != t.ID {
				name = strings.TrimSpace(t.ID + " " + t.Title)
			}
			b.WriteString("\n- " + name)
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n" + b.String()
}

// integratePlan brings the tip on top of a commit. The gates of the loop that landed
// last judge the result.
func (p *Planner) integratePlan(ctx context.Context, s plan.State, commit string) (engine.Integrated, error) {
	if ahead, err := p.Repo.IsAncestor(ctx, commit, s.Tip); err != nil || ahead {
		return engine.Integrated{Commit: s.Tip, FastForward: true}, err
	}
	if has, err := p.Repo.IsAncestor(ctx, s.Tip, commit); err != nil || has {
		return engine.Integrated{Commit: commit, FastForward: true}, err
	}
	id, err := p.lastLanded(ctx, s)
	if err != nil {
		return engine.Integrated{}, err
	}
	merged, err := p.Repo.Merge(ctx, commit, s.Tip, git.Message{Text: "Merge the plan " + s.Title, Time: p.Now()})
	if err != nil {
		return engine.Integrated{}, err
	}
	got, err := p.Engine.Evaluate(ctx, id, merged.Commit)
	return engine.Integrated{Commit: merged.Commit, Results: got}, err
}

// lastLanded is the loop that landed last: its gates are evaluated on the merge of the
// plan. Where a plan landed in a task's place, it is that plan's.
func (p *Planner) lastLanded(ctx context.Context, s plan.State) (string, error) {
	for _, t := range slices.Backward(s.Tasks) {
		switch {
		case t.Landed != s.Tip || t.Loop == "":
		case t.Child:
			inner, err := p.Store.Read(ctx, t.Loop)
			if err != nil {
				return "", err
			}
			return p.lastLanded(ctx, inner.State)
		default:
			return t.Loop, nil
		}
	}
	return "", errors.New("the branch that is checked out has moved on, and no loop is left to judge the merge: rebase it by hand")
}
