package planner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// start chooses the loop of a task. That it will be is recorded before it is.
func (r *run) start(ctx context.Context, a plan.Action) error {
	t := r.state.Task(a.Task)
	from := r.state.Tip
	if t.Commit != "" && t.Commit != from {
		// What the loop before left goes on, unless the tip has moved away.
		if on, err := r.Repo.IsAncestor(ctx, from, t.Commit); err != nil {
			return err
		} else if on {
			from = t.Commit
		}
	}
	if task, _ := r.book.task(a.Task); task.SubPlan != "" {
		return r.startChild(ctx, a, task)
	}
	id, err := r.loopID(ctx, a.Task, "", t.Tries+1)
	if err != nil {
		return err
	}
	return r.apply(ctx, plan.Started{Stamp: r.stamp(), Task: a.Task, Loop: id, From: from, Most: a.Most})
}

// runTask runs the loop of a task until it stops by itself.
func (r *run) runTask(a plan.Action, f *flight) hand {
	t := *r.state.Task(a.Task)
	switch {
	case t.Status == plan.Approving:
		return r.writePlan(t, f)
	case t.Child:
		return r.runChild(t, f)
	}
	spec := r.taskSpec(t)
	return func(ctx context.Context) ([]plan.Event, error) {
		s, err := r.runLoop(ctx, spec, t.ID, f)
		if err != nil {
			return nil, err
		}
		return []plan.Event{r.stopped(t.ID, s)}, nil
	}
}

// stopped is what became of a loop, of a task or of the whole. One that a person
// paused while it waited rests for that person, and not for what it waited for.
func (r *run) stopped(task string, s loop.State) plan.Stopped {
	if s.Status == loop.Paused && !s.Stopped() {
		s.Reason = ""
	}
	var until time.Time
	if q := s.Open(); q != nil {
		until = q.Deadline
	}
	return plan.Stopped{
		Until: until, Stamp: r.stamp(), Task: task, Loop: s.ID, Status: s.Status, Reason: s.Reason, Message: s.Message,
		Commit: s.Commit, Attempts: s.Iteration, Progress: s.Commit != "" && s.Commit != s.Base && s.Differs,
	}
}

// retryAfter is how long a loop waits for its place, or for another process that
// has taken it up.
const retryAfter = time.Second

// runLoop starts the loop, or goes on with it where it stands.
func (r *run) runLoop(ctx context.Context, spec loop.Spec, task string, f *flight) (loop.State, error) {
	watch := r.watch(f)
	drive := engine.Drive{Watch: func(u engine.Update) { u.Task = task; watch(u) }, Stops: f.stops, Rests: true}
	defer r.waits.put(task, "")
	for {
		select {
		case <-f.ended:
			return loop.State{}, errEnded
		default:
		}
		s, err := r.Engine.Start(ctx, spec, engine.Options{Max: r.spec.MaxLoops, Force: r.force}, drive)
		if errors.Is(err, engine.ErrExists) {
			r.recall(ctx, f, spec.ID)
			s, err = r.Engine.Resume(ctx, spec.ID, engine.Options{Max: r.spec.MaxLoops, Force: r.force, Now: r.now, TakeOver: r.mayTake(ctx, spec.ID)}, drive)
		}
		_, full := errors.AsType[*engine.FullError](err)
		switch {
		case errors.Is(err, engine.ErrEnded):
			l, err := r.Engine.Show(ctx, spec.ID)
			return l.State, err
		case !full && !errors.Is(err, engine.ErrRunning):
			return s, err
		}
		if l, err := r.Engine.Show(ctx, spec.ID); !full && err == nil {
			r.waits.put(task, heldBy(spec.ID, l.Owner))
		}
		// Somebody has the place, or the loop: it is worth waiting for.
		select {
		case <-time.After(retryAfter):
		case stop := <-f.stops:
			return loop.State{Spec: spec, Status: loop.Paused, Message: fmt.Sprintf("not begun; stop %d was asked for", stop)}, nil
		case <-f.ended:
			return loop.State{}, errEnded
		case <-ctx.Done():
			return loop.State{}, context.Cause(ctx)
		}
	}
}

// taskSpec is what a task's loop is asked for: the run's own spec, and what the
// plan says of the task.
func (r *run) taskSpec(t plan.TaskState) loop.Spec {
	task, _ := r.book.task(t.ID)
	s := r.spec.Task
	s.ID, s.Base, s.Parent = t.Loop, t.From, r.spec.ID
	s.Branch = r.branchName(t.Loop)
	s.Until, s.InPlace, s.WithChanges, s.Force = false, false, false, false
	s.Task = loop.Task{
		ID: slug(t.ID, 40), Text: words(task), Criteria: task.Criteria,
		Scope: union(s.Task.Scope, task.Files), Plan: r.inPlan(task, t),
	}
	s.Agent, _ = r.agentOf(task)
	if s.Agent.Name != r.spec.Task.Agent.Name { // else its turns are there already
		s.Agents = r.spec.Turns[s.Agent.Name]
	}
	s.Gates = loop.ReviewsFor(s.Gates, loop.Work{Criteria: len(task.Criteria) > 0, Labels: task.Labels, Phase: strconv.Itoa(task.Phase)})
	if task.Kind == plan.KindText {
		s.Gates = textGates(s.Gates, s.Task.Plan.OutputFile)
	}
	for _, c := range task.Commands {
		if g, ok := r.spec.Commands[c]; ok {
			s.Gates = append(s.Gates, named(g, "task", s.Gates))
		}
	}
	if t.Most > 0 {
		s.Limits.MaxIterations = t.Most
	}
	return s
}

// named gives a gate a name that no other has.
func named(g loop.Gate, name string, others []loop.Gate) loop.Gate {
	g.Name = name
	for n := 2; slices.ContainsFunc(others, func(o loop.Gate) bool { return o.Name == g.Name }); n++ {
		g.Name = fmt.Sprintf("%s-%d", name, n)
	}
	return g
}

// words are what is to be done.
func words(t plan.Task) string {
	if t.Text == "" {
		return t.Title
	}
	return t.Title + "\n\n" + t.Text
}

func union(a, b []string) []string {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}
