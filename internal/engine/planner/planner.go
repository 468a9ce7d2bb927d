package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/worker"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
)

// Planner runs the plans of one repository. It implements engine.Plans.
type Planner struct {
	Loops engine.Loops
	Store engine.PlanStore
	// Approvals are the commands of plans that a person accepted.
	Approvals engine.Approvals
	Repo      *git.Repo
	Now       func() time.Time
	// By names this process to others.
	By string
	// Dir is the folder of a plan's evidence on this machine, by its id.
	Dir func(id string) string
	// Views is the folder of the views for users; "" is none.
	Views string
	// NewWorker makes what performs the actions of a loop, from the folder of its files;
	// reviewers of a plan use its drivers and environment too.
	NewWorker func(dir string) *worker.Worker
	// Fault is called at every point at which a run must survive a crash.
	Fault func(point string)
	// SpaceWait waits where a disk is full; nil: what fails then ends the run.
	SpaceWait engine.SpaceWait
	// FetchLanded gets what landed of a plan that another worker drove to this machine; nil: it is
	// here.
	FetchLanded func(context.Context, plan.State) error
	// TeamWorkers drive the plans; nil: this process drives them.
	TeamWorkers TeamWorkers
}

var _ engine.Plans = (*Planner)(nil)

// Start acquires the plan of a file and drives it.
func (p *Planner) Start(ctx context.Context, spec engine.PlanSpec, o engine.Options, d engine.Drive) (plan.State, error) {
	data, err := json.Marshal(spec)
	if err != nil {
		return plan.State{}, fmt.Errorf("record the plan: %w", err)
	}
	first := plan.Begin(spec.ID, spec.File, "", Branch(spec.ID), spec.Base, spec.Rules)
	before, _ := p.Store.Read(ctx, spec.ID) // the zero value of one that never ran
	if err := engine.PlanMovedOf(before.State); err != nil && !p.abandons(before.State, o) {
		return before.State, err
	}
	r := &run{former: former(before, o.TakeOver), gap: before.Gap(o.TakeOver), spec: spec, drive: d, asked: true}
	if p.TeamWorkers != nil {
		return p.startOnWorkers(ctx, spec, first, o, d)
	}
	r.lease, err = p.acquire(ctx, first, data, o.TakeOver)
	if errors.Is(err, engine.ErrDamaged) {
		r.lease, r.anew, err = p.instead(ctx, first, data, err)
	}
	if err != nil {
		return plan.State{}, err
	}
	return p.drive(ctx, r, o)
}

// Resume drives a plan as it was requested when it started.
func (p *Planner) Resume(ctx context.Context, id string, o engine.Options, d engine.Drive) (plan.State, error) {
	r, err := p.Store.Read(ctx, id)
	if err != nil {
		return plan.State{}, err
	}
	if err := engine.PlanMovedOf(r.State); err != nil {
		return r.State, err
	}
	spec, err := specOf(r)
	if err != nil {
		return r.State, err
	}
	var data []byte
	if o.TaskBudget.Any() && o.TaskBudget != spec.Task.Budget {
		spec.Task.Budget = o.TaskBudget
		if data, err = json.Marshal(spec); err != nil {
			return r.State, fmt.Errorf("record the budget of tasks: %w", err)
		}
	}
	if p.TeamWorkers != nil {
		return p.wakeWorker(ctx, r, data, o, d)
	}
	lease, err := p.acquire(ctx, r.State, data, o.TakeOver)
	if err != nil {
		return r.State, err
	}
	spec.Rules = r.State.Rules // its tasks may have other ids by now
	return p.drive(ctx, &run{lease: lease, former: former(r, o.TakeOver), gap: r.Gap(o.TakeOver), spec: spec, drive: d}, o)
}

// acquire acquires the lease of a plan; one that never ran is recorded as first. A plan
// that is not running is held for a moment only: by a process that carries out a command,
// or that writes the last of its file before it releases.
func (p *Planner) acquire(ctx context.Context, first plan.State, spec []byte, over bool) (lease engine.PlanLease, err error) {
	rests := func() bool {
		rec, err := p.Store.Read(ctx, first.ID)
		return err == nil && rec.State.Status != loop.Running
	}
	err = engine.AwaitLease(ctx, rests, func() error {
		lease, err = p.Store.Acquire(ctx, first.ID, spec, over)
		if !errors.Is(err, engine.ErrNotFound) {
			return err
		}
		lease, err = p.Store.Create(ctx, first, spec)
		if errors.Is(err, engine.ErrExists) { // another process was faster
			lease, err = p.Store.Acquire(ctx, first.ID, spec, over)
		}
		return err
	})
	return lease, err
}

func damaged(r storedPlan) error {
	return fmt.Errorf("plan %s: %w: %s", r.State.ID, engine.ErrDamaged, r.Damage)
}

