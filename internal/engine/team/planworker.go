package team

import (
	"context"
	"slices"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// PlanWork is what a worker needs of the plans of a server.
type PlanWork struct {
	Plans  engine.Plans
	Server engine.SharedPlans
	// Usable reports whether this machine has, or can get, what a plan needs.
	Usable func(context.Context, plan.State) error
	// Continues reports whether a plan that rests would continue.
	Continues func(ctx context.Context, id string) (bool, error)
}

// mostPlans is how many plans one worker drives before it takes no more: each of them asks the
// server about its loops every second. Plans in tasks' places count, and begin all the same:
// the plan around one would wait for it, and keep the place that it waits for.
const mostPlans = 8

// drives counts a plan that this process drives, also one in a task's place.
func (w *Worker) drives(id string) (over func()) {
	add := func(n int) {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.driven[id] += n; w.driven[id] == 0 {
			delete(w.driven, id)
		}
	}
	add(1)
	return func() { add(-1) }
}

// drivenPlans is how many plans it drives or is about to; w.mu is held.
func (w *Worker) drivenPlans() int {
	n := len(w.plans)
	for id := range w.driven {
		if !w.plans[id] {
			n++
		}
	}
	return n
}

func (w *Worker) lookAtPlans(ctx context.Context) error {
	all, err := w.Plans.Server.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return err
	}
	for _, a := range slices.Backward(all) { // the oldest first
		r, wanted, err := now(ctx, a, a.State.ID, w.wantedPlan, w.Plans.Server.Read)
		if err != nil {
			return err
		}
		if wanted {
			w.takePlan(ctx, r.State)
		}
	}
	return nil
}

// wantedPlan reports whether a plan has something to do, no process that does it, and room
// here. One that a user paused is left alone, whatever was sent to it.
func (w *Worker) wantedPlan(ctx context.Context, r engine.Stored[plan.State]) (bool, error) {
	id := r.State.ID
	w.mu.Lock()
	leave := w.plans[id] || w.drivenPlans() >= mostPlans || time.Now().Before(w.later[id])
	w.mu.Unlock()
	switch {
	case leave, r.Live, !w.mayTake(r), w.newer(id, r.Newer):
		return false, nil
	case r.State.NeedsProcess():
		return true, nil
	case r.State.Status != loop.Waiting:
		return false, nil
	}
	if unread, err := w.Plans.Server.Unread(ctx, id); unread || err != nil {
		return unread, err
	}
	return w.Plans.Continues(ctx, id)
}

// mayTake reports whether this worker has the labels that all of a plan runs on: it judges the
// merged work, and what only some tasks run on is asked of the workers of their loops. A plan
// in the place of a task is begun by the worker of the plan around it.
func (w *Worker) mayTake(r engine.Stored[plan.State]) bool {
	spec, err := engine.ReadPlanSpec(r.State.ID, r.Spec)
	if err != nil {
		w.leaveAlone(r.State.ID, err)
		return false
	}
	begun := len(spec.Ancestors) == 0 || !r.State.StartedAt.IsZero()
	return begun && engine.Offers(w.Labels, spec.Task.RunsOn)
}

func (w *Worker) takePlan(ctx context.Context, s plan.State) {
	w.start(w.plans, s.ID, func() time.Duration {
		return w.drive(ctx, s.ID, func() error { return w.Plans.Usable(ctx, s) }, func(d engine.Drive) (loop.Status, error) {
			d.Drives = w.drives
			s, err := w.Plans.Plans.Resume(ctx, s.ID, engine.Options{Recovery: true}, d)
			return s.Status, err
		})
	})
}
