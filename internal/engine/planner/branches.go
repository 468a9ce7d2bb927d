package planner

import (
	"cmp"
	"context"
	"slices"
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
	loops, err := p.Loops.List(ctx, engine.Filter{Archived: true})
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

// Needed is a branch that stays, and why.
type Needed struct {
	Spare
	Why string
}

// Divide returns which of these branches can go. The others are checked out, or are not kept
// for a failure and no branch that stays has their work.
func (p *Planner) Divide(ctx context.Context, all []Spare) (spare []Spare, needed []Needed, err error) {
	going := map[string]bool{}
	var rest []Spare
	for _, s := range all {
		switch tree, err := p.Repo.CheckedOut(ctx, s.Name); {
		case err != nil:
			return nil, nil, err
		case tree != "":
			needed = append(needed, Needed{s, "it is checked out in " + tree})
		case s.Failure:
			spare, going[s.Name] = append(spare, s), true
		default:
			rest = append(rest, s)
		}
	}
	// Of branches with the same work that of the plan stays.
	slices.SortStableFunc(rest, func(a, b Spare) int { return cmp.Compare(landed(a.Name), landed(b.Name)) })
	for _, s := range rest {
		going[s.Name] = true
		held, err := p.Repo.HeldBesides(ctx, s.Tip, going)
		if err != nil {
			return nil, nil, err
		}
		if held {
			spare = append(spare, s)
			continue
		}
		delete(going, s.Name)
		needed = append(needed, Needed{s, "no other branch has its work; git branch -D " + s.Name})
	}
	return spare, needed, nil
}

// landed is 1 for the branch of a plan.
func landed(name string) int {
	if strings.HasSuffix(name, "/_landed") {
		return 1
	}
	return 0
}

// HeldByOthers reports whether a branch that is not among these has the work of one.
func (p *Planner) HeldByOthers(ctx context.Context, s Spare, all []Spare) (bool, error) {
	going := map[string]bool{}
	for _, other := range all {
		going[other.Name] = true
	}
	return p.Repo.HeldBesides(ctx, s.Tip, going)
}
