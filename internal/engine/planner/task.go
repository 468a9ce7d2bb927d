package planner

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// startTask chooses the loop of a task. That it will be is recorded before it is.
func (r *run) startTask(ctx context.Context, a plan.Action) error {
	t := r.state.Task(a.Task)
	from := r.state.Tip
	if t.Commit != "" && t.Commit != from {
		// The previous loop's leftovers continue, unless the tip has moved away.
		if on, err := r.Repo.IsAncestor(ctx, from, t.Commit); err != nil {
			return err
		} else if on {
			from = t.Commit
		}
	}
	if task, _ := r.doc.task(a.Task); task.SubPlan != "" {
		return r.startChild(ctx, a, task)
	}
	id, err := r.loopID(ctx, a.Task, "", t.Tries+1)
	if err != nil {
		return err
	}
	return r.commit(ctx, plan.Started{Stamp: r.stamp(), Task: a.Task, Loop: id, From: from, Most: a.Most})
}

// runTask runs the loop of a task until it stops by itself.
func (r *run) runTask(a plan.Action, f *job) jobFunc {
	t := *r.state.Task(a.Task)
	switch {
	case t.Status == plan.Approving:
		return r.writePlan(t, f)
	case t.Child:
		return r.runChild(t, f)
	}
	spec, tip := r.taskSpec(t), r.state.Tip
	return func(ctx context.Context) ([]plan.Event, error) {
		if t.Changed != "" {
			if s, ended, err := r.endChanged(ctx, t.Loop); err != nil || ended {
				return []plan.Event{r.stopped(t.ID, s)}, err
			}
		}
		if t.From != tip {
			base, err := r.Repo.MergeBase(ctx, t.From, tip)
			if err != nil {
				return nil, err
			}
			if base != t.From {
				spec.Base, spec.Leftover = base, t.From
			}
		}
		s, err := r.runLoop(ctx, spec, t.ID, f)
		if err != nil {
			return nil, err
		}
		return []plan.Event{r.stopped(t.ID, s)}, nil
	}
}

// stopped is the result of a loop, of a task or of the whole. One that a person
// paused while it waited rests for that person, and not for its earlier reason.
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
		Commit: s.Commit, Attempts: s.Made(), Progress: s.Commit != "" && s.Commit != s.Start() && s.Differs,
		Concerns: plan.Codes(s.Concerns()), Proof: s.ProofLabel(), Unchanged: unchanged(s), Granted: s.Granted(),
	}
}

func unchanged(s loop.State) bool {
	last := s.Last()
	return s.Status == loop.StatusFailed && last != nil && last.FailedGate == loop.FailedChange
}

// taskSpec returns the request for a task's loop: the run's own spec, and the
// plan's text of the task.
func (r *run) taskSpec(t plan.TaskState) loop.Spec {
	task, _ := r.doc.task(t.ID)
	s := r.spec.Task
	s.ID, s.Base, s.Parent = t.Loop, t.From, r.spec.ID
	s.Branch = r.branchName(t.Loop)
	s.StopIfGreen, s.InPlace, s.WithChanges, s.Force = false, false, false, false
	s.Task = loop.Task{
		ID: slug(t.ID, 40), Kind: s.Task.Kind, Text: taskText(task), Criteria: task.Criteria,
		Scope: union(s.Task.Scope, task.Files), Plan: r.inPlan(task, t),
	}
	s = task.Permit(s, r.spec.ProofAsked).Grant(t.Upheld.Granted())
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
			s.Gates = append(s.Gates, named(g, loop.GateOfTask, s.Gates))
		}
	}
	if t.Gap != "" {
		s.Gates = loop.ReviewsFor(r.planGates(), loop.Work{}) // it may touch the work of any task
	}
	s.OtherGates = otherGates(s, r.planGates())
	if s.Proof == loop.ProofReview && !slices.ContainsFunc(s.Gates, loop.Gate.IsSpecReview) {
		s.Proof = loop.ProofRequired // no review could stand for it
	}
	if t.Most > 0 {
		s.Limits.MaxIterations = t.Most
	}
	return s
}

