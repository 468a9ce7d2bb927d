package team

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// Mirror is what a worker has on its machine: copies of the loops that it drove, their
// branches, the files of plans, and worktrees.
type Mirror struct {
	Engine *Engine
	Plans  engine.SharedPlans
}

// Clean deletes what it has of loops and plans that are archived on the server and ended long
// enough ago, and where asked worktrees that no loop has. A branch goes where the remote has
// its work, or lose agrees: it gets the names of the branches that have the only copy, before
// anything is deleted; nil keeps them. kept tells of those that stay.
func (m Mirror) Clean(ctx context.Context, o engine.CleanOptions, lose func(branches []string) error) (done engine.Cleaned, kept []string, err error) {
	old, unknown, err := m.old(ctx, o.OlderThan)
	if err != nil {
		return done, nil, err
	}
	plans, err := m.oldPlans(ctx, o.OlderThan)
	if err != nil {
		return done, nil, err
	}
	branches, kept, err := m.cleanBranches(ctx, old, plans, o.DryRun, lose)
	if err != nil {
		return engine.Cleaned{Removed: branches}, kept, err
	}
	for _, l := range old {
		switch {
		case l.Archived:
		case o.DryRun:
			branches = append(branches, "archived loop "+l.State.ID)
		default:
			err = m.Engine.Engine.Archive(ctx, l.State.ID)
		}
		if err != nil {
			return engine.Cleaned{Removed: branches}, kept, err
		}
	}
	done, err = m.Engine.Engine.Clean(ctx, o)
	done.Removed = append(branches, done.Removed...)
	if err != nil {
		return done, kept, err
	}
	files, err := m.cleanPlans(plans, o.DryRun)
	done.Removed = append(done.Removed, files...)
	if unknown > 0 {
		kept = append(kept, text.Plural(unknown, "loop")+" of which the server has no record")
	}
	return done, kept, err
}

// old are the copies of loops that ended long enough ago and are archived on the server, and
// how many it does not know: its retention period is over, or another server has them.
func (m Mirror) old(ctx context.Context, than time.Duration) (old []engine.Loop, unknown int, err error) {
	all, err := m.Engine.Engine.List(ctx, engine.Filter{Ended: true, Archived: true})
	if err != nil {
		return nil, 0, err
	}
	for _, l := range all {
		if m.Engine.Now().Sub(l.State.EndedAt) < than {
			continue
		}
		if !l.Archived {
			r, err := m.Engine.Shared.Server.Read(ctx, l.State.ID)
			if errors.Is(err, engine.ErrNotFound) {
				unknown++
				continue
			}
			if err != nil {
				return nil, 0, err
			}
			if !r.Archived {
				continue
			}
		}
		old = append(old, l)
	}
	return old, unknown, nil
}

// mirrored is a branch of the mirror.
type mirrored struct {
	git.Branch
	// only: the remote does not have its work; stays is why it cannot be deleted.
	only  bool
	stays string
}

func (b mirrored) String() string { return fmt.Sprintf("branch %s at %.10s", b.Name, b.Tip) }

// cleanBranches deletes branches of the mirror, and the refs that keep what it fetched of these
// loops.
func (m Mirror) cleanBranches(ctx context.Context, of []engine.Loop, plans []engine.Stored[plan.State], dryRun bool, lose func([]string) error) (removed, kept []string, err error) {
	all, err := m.branches(ctx, of, plans)
	if err != nil {
		return nil, nil, err
	}
	var only []string
	for i, b := range all {
		switch {
		case b.stays == "" && b.only && lose == nil:
			all[i].stays = "the remote does not have its work"
		case b.stays == "" && b.only:
			only = append(only, b.Name)
		}
	}
	if len(only) > 0 && !dryRun {
		if err := lose(only); err != nil {
			return nil, nil, err
		}
	}
	repo := m.Engine.Travel.Remote.Repo
	for _, b := range all {
		if b.stays == "" && !dryRun {
			err := repo.DeleteBranch(ctx, b.Name, b.Tip)
			if _, moved := errors.AsType[git.ErrRefMoved](err); moved {
				b.stays = "it has moved meanwhile"
			} else if err != nil {
				return removed, kept, err
			}
		}
		if b.stays != "" {
			kept = append(kept, b.String()+": "+b.stays)
			continue
		}
		removed = append(removed, b.String())
	}
	if dryRun {
		return removed, kept, nil
	}
	for _, l := range of {
		err = errors.Join(err, repo.DropOwnRefs(ctx, "refs/ralph/remote/"+l.State.ID), repo.DropOwnRefs(ctx, keptRef(l.State.ID)))
	}
	return removed, kept, err
}

