package planner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/engine/merge"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// statusWords returns the words of an error for a status.
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
	if err == nil {
		err = acceptable(r, o.Partly)
	}
	if err != nil {
		return engine.Accepted{}, err
	}
	// Acquiring it compares the whole journal, before anything is merged.
	lease, err := p.acquire(ctx, r.State, nil, false)
	if err != nil {
		return engine.Accepted{}, err
	}
	defer func() {
		if r.Archived { // acquiring it has brought it back into lists
			err = errors.Join(err, p.Store.Archive(context.WithoutCancel(ctx), id))
		}
		err = errors.Join(err, p.release(ctx, lease))
	}()
	r.State = lease.State()
	if err := o.Holds(r.State.Tip); err != nil {
		return engine.Accepted{}, err
	}
	if err := p.founded(ctx, r.State); err != nil {
		return engine.Accepted{}, err
	}
	if err := p.fromWorkers(ctx, r, lease); err != nil {
		return engine.Accepted{}, err
	}
	r.State = lease.State()
	if done, err = p.merge(ctx, r, lease, o.Strategy); err != nil {
		return done, err
	}
	if !o.KeepBranches {
		done.Stays = p.dropBranches(ctx, r.State, done.Commit)
	}
	return done, nil
}

// acceptable refuses a plan of which nothing can be accepted. partly: of one that has not
// passed, what landed is.
func acceptable(r storedPlan, partly bool) error {
	if r.Damage != "" {
		return damaged(r)
	}
	if err := engine.PlanMovedOf(r.State); err != nil {
		return err
	}
	if s := r.State.Status; !s.Terminal() || s != loop.StatusPassed && !partly {
		return fmt.Errorf("%w; plan %s %s", engine.ErrNotPassed, r.State.ID, statusWords(s))
	}
	if r.State.Tip == r.State.Base {
		return fmt.Errorf("%w: nothing was changed", engine.ErrNotPassed)
	}
	return nil
}

// fromWorkers brings what the workers of a team landed to this machine, and writes the
// progress into the plan's file.
func (p *Planner) fromWorkers(ctx context.Context, r storedPlan, lease engine.PlanLease) error {
	if p.TeamWorkers == nil {
		return nil
	}
	if err := p.TeamWorkers.Fetch(ctx, r.State); err != nil {
		return err
	}
	return errors.Join(p.writeBackInner(ctx, r.State), p.writeBack(ctx, r, lease))
}

// merge brings the landed work into the branch that is checked out, and records that, or
// the conflict that it met.
func (p *Planner) merge(ctx context.Context, r storedPlan, lease engine.PlanLease, how engine.Strategy) (engine.Accepted, error) {
	work := p.workOf(r.State)
	work.Add = func(ctx context.Context, head, commit string) (string, error) {
		return p.withProgress(ctx, r, head, commit)
	}
	done, err := work.Accept(ctx, how)
	err = engine.RecordConflict(err, r.State.Clash, func(c loop.Clash) error {
		_, err := engine.CommitPlan(ctx, lease, plan.Conflicted{Stamp: p.stamp(), Clash: c})
		return err
	})
	if err != nil || done.Already && r.State.Accepted != "" {
		return done, err
	}
	if err := p.loopsMerged(ctx, r.State, done); err != nil {
		return done, err
	}
	return done, p.recordAccepted(ctx, lease, done)
}

// founded refuses a plan with landed work whose loop has not passed. Loops that were
// removed meanwhile are not compared, nor one that changed nothing: a person accepted
// what an earlier loop had landed.
func (p *Planner) founded(ctx context.Context, s plan.State) error {
	for _, t := range s.Tasks {
		if t.Landed == "" || t.Loop == "" || t.Child || t.Commit == t.From {
			continue
		}
		l, err := p.Loops.Show(ctx, t.Loop)
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

// workOf is the landed work of a plan, to be merged. The gates of the loop that landed last
// judge the result where it is a new one.
func (p *Planner) workOf(s plan.State) merge.Work {
	return merge.Work{
		Repo: p.Repo, Run: s.ID, Plan: true, Branch: s.Branch, Commit: s.Tip, Accepted: s.Accepted,
		Message: git.Message{Text: "Merge the plan " + s.Title, Time: p.Now()},
		Squash: git.Message{
			Text: cmp.Or(s.Title, s.ID) + landedTasks(s), Time: p.Now(),
			Trailers: []git.Trailer{{Key: git.PlanTrailer, Value: s.ID}},
		},
		Judge: func(ctx context.Context, _ string, merged git.Merged) ([]loop.Result, error) {
			if merged.FastForward {
				return nil, nil
			}
			id, err := p.lastLanded(ctx, s)
			if err != nil {
				return nil, err
			}
			return p.Loops.Evaluate(ctx, id, merged.Commit)
		},
	}
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