// otherGates are the commands of the configured gates and of the plan's that do not judge a
// task.
func otherGates(s loop.Spec, all []loop.Gate) []string {
	commands := slices.Clone(s.OtherGates)
	for _, g := range all {
		own := slices.ContainsFunc(s.Gates, func(o loop.Gate) bool { return o.Run == g.Run })
		if g.Run != "" && !g.Hidden && !own && !slices.Contains(commands, g.Run) {
			commands = append(commands, g.Run)
		}
	}
	return commands
}

// named gives a gate a name that no other has.
func named(g loop.Gate, name string, others []loop.Gate) loop.Gate {
	g.Name = name
	for n := 2; slices.ContainsFunc(others, func(o loop.Gate) bool { return o.Name == g.Name }); n++ {
		g.Name = fmt.Sprintf("%s-%d", name, n)
	}
	return g
}

// taskText returns the instructions.
func taskText(t plan.Task) string {
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

// agentOf returns the agent of a task: the one that it names, or that of the
// run where it names none. Where it names one that cannot do it, why is the
// reason.
func (r *run) agentOf(task plan.Task) (who loop.Agent, why string) {
	who = r.spec.Task.Agent
	if task.Agent == "" {
		return who, ""
	}
	named, known := r.spec.Agents[task.Agent]
	if !known { // it came while the plan runs
		for name, g := range r.spec.Agents {
			if strings.EqualFold(name, task.Agent) {
				named, known = g, true
			}
		}
	}
	switch {
	case !known:
		return who, fmt.Sprintf("names the agent %q, which was not configured when the run began", task.Agent)
	case !task.Suits(named):
		return who, fmt.Sprintf("names the agent %q, which only answers and cannot work in a tree", task.Agent)
	}
	return named, ""
}

// unknownAgents lists the tasks that name an agent which does not do them. The
// user has seen those that stood in the file when the run began.
func (r *run) unknownAgents() string {
	var all []string
	for _, t := range r.doc.plan.Tasks {
		who, why := r.agentOf(t)
		if why == "" || t.SubPlan != "" {
			continue
		}
		if s := r.state.Task(t.ID); s != nil && (s.Status.Open() || s.Proved()) {
			all = append(all, fmt.Sprintf("task %s %s: %s takes its place", t.ID, why, who.Name))
		}
	}
	return text.Few(all, 3)
}

// outputFile is where the answer of a text task is committed: the path that the
// plan names, the only file that the task declares, or one below docs. Of tasks
// whose ids look alike there, the first of the file has the plain name.
func outputFile(planID string, p plan.Plan, t plan.Task) string {
	if name := product(t.Output); name != "" {
		return name
	}
	if len(t.Files) == 1 && !strings.ContainsAny(t.Files[0], "*?[{") {
		if name := product(t.Files[0]); name != "" {
			return name
		}
	}
	return "docs/" + planID + "/" + fileName(p, t.ID) + ".md"
}

// product is the path of a file that an agent may make, cleaned; "" is none.
func product(name string) string {
	clean := path.Clean(strings.ReplaceAll(name, "\\", "/"))
	if strings.HasSuffix(name, "/") || path.IsAbs(clean) || strings.HasPrefix(clean, ".") {
		return ""
	}
	return clean
}

func fileName(p plan.Plan, id string) string {
	name := slug(id, 40)
	for _, o := range p.Tasks {
		switch {
		case o.ID == id:
			return name
		case slug(o.ID, 40) == name:
			return name + "-" + digestOf(id)[:6]
		}
	}
	return name
}

// textGates judge a task whose product is an answer: it exists and is one (seed
// 002), and reviewers have approved it. Tests of code prove nothing about it.
func textGates(gates []loop.Gate, file string) []loop.Gate {
	gates = slices.DeleteFunc(slices.Clone(gates), func(g loop.Gate) bool { return g.Kind != loop.KindReview && g.Kind != loop.KindHuman })
	return append([]loop.Gate{{
		Name: "answered", Kind: loop.KindAnswer, Level: loop.Hard, Answer: file, Timeout: loop.GateTimeout(loop.KindLint),
	}}, gates...)
}
