package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// A plan that is begun anew keeps nothing of its record. Its branch is set
// aside, and its work is done again, also by the plans that were run in its
// tasks' places. Ticks of a person stay.

// abandons reports whether a plan of this machine that has left, or is leaving, begins anew here
// all the same. One of which only a part has arrived here may still be complete elsewhere.
func (p *Planner) abandons(s plan.State, o engine.Options) bool {
	return o.Fresh && o.Abandon && p.TeamWorkers == nil && s.Partial == nil
}

// forget begins the plan anew. Kept: its work is in the base, and stands.
func (r *run) forget(ctx context.Context, kept bool) error {
	again := plan.Begin(r.state.ID, r.spec.File, r.state.Title, r.state.Branch, r.spec.Base, r.spec.Rules)
	if !kept {
		again.Tasks = plan.Undone(r.state.Tasks)
		if err := r.forgetInner(ctx, r.state, append(slices.Clone(r.spec.Ancestors), r.state.ID)); err != nil {
			return err
		}
	}
	var left string
	if m := r.state.Move; m != nil {
		left = "; what was done on " + m.To.String() + " is left there"
	}
	aside, err := r.putAside(ctx, r.lease, again)
	if err != nil {
		return err
	}
	r.state = again
	if aside != "" {
		left = "; what landed before is kept on " + aside + left
	}
	if left == "" {
		return nil
	}
	return r.commit(ctx, plan.Noted{Stamp: r.stamp(), Text: "begun anew" + left})
}

// beginAnewForTeam is the state of a plan of a team that begins anew as first, from one that
// no worker has. All of it is recorded by one commit: before it, repeating the request
// changes nothing, because the branch that was set aside is found there. The loops of the
// former tasks end.
func (p *Planner) beginAnewForTeam(ctx context.Context, s, first plan.State, kept bool) (plan.State, []plan.Event, error) {
	if err := p.endFormer(ctx, s); err != nil {
		return s, nil, err
	}
	if !kept {
		if err := p.forgetInner(ctx, s, []string{s.ID}); err != nil {
			return s, nil, err
		}
	}
	p.fault("ended the loops")
	aside, err := p.TeamWorkers.Anew(ctx, first, s.Tip)
	if err != nil {
		return s, nil, err
	}
	p.fault("set aside")
	again := plan.Begin(first.ID, first.File, s.Title, first.Branch, first.Base, first.Rules)
	if !kept {
		again.Tasks = plan.Undone(s.Tasks)
	}
	text := "begun anew"
	if aside != "" {
		text += "; what landed before is kept on " + aside
	}
	return again, []plan.Event{plan.Noted{Stamp: p.stamp(), Text: text}}, nil
}

// endFormer ends the loops of a plan that begins anew: their workers would continue with them.
func (p *Planner) endFormer(ctx context.Context, s plan.State) error {
	for _, id := range s.Loops() {
		c := engine.Command{Kind: engine.Abort, By: p.By, Text: "its plan was begun anew"}
		if _, err := p.Loops.Send(ctx, id, c); err != nil && !nothingToDo(err) {
			return err
		}
	}
	return nil
}

// waitsToBegin: no worker has begun with a plan, and nothing of it is there to forget.
func waitsToBegin(s plan.State) bool {
	return s.Status == loop.Pending && s.StartedAt.IsZero() && s.Tip == s.Base
}

// forgetInner begins anew what was run in the places of a plan's tasks. Above are
// the plans that are being forgotten already.
func (p *Planner) forgetInner(ctx context.Context, s plan.State, above []string) error {
	for _, t := range s.Tasks {
		if !t.Child || slices.Contains(above, t.Loop) {
			continue
		}
		if err := p.forgetChild(ctx, t.Loop, append(slices.Clone(above), t.Loop)); err != nil {
			return fmt.Errorf("begin %s anew, which was run in the place of %s: %w", t.Loop, t.ID, err)
		}
	}
	return nil
}

func (p *Planner) forgetChild(ctx context.Context, id string, above []string) (err error) {
	rec, err := p.Store.Read(ctx, id)
	if errors.Is(err, engine.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	lease, err := p.acquire(ctx, rec.State, nil, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.release(ctx, lease)) }()
	s := lease.State()
	if p.TeamWorkers != nil {
		if err := p.endFormer(ctx, s); err != nil {
			return err
		}
	}
	if err := p.forgetInner(ctx, s, above); err != nil {
		return err
	}
	again := plan.Begin(s.ID, s.File, s.Title, s.Branch, s.Base, s.Rules)
	again.Tasks = plan.Undone(s.Tasks)
	_, err = p.putAside(ctx, lease, again)
	return err
}

// putAside archives the branch of a plan, if there is one, and makes again its
// state.
func (p *Planner) putAside(ctx context.Context, lease engine.PlanLease, again plan.State) (aside string, err error) {
	if p.TeamWorkers != nil {
		if aside, err = p.TeamWorkers.Anew(ctx, again, lease.State().Tip); err != nil {
			return "", err
		}
		return aside, lease.Commit(ctx, again, nil)
	}
	tip, err := p.Repo.RefCommit(ctx, "refs/heads/"+again.Branch)
	if err == nil && tip != "" {
		if aside, err = p.Repo.SetBranchAside(ctx, again.Branch, p.Now()); err != nil {
			return "", err
		}
	}
	return aside, lease.Commit(ctx, again, nil)
}

// instead begins a plan anew whose record is damaged and which the user has archived.
// why is for the journal of the new plan; for any other plan the damage is returned.
func (p *Planner) instead(ctx context.Context, first plan.State, spec []byte, damage error) (lease engine.PlanLease, why string, err error) {
	lease, err = p.Store.Create(ctx, first, spec)
	if errors.Is(err, engine.ErrExists) {
		err = damage
	}
	if err != nil {
		return nil, "", err
	}
	aside, err := p.putAside(ctx, lease, lease.State())
	if err != nil {
		return nil, "", errors.Join(err, p.release(ctx, lease))
	}
	why = "begun anew: its earlier record is damaged and was set aside"
	if len(lease.State().Tasks) == 0 {
		why += "; what its file marks as done counts as done"
	}
	if aside != "" {
		why += "; what landed before is kept on " + aside
	}
	return lease, why, nil
}

// forgotten: the plan was begun anew, and has not run since.
func forgotten(s plan.State) bool { return s.StartedAt.IsZero() && len(s.Tasks) > 0 }
