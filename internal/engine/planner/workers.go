package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/planfile"
)

// TeamWorkers are the workers of a team, which take requests of plans from the store and
// drive them in their processes.
type TeamWorkers interface {
	// Ready refuses a request that they cannot carry out, and makes the commit available
	// from which a new plan starts.
	Ready(ctx context.Context, spec engine.PlanSpec, first *plan.State) error
	// Anew sets aside what the remote has on the branch of a plan that begins anew as first,
	// and returns where; "" where there is nothing. Landed is the commit of its record, which
	// an earlier request may have set aside.
	Anew(ctx context.Context, first plan.State, landed string) (aside string, err error)
	// Name is what other machines call the file of a plan.
	Name(path string) string
	// Fetch gets the landed work of a plan to this machine.
	Fetch(ctx context.Context, s plan.State) error
	// Follow reports what happens to a plan until it rests, or the user leaves it.
	Follow(ctx context.Context, id string, d engine.Drive) (plan.State, error)
}

// startOnWorkers records the request of a plan for the workers, and follows it. The file travels
// as its content: later changes of it count when the plan is run again.
func (p *Planner) startOnWorkers(ctx context.Context, spec engine.PlanSpec, first plan.State, o engine.Options, d engine.Drive) (plan.State, error) {
	file := newDocument(spec.File, "")
	if err := file.load(); err != nil {
		return plan.State{}, err
	}
	var err error
	if spec.Inner, err = p.freeze(ctx, spec, file.plan, []string{spec.ID}, p.TeamWorkers.Name); err != nil {
		return plan.State{}, err
	}
	spec.Text = file.data
	if err := spec.Check(); err != nil {
		return plan.State{}, fmt.Errorf("the request of plan %s: %w", spec.ID, err)
	}
	if o.Fresh && file.plan.Status == plan.PlanArchived {
		spec.Text = file.file.Write([]planfile.Change{{Kind: planfile.SetPlan, Plan: plan.PlanInProgress, Again: true}}).Data
	}
	var made *plan.State
	if _, err := p.Store.Read(ctx, spec.ID); errors.Is(err, engine.ErrNotFound) {
		made = &first
	} else if err != nil {
		return plan.State{}, err
	}
	if made != nil && o.Fresh {
		if _, err := p.TeamWorkers.Anew(ctx, first, ""); err != nil { // no record tells whose work it is
			return plan.State{}, err
		}
	}
	if err := p.TeamWorkers.Ready(ctx, spec, made); err != nil {
		return plan.State{}, err
	}
	data, err := json.Marshal(spec)
	if err != nil {
		return plan.State{}, fmt.Errorf("record the plan: %w", err)
	}
	lease, err := p.acquire(ctx, first, data, false)
	if err != nil {
		return plan.State{}, err
	}
	p.fault("acquired for workers")
	s := lease.State()
	s.Rules, s.File = spec.Rules, spec.File
	var begun []plan.Event
	if made == nil && o.Fresh && !waitsToBegin(s) {
		s, begun, err = p.beginAnewForTeam(ctx, s, first, o.Kept)
	}
	if err == nil {
		err = p.goOn(ctx, lease, s, file.plan.WantedIDs(s.Rules.Only), begun...)
		p.fault("recorded for workers")
	}
	if err = errors.Join(err, lease.Release(context.WithoutCancel(ctx))); err != nil {
		return lease.State(), err
	}
	return p.TeamWorkers.Follow(ctx, spec.ID, d)
}

// goOn records a state, and that the plan continues where it was paused or has ended: with
// the tasks that are wanted, or all. Events are what led to the state.
func (p *Planner) goOn(ctx context.Context, lease engine.PlanLease, s plan.State, wanted []string, events ...plan.Event) error {
	if s.Status == loop.Paused || s.PauseAsked {
		if err := p.resumeInner(ctx, s); err != nil {
			return err
		}
	}
	if s.Status.Terminal() || s.Status == loop.Paused || s.PauseAsked {
		events = append(events, plan.Resumed{Stamp: p.stamp(), Retry: s.Status.Terminal(), Wanted: wanted})
	}
	next, err := journal.Fold(plan.Apply, s, events...)
	if err != nil {
		return err
	}
	return lease.Commit(ctx, next, events)
}

