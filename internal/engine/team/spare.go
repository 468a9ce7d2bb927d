package team

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Spare is a branch of the remote whose run is accepted or archived.
type Spare struct {
	git.Branch
	// Run is the loop or plan of the branch.
	Run string
	// Failed: it has the work of a loop that failed.
	Failed bool
	// Only: no other branch of the remote that stays has its work.
	Only bool
	// Why it stays; "" where it can go.
	Why string
}

// SpareOptions select branches: those of runs that ended at least OlderThan ago, with work
// that is merged elsewhere, and with failed work.
type SpareOptions struct {
	OlderThan        time.Duration
	Merged, Failures bool
}

// remoteHeads is where the branches of the remote are while they are compared.
const remoteHeads = "refs/ralph/heads"

// Spare returns the branches of the remote that no run needs any more, and how many stay
// because their run has ended and is neither accepted nor archived.
func (p Plans) Spare(ctx context.Context, o SpareOptions) (spare []Spare, unsettled int, err error) {
	repo := p.Engine.Travel.Remote.Repo
	heads, err := p.Engine.Travel.Remote.FetchBranches(ctx, remoteHeads)
	if err != nil {
		return nil, 0, err
	}
	defer func() { err = errors.Join(err, repo.DropOwnRefs(context.WithoutCancel(ctx), remoteHeads)) }()
	runs, err := p.branches(ctx)
	if err != nil {
		return nil, 0, err
	}
	for _, b := range heads {
		if !strings.HasPrefix(b.Name, "ralph/") || strings.HasPrefix(b.Name, "ralph/_worker-") {
			continue
		}
		of, known := runs[b.Name]
		if !known {
			if of, err = p.unlisted(ctx, b.Name); err != nil {
				return nil, 0, err
			}
		}
		switch {
		case of.id == "" && o.Merged:
			spare = append(spare, Spare{Branch: b, Why: whyUnowned(b.Name)})
		case of.id == "" || !of.ended:
		case !of.accepted && !of.archived:
			unsettled++
		case p.Engine.Now().Sub(of.endedAt) < o.OlderThan:
		case of.failed && o.Failures, !of.failed && o.Merged:
			spare = append(spare, Spare{Branch: b, Run: of.id, Failed: of.failed})
		}
	}
	return spare, unsettled, divide(ctx, repo, spare)
}

// whyUnowned is why a branch stays that is no run's.
func whyUnowned(name string) string {
	if strings.Contains(name, "/_landed-") {
		return "it was set aside when its plan began anew"
	}
	return "the server has no record of its run"
}

// divide finds out which branches have work that no other one of the remote has. Those of
// failures can go all the same.
func divide(ctx context.Context, repo *git.Repo, all []Spare) error {
	// Of branches with the same work that of the plan stays.
	rank := func(s Spare) int {
		switch {
		case s.Failed:
			return 0
		case strings.HasSuffix(s.Name, "/_landed"):
			return 2
		}
		return 1
	}
	slices.SortStableFunc(all, func(a, b Spare) int { return cmp.Compare(rank(a), rank(b)) })
	going := map[string]bool{}
	for i, s := range all {
		if s.Why != "" || s.Failed {
			going[s.Name] = s.Failed
			continue
		}
		going[s.Name] = true
		held, err := repo.HeldBelow(ctx, s.Tip, remoteHeads, going)
		if err != nil {
			return err
		}
		if going[s.Name] = held; !held {
			all[i].Only, all[i].Why = true, "no other branch of the remote has its work"
		}
	}
	for i, s := range all {
		if !s.Failed {
			continue
		}
		held, err := repo.HeldBelow(ctx, s.Tip, remoteHeads, going)
		if err != nil {
			return err
		}
		all[i].Only = !held
	}
	return nil
}

// branchOwner is the run of a branch; the zero value is none.
type branchOwner struct {
	id                                string
	ended, accepted, archived, failed bool
	endedAt                           time.Time
}

func ownerOfLoop(s loop.State, archived bool) branchOwner {
	return branchOwner{
		id: s.ID, ended: s.Status.Terminal() && s.Move == nil, accepted: s.Accepted != "", archived: archived,
		failed: s.FailureRef != "", endedAt: s.EndedAt,
	}
}

func ownerOfPlan(s plan.State, archived bool) branchOwner {
	return branchOwner{id: s.ID, ended: s.Status.Terminal(), accepted: s.Accepted != "", archived: archived, endedAt: s.EndedAt}
}

// of is a loop of a plan: it is needed as long as the plan is.
func (o branchOwner) of(plan branchOwner) branchOwner {
	o.ended, o.accepted, o.archived = o.ended && plan.ended, o.accepted || plan.accepted, plan.archived
	return o
}

// branches are the runs that this clone knows, by their branches on the remote.
func (p Plans) branches(ctx context.Context) (map[string]branchOwner, error) {
	plans, err := p.Store.Server.List(ctx, engine.Filter{Archived: true})
	if err != nil {
		return nil, err
	}
	all, byID := map[string]branchOwner{}, map[string]branchOwner{}
	for _, r := range plans {
		of := ownerOfPlan(r.State, r.Archived)
		all[strings.TrimPrefix(planRef(r.State), "refs/heads/")], byID[r.State.ID] = of, of
	}
	loops, err := p.Engine.Engine.List(ctx, engine.Filter{Archived: true})
	for _, l := range loops {
		of := ownerOfLoop(l.State, l.Archived)
		if parent, is := byID[l.State.Parent]; is {
			of = of.of(parent)
		}
		all[l.State.Branch] = of
	}
	return all, err
}

// unlisted asks the server about a branch that no run of this clone has: the copy of its run
// was deleted, or the server's list is a moment late.
func (p Plans) unlisted(ctx context.Context, branch string) (branchOwner, error) {
	name := strings.TrimPrefix(branch, "ralph/")
	if id, is := strings.CutSuffix(name, "/_landed"); is {
		r, err := p.Store.Server.Read(ctx, id)
		if errors.Is(err, engine.ErrNotFound) {
			return branchOwner{}, nil
		}
		return ownerOfPlan(r.State, r.Archived), err
	}
	r, err := p.Engine.Shared.Server.Read(ctx, strings.ReplaceAll(name, "/", "-"))
	if errors.Is(err, engine.ErrNotFound) || err == nil && r.State.Branch != branch {
		return branchOwner{}, nil
	}
	of := ownerOfLoop(r.State, r.Archived)
	if err != nil || r.State.Parent == "" {
		return of, err
	}
	parent, err := p.Store.Server.Read(ctx, r.State.Parent)
	if errors.Is(err, engine.ErrNotFound) {
		return of, nil
	}
	return of.of(ownerOfPlan(parent.State, parent.Archived)), err
}

// Drop deletes a branch of the remote where it is still at its tip, and what this clone kept
// of it. The error is git.ErrRefMoved where it has moved.
func (p Plans) Drop(ctx context.Context, s Spare) error {
	if err := p.Engine.Travel.Remote.Push(ctx, "refs/heads/"+s.Name, "", s.Tip); err != nil {
		return err
	}
	repo := p.Engine.Travel.Remote.Repo
	return errors.Join(repo.DropOwnRefs(ctx, "refs/ralph/remote/"+s.Run), repo.DropOwnRefs(ctx, keptRef(s.Run)))
}
