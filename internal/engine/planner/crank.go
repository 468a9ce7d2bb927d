package planner

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// run is a plan under way.
type run struct {
	*Planner
	lease *store.PlanLease
	spec  engine.PlanSpec
	drive engine.Drive
	force bool
	// now: what waits for a usage limit is tried at once.
	now bool
	// former is the living process from which the plan was taken, if any; waits
	// are what others hold.
	former store.Owner
	waits  waits
	// asked: the run was asked for now, by the ids that stand in the file now.
	asked bool
	// lost is what this plan's work lacks, in words.
	lost string
	// offered are the commands that each task proposed when the run began.
	offered map[string][]string

	state plan.State
	graph *plan.Graph
	book  *book

	// flying are the actions under way by their keys; back is where they report.
	flying map[string]*flight
	back   chan arrival
	stops  engine.Stop
	// unborn is the command that ends loops which were not there yet.
	unborn *engine.Command
	// expects: a question is open that will be settled without a person; times are
	// when, for those with a deadline of their own.
	expects bool
	times   map[string]*engine.Until
	// failed counts how often the hands of an action failed, by its key.
	failed map[string]int

	touched touched
	naps    naps
	// pasts are the files that a commit has changed, by commit.
	pasts map[string][]string
}

// lookEvery is how often a run looks for what nobody tells it: messages, the
// plan's file, answers to loops that rest.
const lookEvery = time.Second

// crank turns until nothing goes on by itself. It looks before it turns: what
// was answered while nobody ran the plan goes on now.
func (r *run) crank(ctx context.Context) error {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	if err := r.look(ctx); err != nil {
		return err
	}
	for {
		if err := r.turn(ctx); err != nil {
			return err
		}
		if over, err := r.over(ctx); over || err != nil {
			return err
		}
		select {
		case l := <-r.back:
			if err := r.arrived(ctx, l); err != nil {
				return err
			}
		case stop := <-r.drive.Stops:
			if err := r.stop(ctx, stop); err != nil {
				return err
			}
		case <-look.C:
			if err := r.look(ctx); err != nil {
				return err
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// over: nothing is under way but what a question need not wait for, nothing can
// begin, and no question is open that will be settled without a person.
func (r *run) over(ctx context.Context) (bool, error) {
	if len(r.flying) > 0 {
		return r.letsGo(ctx)
	}
	if r.state.Status == loop.Running {
		return false, nil
	}
	if err := r.unattended(ctx); err != nil || r.expects {
		return false, err
	}
	heard, err := r.heard(ctx)
	return !heard, err
}

// turn begins what may go on now.
func (r *run) turn(ctx context.Context) error {
	for {
		again := false
		for _, a := range plan.Next(r.graph, r.state, r.changes(ctx)) {
			if _, ok := r.flying[a.Key]; ok {
				continue
			}
			moved, err := r.begin(ctx, a)
			if err != nil {
				return err
			}
			again = again || moved
		}
		if !again {
			if err := r.book.flush(ctx, &r.state, r.graph, false); err != nil {
				return err
			}
			return r.note(ctx)
		}
	}
}

// note says why the file is not as true as the record, once.
func (r *run) note(ctx context.Context) error {
	all := []string{r.book.words(), r.lost, r.regated(), r.strangers(), r.surprises(), r.heldWords(), r.waits.words()}
	text := strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
	if text == r.state.Note {
		return nil
	}
	return r.apply(ctx, plan.Noted{Stamp: r.stamp(), Text: text})
}

// begin starts an action. It answers true when the state has changed already.
func (r *run) begin(ctx context.Context, a plan.Action) (moved bool, err error) {
	switch a.Do {
	case plan.DoStart:
		if a.Plans {
			return true, r.planning(ctx, a)
		}
		return true, r.start(ctx, a)
	case plan.DoAsk:
		t := r.state.Task(a.Task)
		return true, r.apply(ctx, plan.Asked{Stamp: r.stamp(), Question: plan.FailureQuestion(*t)})
	case plan.DoRest:
		return r.rest(ctx, a)
	case plan.DoLand:
		if r.state.Task(a.Task).Onto == "" {
			return true, r.apply(ctx, plan.LandBegan{Stamp: r.stamp(), Task: a.Task, Onto: r.state.Tip})
		}
	case plan.DoProve:
		if moved, err := r.proof(ctx); moved || err != nil {
			return moved, err
		}
	}
	r.fly(ctx, a)
	return false, nil
}

// rest notes that nothing goes on, unless something is still coming in.
func (r *run) rest(ctx context.Context, a plan.Action) (bool, error) {
	if len(r.flying) > 0 || r.state.Status == a.Rest.Status && r.state.Reason == a.Rest.Reason {
		return false, nil
	}
	rested := a.Rest
	rested.Stamp = r.stamp()
	return true, r.apply(ctx, rested)
}

// apply changes the state by an event and records it.
func (r *run) apply(ctx context.Context, e plan.Event, took ...int64) error {
	next, err := plan.Apply(r.state, e)
	if err != nil {
		return err
	}
	r.fault("before:" + e.Name())
	if err := r.lease.Commit(context.WithoutCancel(ctx), next, []plan.Event{e}, took...); err != nil {
		return fmt.Errorf("record %s: %w", e.Name(), err)
	}
	r.fault("after:" + e.Name())
	r.state = next
	if r.drive.Watch != nil {
		r.drive.Watch(engine.Update{Plan: &engine.PlanUpdate{After: next, Event: e}})
	}
	return nil
}

func (p *Planner) fault(point string) {
	if p.Fault != nil {
		p.Fault(point)
	}
}
