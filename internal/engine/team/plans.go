package team

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Plans are the plans of a team as a command sees them: workers drive them.
type Plans struct {
	// Engine has the loops of their tasks.
	Engine *Engine
	Store  stored.SharedPlans
}

// Ready refuses a request that needs files of this machine. It makes the commit available
// from which a new plan starts.
func (p Plans) Ready(ctx context.Context, spec engine.PlanSpec, first *plan.State) error {
	if err := shareable(spec.Task); err != nil {
		return err
	}
	if err := p.Engine.Travel.workable(ctx, spec.Base, len(spec.Task.Setup) > 0); err != nil {
		return err
	}
	if first == nil {
		return nil
	}
	return p.Engine.Travel.Announce(ctx, first.Branch, first.Base)
}

// Name is what other machines call the file of a plan.
func (p Plans) Name(path string) string { return p.Store.Name(path) }

// Fetch gets the landed work of a plan from the remote, and its files: those that are here are
// shown where the others cannot be had.
func (p Plans) Fetch(ctx context.Context, s plan.State) error {
	if err := p.Engine.Travel.Files.Get(ctx, Run{s.ID, true}, p.Engine.PlanDir(s.ID)); err != nil {
		p.Engine.once(s.ID+" files", "! %v", err)
	}
	if s.Tip == "" {
		return nil
	}
	return p.Engine.Travel.fetchLanded(ctx, s)
}

// Anew sets aside what the remote has on the branch of a plan.
func (p Plans) Anew(ctx context.Context, first plan.State, landed string) (string, error) {
	return p.Engine.Travel.anew(ctx, first, landed)
}

// Follow reports what happens to a plan and to its loops until it rests, or the user
// leaves it.
func (p Plans) Follow(ctx context.Context, id string, d engine.Drive) (plan.State, error) {
	f := followedPlan(p, d, -1)
	look := time.NewTicker(refreshEvery / 2)
	defer look.Stop()
	for {
		over, err := f.look(ctx, id)
		if f.away.Passes(p.Engine.Say, err) {
			over, err = false, nil
		}
		if over || err != nil {
			return f.now, err
		}
		select {
		case <-look.C:
		case <-d.Stops:
			p.Engine.Say("%s: left; its worker continues", id)
			return f.now, nil
		case <-ctx.Done():
			return f.now, context.Cause(ctx)
		}
	}
}

// look reports what is new, and whether the plan rests or is not followed.
func (f *followed) look(ctx context.Context, id string) (over bool, err error) {
	r, err := f.Store.Server.Read(ctx, id)
	if err != nil {
		return false, err
	}
	r.State.File = f.Store.Path(id, r.State.File)
	f.now = r.State
	if f.Engine.Leaves {
		return true, nil
	}
	if err := f.report(ctx, r); err != nil {
		return false, err
	}
	return f.rests(ctx, r)
}

// rests reports whether no worker has a plan, and none will take it.
func (p Plans) rests(ctx context.Context, r engine.Stored[plan.State]) (bool, error) {
	if r.Live || r.State.NeedsProcess() {
		return false, nil
	}
	if r.State.Status != loop.Waiting {
		return true, nil
	}
	unread, err := p.Store.Unread(ctx, r.State.ID)
	return !unread, err
}

// followed is what of a plan was reported.
type followed struct {
	Plans
	drive engine.Drive
	now   plan.State
	away  engine.Outage
	after int64 // of the plan's events; below zero: none yet
	loops map[string]*followedLoop
	// inner are the plans in tasks' places.
	inner map[string]*followed
}

func followedPlan(p Plans, d engine.Drive, after int64) *followed {
	return &followed{Plans: p, drive: d, after: after, loops: map[string]*followedLoop{}, inner: map[string]*followed{}}
}

type followedLoop struct {
	state loop.State
	after int64
}

// followedFrom is a loop from now on, or from its first state.
func followedFrom(r engine.Stored[loop.State], now bool) (*followedLoop, error) {
	if now {
		return &followedLoop{r.State, r.Seq + 1}, nil
	}
	l := &followedLoop{after: 1} // the copy begins with an event of its own
	if err := json.Unmarshal(r.Spec, &l.state); err != nil {
		return nil, fmt.Errorf("%w: the first state of loop %s: %w", engine.ErrDamaged, r.State.ID, err)
	}
	return l, nil
}

func (f *followed) report(ctx context.Context, r engine.Stored[plan.State]) error {
	begins := f.after < 0
	if begins {
		f.after = r.Seq
	}
	for e, err := range engine.Events(ctx, f.Store.Events, r.State.ID, f.after, r.Seq) {
		if err != nil {
			return err
		}
		if event, known := e.Decoded.(plan.Event); known && f.drive.Watch != nil {
			f.drive.Watch(engine.Update{Plan: &engine.PlanUpdate{After: r.State, Event: event}})
		}
		f.after = e.Seq
	}
	for _, id := range r.State.Loops() {
		if err := f.reportLoop(ctx, id, begins); err != nil {
			return err
		}
	}
	for _, t := range r.State.Tasks {
		if !t.Child {
			continue
		}
		if err := f.reportInner(ctx, t.Loop, begins); err != nil {
			return err
		}
	}
	return nil
}

// reportInner reports what is new of a plan in a task's place.
func (f *followed) reportInner(ctx context.Context, id string, begins bool) error {
	r, err := f.Store.Read(ctx, id)
	if errors.Is(err, engine.ErrNotFound) { // it is about to be created
		return nil
	}
	if err != nil {
		return err
	}
	if f.inner[id] == nil {
		f.inner[id] = followedPlan(f.Plans, f.drive, 0)
		if begins {
			f.inner[id].after = -1
		}
	}
	return f.inner[id].report(ctx, r)
}

// reportLoop reports what is new of one loop: of one that began before the plan was
// followed, what happens from now on.
func (f *followed) reportLoop(ctx context.Context, id string, begins bool) error {
	l := f.loops[id]
	if l != nil && l.state.Status.Terminal() {
		return nil
	}
	r, err := f.Engine.refresh(ctx, id)
	if errors.Is(err, engine.ErrNotFound) { // it is about to be created
		return nil
	}
	if err != nil {
		return err
	}
	if l == nil {
		if l, err = followedFrom(r, begins); err != nil {
			return err
		}
		f.loops[id] = l
	}
	d := f.drive
	d.Watch = func(u engine.Update) {
		u.Task = r.State.Task.ID
		if f.drive.Watch != nil {
			f.drive.Watch(u)
		}
	}
	l.state, l.after, err = f.Engine.report(ctx, l.state, l.after, d)
	return err
}
