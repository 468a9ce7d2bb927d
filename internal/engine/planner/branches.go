package planner

import (
	"cmp"
	"context"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/git"
)

// Spare is a branch of ralph's that no run needs any more.
type Spare struct {
	// Name is the short one, Tip its commit.
	Name, Tip string
	// Failure: it keeps the work of a loop that failed, which is nowhere else.
	Failure bool
}

// SpareBranches returns the branches below ralph/ and wip/ralph-fail- whose run is
// archived, ended at least that long ago, or is gone. Branches that no record and no
// trailer of ralph's claims belong to a user.
func (p *Planner) SpareBranches(ctx context.Context, older time.Duration) ([]Spare, error) {
	runs, err := p.branchOwners(ctx)
	if err != nil {
		return nil, err
	}
	branches, err := p.Repo.Branches(ctx, "ralph/", failures)
	if err != nil {
		return nil, err
	}
	var spare []Spare
	for _, b := range branches {
		of, ok := runs.of(b.Name)
		if !ok {
			if of, ok, err = p.claimed(ctx, runs, b); err != nil {
				return nil, err
			}
		}
		if ok && of.archived && p.Now().Sub(of.ended) >= older {
			spare = append(spare, Spare{Name: b.Name, Tip: b.Tip, Failure: strings.HasPrefix(b.Name, failures)})
		}
	}
	return spare, nil
}

// failures are the branches that keep failed work.
const failures = "wip/ralph-fail-"

// owner is the run that a branch belongs to.
type owner struct {
	archived bool
	ended    time.Time
}

// owners are the runs by their ids, and the ids by the names of branches.
type owners struct {
	runs   map[string]owner
	branch map[string]string
}

func (p *Planner) branchOwners(ctx context.Context) (owners, error) {
	all := owners{map[string]owner{}, map[string]string{}}
	plans, err := p.List(ctx, engine.Filter{Archived: true})
	if err != nil {
		return all, err
	}
	for _, n := range plans {
		all.runs[n.State.ID] = owner{n.Archived && n.Damage == "", n.State.EndedAt}
		all.branch[n.State.Branch] = n.State.ID
	}
	loops, err := p.Engine.List(ctx, engine.Filter{Archived: true})
	if err != nil {
		return all, err
	}
	for _, l := range loops {
		s := l.State
		of, isTask := all.runs[s.Parent]
		if s.Parent == "" || !isTask || !of.archived {
			of = owner{l.Archived, s.EndedAt}
		}
		all.runs[s.ID] = of
		all.branch[s.Branch], all.branch[cmp.Or(s.FailureRef, s.Branch)] = s.ID, s.ID
	}
	return all, nil
}

// of returns the run whose branch that is: its own, or one below the plan's.
func (o owners) of(name string) (owner, bool) {
	id, known := o.branch[name]
	if !known {
		id, _, _ = strings.Cut(strings.TrimPrefix(name, "ralph/"), "/")
	}
	of, ok := o.runs[id]
	return of, ok
}

// claimed returns the run that the commit of a branch names in a trailer. One that is
// gone was archived before.
func (p *Planner) claimed(ctx context.Context, all owners, b git.Branch) (owner, bool, error) {
	message, err := p.Repo.CommitMessage(ctx, b.Tip)
	if err != nil {
		return owner{}, false, err
	}
	for _, t := range git.Trailers(message) {
		if (t.Key == git.LoopTrailer || t.Key == git.PlanTrailer) && calledAfter(b.Name, t.Value) {
			if of, ok := all.runs[t.Value]; ok {
				return of, true, nil
			}
			return owner{archived: true}, true, nil
		}
	}
	return owner{}, false, nil
}

// calledAfter reports whether a branch is called after the run: ralph/ID, ralph/PLAN/TASK for
// the loop PLAN-TASK, or below the plan ralph/ID. Failures are called after tasks.
func calledAfter(branch, id string) bool {
	rest, ok := strings.CutPrefix(branch, "ralph/")
	return !ok || strings.ReplaceAll(rest, "/", "-") == id || strings.HasPrefix(rest, id+"/")
}

// Needed says why one of these branches stays: it is checked out, or it is not kept for a
// failure and no other branch than these has its work. "" is for one that can go.
func (p *Planner) Needed(ctx context.Context, s Spare, all []Spare) (why string, err error) {
	if tree, err := p.Repo.CheckedOut(ctx, s.Name); err != nil || tree != "" {
		return "it is checked out in " + tree, err
	}
	if s.Failure {
		return "", nil
	}
	held, err := p.HeldElsewhere(ctx, s, all)
	if held || err != nil {
		return "", err
	}
	return "no other branch has its work; git branch -D " + s.Name, nil
}

// HeldElsewhere reports whether a branch that is not among these has the work of one.
func (p *Planner) HeldElsewhere(ctx context.Context, s Spare, all []Spare) (bool, error) {
	going := map[string]bool{}
	for _, other := range all {
		going[other.Name] = true
	}
	return p.Repo.HeldBesides(ctx, s.Tip, going)
}