func specOf(r storedPlan) (engine.PlanSpec, error) {
	if r.Damage != "" {
		return engine.PlanSpec{}, damaged(r)
	}
	spec, err := engine.ReadPlanSpec(r.State.ID, r.Spec)
	if err != nil {
		err = fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	return spec, err
}

// drive runs the plan under its lease, and releases it. Commands sent until then
// were left to this run: where it only rested, it continues.
func (p *Planner) drive(ctx context.Context, r *run, o engine.Options) (s plan.State, err error) {
	if r.drive.Drives != nil {
		defer r.drive.Drives(r.lease.ID())()
	}
	if s, err = p.runToRest(ctx, r, o); err != nil || s.Status.Terminal() {
		return s, errors.Join(err, r.lease.Release(context.WithoutCancel(ctx)))
	}
	err = engine.Release(ctx, p.Store, r.lease, func(whole context.Context, lease engine.PlanLease) error {
		if lease.State().Status == loop.Paused {
			err := p.executeInbox(whole, lease)
			s = lease.State()
			return err
		}
		rec, err := p.Store.Read(whole, s.ID)
		if err != nil {
			return err
		}
		next := &run{lease: lease, drive: r.drive}
		if next.spec, err = specOf(rec); err != nil {
			return err
		}
		next.spec.Rules = rec.State.Rules // its tasks may have other ids by now
		s, err = p.runToRest(ctx, next, engine.Options{Force: o.Force, Recovery: o.Recovery})
		return err
	})
	return s, err
}

// runToRest runs the plan to where it stops by itself.
func (p *Planner) runToRest(ctx context.Context, r *run, o engine.Options) (plan.State, error) {
	if !o.Recovery {
		if err := r.lease.ForgetRecovery(ctx); err != nil {
			return r.lease.State(), err
		}
	}
	r.Planner, r.force, r.now, r.state = p, o.Force, o.Now, r.lease.State()
	r.jobs, r.results = map[string]*job{}, make(chan result)
	r.failed, r.pasts, r.times = map[string]int{}, map[string][]string{}, map[string]*engine.Until{}
	r.state.Rules, r.state.File = r.spec.Rules, r.spec.File // it may have been moved
	r.clearReviewSlots(ctx)
	if err := r.open(ctx, o); err != nil {
		return r.state, err
	}
	err := r.eventLoop(ctx)
	r.waitForJobs()
	err = errors.Join(err, r.flushFile(context.WithoutCancel(ctx)))
	if err == nil {
		err = r.archive(ctx)
	}
	if err == nil && !r.state.Status.Terminal() {
		p.fault("before:release")
	}
	return r.state, err
}

// flushFile writes the pending changes to the file, and records why it
// cannot.
func (r *run) flushFile(ctx context.Context) error {
	if err := r.doc.flush(ctx, &r.state, r.graph, true); err != nil || r.graph == nil {
		return err
	}
	return r.note(ctx)
}

// stamp is the time of an event, without the process's own clock.
func (p *Planner) stamp() loop.Stamp { return loop.Stamp{At: p.Now().Round(0)} }

// A run that takes a plan over from a living process also takes over its loops,
// and the plans in tasks' places, from that same process. It waits for runs of
// other processes, and the plan's note explains it.

// former returns the living process of a plan that is to be taken over, if any.
func former(r storedPlan, takeOver bool) string {
	if takeOver && r.Live {
		return r.Process
	}
	return ""
}

// mayTakeOver reports whether a loop is held by the process from which its plan was
// taken over.
func (r *run) mayTakeOver(ctx context.Context, loopID string) bool {
	if r.former == "" {
		return false
	}
	l, err := r.Loops.Show(ctx, loopID)
	return err == nil && l.Live && l.Process == r.former
}

// mayTakeChild is mayTakeOver for a plan in a task's place.
func (r *run) mayTakeChild(ctx context.Context, id string) bool {
	if r.former == "" {
		return false
	}
	child, err := r.Store.Read(ctx, id)
	return err == nil && former(child, true) == r.former
}

// awaited describes, by task, the resources of other processes that jobs wait
// for.
type awaited struct {
	mu sync.Mutex
	on map[string]string
}

// put notes the reason of a task's wait; "" is none any more.
func (a *awaited) put(task, words string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on == nil {
		a.on = map[string]string{}
	}
	if a.on[task] = words; words == "" {
		delete(a.on, task)
	}
}

// message joins all of them, sorted.
func (a *awaited) message() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []string
	for _, words := range a.on {
		out = append(out, words)
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), "; ")
}

// heldBy describes a wait for a loop or a plan that another process runs. Another worker
// cannot be taken over from, nor needs to be: it loses what it does not drive any more.
func (r *run) heldBy(id, owner string) string {
	if r.forWorkers() {
		return fmt.Sprintf("waits for %s, which %s runs", id, owner)
	}
	return fmt.Sprintf("waits for %s, which %s runs; if it hangs: %s", id, owner, next.Resume(id, "--take-over"))
}
