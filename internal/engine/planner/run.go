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
)

// run is a plan that this process drives.
type run struct {
	*Planner
	lease engine.PlanLease
	spec  engine.PlanSpec
	drive engine.Drive
	force bool
	// now retries at once everything that waits for a usage limit.
	now bool
	// former is the living process from which the plan was taken over, if any; awaits
	// are the loops and plans that other processes hold.
	former string
	// gap is why the plan did not move before this process acquired it.
	gap    loop.Gap
	awaits awaited
	// asked is set by Start: the ids of the request are those of the file now.
	asked bool
	// anew explains why Start began the plan anew, if it did.
	anew string
	// lost describes work that landed elsewhere and is missing here.
	lost string
	// proposed are the commands that each task proposed when the run began.
	proposed map[string][]string

	state plan.State
	graph *plan.Graph
	doc   *document

	// jobs are the actions in flight by their keys; each reports to results.
	jobs    map[string]*job
	results chan result
	stops   engine.Stop
	// notCreated is the abort that loops still have to get which did not exist yet.
	notCreated *engine.Command
	// expects is set while a question is open that will be answered without a person;
	// times are when, for questions with a deadline of their own.
	expects bool
	times   map[string]*engine.Until
	// failed counts the errors of an action's job, by its key.
	failed map[string]int

	touched    touched
	limitWaits limitWaits
	// pasts are the files that each commit changed.
	pasts map[string][]string
}

// lookEvery is the interval of polling sources that send no signal: the
// plan's file, loops that rest.
const lookEvery = time.Second

// eventLoop runs until nothing continues by itself. It polls before the first
// step: tasks answered while no process ran the plan continue now.
func (r *run) eventLoop(ctx context.Context) error {
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	if err := r.look(ctx); err != nil {
		return err
	}
	for {
		if err := r.startReady(ctx); err != nil {
			return err
		}
		if over, err := r.atRest(ctx); over || err != nil {
			return err
		}
		select {
		case l := <-r.results:
			if err := r.finished(ctx, l); err != nil {
				return err
			}
		case stop := <-r.drive.Stops:
			if err := r.stop(ctx, stop); err != nil {
				return err
			}
		case <-r.lease.Wake():
			if err := r.look(ctx); err != nil {
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

// atRest reports whether the run is to end: no job is in flight but those that a
// question need not wait for, nothing can start, and no question is open that
// will be answered without a person.
func (r *run) atRest(ctx context.Context) (bool, error) {
	if len(r.jobs) > 0 {
		return r.yields(ctx)
	}
	if r.state.Status == loop.Running {
		return false, nil
	}
	if err := r.unattended(ctx); err != nil || r.expects {
		return false, err
	}
	heard, err := r.executeNew(ctx)
	return !heard, err
}

// startReady starts the jobs that may start now.
func (r *run) startReady(ctx context.Context) error {
	if err := r.useApproved(ctx); err != nil {
		return err
	}
	for {
		again := false
		for _, a := range plan.Next(r.graph, r.state, r.changes(ctx)) {
			if _, ok := r.jobs[a.Key]; ok {
				continue
			}
			moved, err := r.startAction(ctx, a)
			if err != nil {
				return err
			}
			again = again || moved
		}
		if !again {
			if err := r.doc.flush(ctx, &r.state, r.graph, false); err != nil {
				return err
			}
			return r.note(ctx)
		}
	}
}

// note records, once, why the file differs from the record, and other facts
// that the user should know.
func (r *run) note(ctx context.Context) error {
	text := joined(r.doc.message(), r.lost, r.gateChanges(), r.unknownAgents(), r.fileChanges(), r.reviewWaits(), r.awaits.message())
	if text == r.state.Note {
		return nil
	}
	return r.commit(ctx, plan.Noted{Stamp: r.stamp(), Text: text})
}

// joined are the notes that are not empty.
func joined(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

// startAction starts an action; moved reports that it changed the state already.
func (r *run) startAction(ctx context.Context, a plan.Action) (moved bool, err error) {
	switch a.Do {
	case plan.DoStart:
		if a.Plans {
			return true, r.planning(ctx, a)
		}
		return true, r.startTask(ctx, a)
	case plan.DoAsk:
		t := r.state.Task(a.Task)
		return true, r.commit(ctx, plan.Asked{Stamp: r.stamp(), Question: plan.FailureQuestion(*t)})
	case plan.DoRest:
		return r.rest(ctx, a)
	case plan.DoLand:
		if r.state.Task(a.Task).Onto == "" {
			return true, r.commit(ctx, plan.LandBegan{Stamp: r.stamp(), Task: a.Task, Onto: r.state.Tip})
		}
	case plan.DoProve:
		if moved, err := r.proof(ctx); moved || err != nil {
			return moved, err
		}
	}
	r.startJob(ctx, a)
	return false, nil
}

// rest records that nothing continues, unless a job is still in flight.
func (r *run) rest(ctx context.Context, a plan.Action) (bool, error) {
	if len(r.jobs) > 0 || r.state.Status == a.Rest.Status && r.state.Reason == a.Rest.Reason {
		return false, nil
	}
	rested := a.Rest
	rested.Stamp = r.stamp()
	return true, r.commit(ctx, rested)
}

// commit records an event and the resulting state. The plan's file is written
// before the record of an end or a rest: a process that is killed in between
// leaves a run that is resumed, and no ended one whose file lags behind forever.
func (r *run) commit(ctx context.Context, e plan.Event, took ...int64) error {
	next, err := plan.Apply(r.state, e)
	if err != nil {
		return err
	}
	if r.state.Status == loop.Running && next.Status != loop.Running && r.doc != nil {
		if err := r.doc.flush(ctx, &next, r.graph, true); err != nil {
			return err
		}
	}
	r.fault("before:" + e.Name())
	record := func() error { return r.lease.Commit(context.WithoutCancel(ctx), next, []plan.Event{e}, took...) }
	if r.stops > 0 { // a process that is to stop waits for no room
		err = record()
	} else {
		err = r.withSpace(ctx, r.drive.Stops, record)
	}
	if err != nil {
		return fmt.Errorf("record %s: %w", e.Name(), err)
	}
	r.fault("after:" + e.Name())
	r.state = next
	if err := r.useGaps(); err != nil {
		return err
	}
	if r.drive.Watch != nil {
		r.drive.Watch(engine.Update{Plan: &engine.PlanUpdate{After: next, Event: e}})
	}
	return nil
}

// useGaps takes the tasks that open findings became into the plan.
func (r *run) useGaps() error {
	if r.doc == nil || r.graph == nil {
		return nil
	}
	tasks := r.state.GapTasks(r.doc.plan.Sectioned)
	if len(r.doc.plan.Tasks) == len(r.doc.file.Plan.Tasks)+len(tasks) {
		return nil
	}
	r.doc.use(tasks)
	graph, err := r.doc.plan.Graph()
	if err == nil {
		r.graph = graph
	}
	return err
}

func (p *Planner) fault(point string) {
	if p.Fault != nil {
		p.Fault(point)
	}
}