// wakeWorker has a worker continue a plan that rests, and follows it. Data replaces its request
// where it is not empty.
func (p *Planner) wakeWorker(ctx context.Context, r storedPlan, data []byte, o engine.Options, d engine.Drive) (plan.State, error) {
	if o.TakeOver {
		return r.State, fmt.Errorf("%w: --take-over is for the machine that has the files", engine.ErrNotShared)
	}
	if r.State.Status.Terminal() {
		return r.State, engine.ErrEnded
	}
	lease, err := p.Store.Acquire(ctx, r.State.ID, data, false)
	if err == nil {
		err = p.goOn(ctx, lease, lease.State(), nil)
		err = errors.Join(err, lease.Release(context.WithoutCancel(ctx)))
	}
	if err == nil && r.State.Status == loop.Waiting {
		c := engine.Command{Kind: engine.Recheck, By: p.By}
		if o.Now {
			c.Kind = engine.Wake
		}
		err = p.Store.Send(ctx, r.State.ID, c.Message())
	}
	if err != nil && !errors.Is(err, engine.ErrRunning) {
		return r.State, err
	}
	return p.TeamWorkers.Follow(ctx, r.State.ID, d)
}

// Continues reports whether a plan that rests would continue: its question was answered,
// or a loop that it waits for has ended.
func (p *Planner) Continues(ctx context.Context, id string) (bool, error) {
	return p.childContinues(ctx, id)
}

// writeBack writes into the file of this machine what a plan did elsewhere. A file that is
// not here stays away.
func (p *Planner) writeBack(ctx context.Context, rec storedPlan, lease engine.PlanLease) error {
	r, err := p.reopen(rec, lease.State(), lease)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := r.doc.flush(ctx, &r.state, r.graph, true); err != nil {
		return err
	}
	return r.archive(ctx)
}

// writeBackInner writes into the files of plans in tasks' places what they did elsewhere.
func (p *Planner) writeBackInner(ctx context.Context, s plan.State) error {
	for _, t := range s.Tasks {
		if !t.Child || t.Landed == "" {
			continue
		}
		rec, err := p.Store.Read(ctx, t.Loop)
		if errors.Is(err, engine.ErrNotFound) {
			continue
		}
		if err == nil {
			err = p.writeBackInner(ctx, rec.State)
		}
		if err == nil {
			err = p.holding(ctx, rec, func(lease engine.PlanLease) error { return p.writeBack(ctx, rec, lease) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// holding does something under the lease of a plan that no process drives. An archived one
// stays archived.
func (p *Planner) holding(ctx context.Context, rec storedPlan, do func(engine.PlanLease) error) error {
	lease, err := p.acquire(ctx, rec.State, nil, false)
	if err != nil {
		return err
	}
	err = do(lease)
	if rec.Archived {
		err = errors.Join(err, p.Store.Archive(context.WithoutCancel(ctx), rec.State.ID))
	}
	return errors.Join(err, p.release(ctx, lease))
}

// pauseRuns pauses the loops of a plan that no process drives, and the plans in its tasks'
// places: their own workers do not stop with it.
func (p *Planner) pauseRuns(ctx context.Context, s plan.State, c engine.Command) error {
	for _, id := range s.Loops() {
		if _, err := p.Loops.Send(ctx, id, c); err != nil && !nothingToDo(err) {
			return err
		}
	}
	for _, t := range s.Tasks {
		if !t.Child || t.Status != plan.Running {
			continue
		}
		if _, err := p.Send(ctx, t.Loop, c); err != nil && !nothingToDo(err) {
			return err
		}
	}
	return nil
}

// fetchLanded gets what landed of a plan that another worker drove.
func (p *Planner) fetchLanded(ctx context.Context, s plan.State) error {
	if p.FetchLanded == nil {
		return nil
	}
	return p.FetchLanded(ctx, s)
}

// resumeInner resumes the plans in tasks' places that were paused with their plan, or by
// themselves.
func (p *Planner) resumeInner(ctx context.Context, s plan.State) error {
	for _, t := range s.Tasks {
		if !t.Child || t.Status != plan.Running {
			continue
		}
		rec, err := p.Store.Read(ctx, t.Loop)
		if errors.Is(err, engine.ErrNotFound) || err == nil && (rec.Live || rec.State.Status != loop.Paused) {
			continue
		}
		if err == nil {
			err = p.holding(ctx, rec, func(lease engine.PlanLease) error { return p.goOn(ctx, lease, lease.State(), nil) })
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pauseChild pauses the plan in a task's place that another worker drives.
func (r *run) pauseChild(ctx context.Context, spec engine.PlanSpec, stop engine.Stop) error {
	if !r.forWorkers() {
		return nil // the other process runs it for itself
	}
	c := engine.Command{Kind: stop.Kind(), By: "the plan"}
	if _, err := r.Send(ctx, spec.ID, c); err != nil && !nothingToDo(err) {
		return err
	}
	return nil
}