// branches are those of the mirror that these loops, archived plans, and loops without a copy
// have: the copy of a loop is there before its branch.
func (m Mirror) branches(ctx context.Context, of []engine.Loop, plans []engine.Stored[plan.State]) (all []mirrored, err error) {
	remote := m.Engine.Travel.Remote
	found, err := remote.Repo.Branches(ctx, "ralph/", "wip/ralph-fail-")
	if err != nil || len(found) == 0 {
		return nil, err
	}
	needed, err := m.needed(ctx, of, plans)
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(b git.Branch) bool { return needed(b.Name) })
	if len(found) == 0 {
		return nil, nil
	}
	if _, err := remote.FetchBranches(ctx, remoteHeads); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, remote.Repo.DropOwnRefs(context.WithoutCancel(ctx), remoteHeads)) }()
	for _, b := range found {
		held, err := remote.Repo.HeldBelow(ctx, b.Tip, remoteHeads, nil)
		if err != nil {
			return nil, err
		}
		tree, err := remote.Repo.CheckedOut(ctx, b.Name)
		if err != nil {
			return nil, err
		}
		next := mirrored{Branch: b, only: !held}
		if tree != "" {
			next.stays = "it is checked out in " + tree
		}
		all = append(all, next)
	}
	return all, nil
}

// needed reports which branches stay: those of other copies, and of plans that are not among
// these, which another server may have.
func (m Mirror) needed(ctx context.Context, old []engine.Loop, plans []engine.Stored[plan.State]) (func(branch string) bool, error) {
	copies, err := m.Engine.Engine.List(ctx, engine.Filter{Archived: true})
	stays := map[string]bool{}
	for _, l := range copies {
		goes := slices.ContainsFunc(old, func(o engine.Loop) bool { return o.State.ID == l.State.ID })
		stays[l.State.Branch] = !goes
		if l.State.FailureRef != "" {
			stays[l.State.FailureRef] = !goes
		}
	}
	goes := func(branch string) bool {
		return slices.ContainsFunc(plans, func(r engine.Stored[plan.State]) bool { return r.State.Branch == branch })
	}
	return func(branch string) bool {
		return stays[branch] || strings.HasSuffix(branch, "/_landed") && !goes(branch)
	}, err
}

// oldPlans are those that ended long enough ago and are archived.
func (m Mirror) oldPlans(ctx context.Context, than time.Duration) ([]engine.Stored[plan.State], error) {
	all, err := m.Plans.List(ctx, engine.Filter{Archived: true})
	return slices.DeleteFunc(all, func(r engine.Stored[plan.State]) bool {
		return !r.Archived || m.Engine.Now().Sub(r.State.EndedAt) < than
	}), err
}

// cleanPlans deletes the files of plans.
func (m Mirror) cleanPlans(plans []engine.Stored[plan.State], dryRun bool) (removed []string, err error) {
	for _, r := range plans {
		dir := m.Engine.PlanDir(r.State.ID)
		if _, absent := os.Stat(dir); absent != nil {
			continue
		}
		if !dryRun {
			if err := os.RemoveAll(dir); err != nil {
				return removed, err
			}
		}
		removed = append(removed, "files of archived plan "+r.State.ID)
	}
	return removed, nil
}
