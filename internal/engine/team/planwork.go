package team

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/plan"
)

// PublishPlan pushes the landed commit that a transition of a plan names, and publishes the
// files of the plan.
func (t Travel) PublishPlan(ctx context.Context, p stored.Publication[plan.State, plan.Event]) error {
	return t.retryPublish(ctx, p.Owned, p.Await, func(ctx context.Context) error {
		if err := t.keepLanded(ctx, p.Before, p.Next); err != nil {
			return err
		}
		if err := t.push(ctx, p.Owned, planRef(p.Next), p.Before.Tip, p.Next.Tip); err != nil {
			return err
		}
		return t.Files.Put(ctx, Run{p.Next.ID, true}, p.Epoch, p.Dir)
	})
}

// UsablePlan gets the landed commit of a plan, before it is acquired.
func (t Travel) UsablePlan(ctx context.Context, s plan.State) error {
	if err := t.has(ctx, planRef(s)); err != nil {
		return err
	}
	return t.fetchLanded(ctx, s)
}

// fetchLanded gets the landed commit of a plan, unless it is here. Where a request to begin the
// plan anew was cut off before it was recorded, the commit is on the branch that was set aside.
func (t Travel) fetchLanded(ctx context.Context, s plan.State) error {
	err := t.fetchCommit(ctx, s.ID, planRef(s), s.Tip)
	if errors.Is(err, ErrNotAtRemote) {
		if aside := asideRef(s, s.Tip); t.has(ctx, aside) == nil {
			return t.fetchCommit(ctx, s.ID, aside, s.Tip)
		}
	}
	return err
}

// keepLanded sets aside what landed of a plan in a task's place that begins anew.
func (t Travel) keepLanded(ctx context.Context, before, next plan.State) error {
	if before.Tip == before.Base || before.Tip == next.Tip || next.Tip != next.Base {
		return nil
	}
	if err := t.Remote.Push(ctx, asideRef(before, before.Tip), before.Tip, ""); err != nil {
		return fmt.Errorf("set aside what landed of plan %s: %w", next.ID, err)
	}
	return nil
}

// asideRef is the branch that keeps what landed before a plan began anew: beside the plan's
// own, where workers may push, and named after the commit, so that a repeated request finds it.
func asideRef(s plan.State, commit string) string { return planRef(s) + "-" + commit[:12] }

// anew sets aside what the remote has on the branch of a plan, and lets the branch begin at
// its base. It returns the name of the branch that keeps the work; "" where there is none.
// Landed is the commit that an earlier request may have set aside.
func (t Travel) anew(ctx context.Context, first plan.State, landed string) (aside string, err error) {
	ref := planRef(first)
	have, err := t.Remote.Tip(ctx, ref)
	switch {
	case err != nil:
		return "", err
	case have == "":
	case have != first.Base:
		if err := t.fetchCommit(ctx, first.ID, ref, have); err != nil {
			return "", err
		}
		keep := asideRef(first, have)
		if err := t.Remote.Push(ctx, keep, have, ""); err != nil {
			return "", fmt.Errorf("set aside what landed of plan %s: %w", first.ID, err)
		}
		aside = strings.TrimPrefix(keep, "refs/heads/")
	case landed != "" && landed != have && t.has(ctx, asideRef(first, landed)) == nil:
		aside = strings.TrimPrefix(asideRef(first, landed), "refs/heads/")
	}
	if err := t.Remote.Push(ctx, ref, first.Base, have); err != nil {
		return "", fmt.Errorf("push the commit that the work starts from: %w", err)
	}
	return aside, nil
}

// planRef is the integration branch of a plan on the remote.
func planRef(s plan.State) string { return "refs/heads/" + s.Branch }

// FetchPlan brings to this machine what an acquired plan needs: its file, its integration
// branch, what reviews, gates and authors wrote for it, and what its loops have done.
func (e *Engine) FetchPlan(ctx context.Context, spec engine.PlanSpec, s plan.State) error {
	if err := durable.Write(spec.File, spec.Text); err != nil {
		return err
	}
	if err := e.Travel.fetchLanded(ctx, s); err != nil {
		return err
	}
	if err := e.moveBranch(ctx, s); err != nil {
		return err
	}
	if err := e.Travel.Files.Get(ctx, Run{s.ID, true}, e.PlanDir(s.ID)); err != nil {
		return err
	}
	for _, t := range s.Tasks {
		if !t.Child || t.Commit == "" {
			continue
		}
		if err := e.Travel.fetchCommit(ctx, t.Loop, "refs/heads/ralph/"+t.Loop+"/_landed", t.Commit); err != nil {
			return err
		}
	}
	for _, id := range s.Loops() {
		if _, err := e.Show(ctx, id); err != nil && !errors.Is(err, engine.ErrNotFound) {
			return err
		}
	}
	return nil
}

// moveBranch moves the integration branch of this repository to where the record has it.
// The repository is the worker's own: the branch is where this worker left the plan.
func (e *Engine) moveBranch(ctx context.Context, s plan.State) error {
	repo := e.Travel.Remote.Repo
	at, err := repo.RefCommit(ctx, planRef(s))
	if err != nil || at == "" || at == s.Tip {
		return err
	}
	return repo.UpdateRef(ctx, planRef(s), s.Tip, at)
}
