package planner

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/review"
	"ralph/internal/review/ballot"
	"ralph/internal/text"
)

// planFileName is where an agent writes how a task is to be done. It is on a
// branch of its own, which never lands.
const planFileName = "RALPH_TASK_PLAN.md"

// The headings of that file. The phases understand, clarify and plan end on
// their content (see plan.PhaseOf).
const (
	headUnderstanding = "Understanding"
	headQuestions     = "Open questions"
	headSteps         = "Steps"
)

// askForPlan is the agent's instruction before its task.
const askForPlan = `Do not do the task yet. Read what you need, and describe in %s how you will do it, under these headings:

## ` + headUnderstanding + `
What the task asks for, in your own words, and what it does not ask for.

## ` + headQuestions + `
Leave this section empty when you stop. Ask each question with "ralph ask"; your next prompt contains the answer.

## ` + headSteps + `
A list of the steps, files, tests and risks.

Change no other file. The file is reviewed and approved before the work begins. The task:

%s`

// agreedFile is the copy of a loop's text that a person reads, edits and
// approves.
func (r *run) agreedFile(loop string) string {
	return engine.ApproachFile(r.Dir(r.lease.ID()), loop)
}

// planning chooses the loop that writes how a task is to be done, where
// approval is required before it begins.
func (r *run) planning(ctx context.Context, a plan.Action) error {
	id, err := r.loopID(ctx, a.Task, "-plan", r.state.Task(a.Task).Tries+1)
	if err != nil {
		return err
	}
	return r.commit(ctx, plan.Planning{Stamp: r.stamp(), Task: a.Task, Loop: id, From: r.state.Tip, Most: a.Most})
}

// planGate looks at one heading of the file. The program prints the problem.
func planGate(name, program string) loop.Gate {
	return loop.Gate{
		Name: name, Kind: loop.KindCommand, Level: loop.Hard, Parse: "exit",
		Run:     "[ -s " + planFileName + " ] || { echo " + planFileName + " was not written; exit 1; }; awk '" + program + "' " + planFileName,
		Timeout: loop.GateTimeout(loop.KindLint),
	}
}

func planFileGates() []loop.Gate {
	under := func(head string) string { return `/^#/ { on = index($0, "` + head + `"); next } on && ` }
	return []loop.Gate{
		planGate(plan.GateUnderstood, under(headUnderstanding)+`NF { ok = 1 } END { if (!ok) print "nothing stands under ## `+headUnderstanding+`"; exit !ok }`),
		planGate(plan.GateClarified, under(headQuestions)+`NF && tolower($0) !~ /^[-* ]*(none|nothing)[.]?[ ]*$/ { print "still open: " $0; open = 1 } END { exit open }`),
		planGate(plan.GatePlanned, under(headSteps)+`/^ *([-*]|[0-9]+[.)]) *[^ ]/ { ok = 1 } END { if (!ok) print "no list stands under ## `+headSteps+`"; exit !ok }`),
	}
}

// writePlan lets the task's agent write how it will do the task.
func (r *run) writePlan(t plan.TaskState, f *job) jobFunc {
	spec := r.taskSpec(t)
	task, _ := r.doc.task(t.ID)
	author := spec.Agent
	spec.Task.Text = fmt.Sprintf(askForPlan, planFileName, taskText(task))
	spec.Gates = planFileGates()
	spec.Task.Criteria, spec.Task.Plan.OutputFile, spec.Task.Plan.Large = nil, planFileName, false // the request is its list
	file := r.agreedFile(t.Loop)
	review := r.approachReview(t, task, author)
	return func(ctx context.Context) ([]plan.Event, error) {
		s, err := r.runLoop(ctx, spec, t.ID, f)
		if err != nil {
			return nil, err
		}
		done := r.stopped(t.ID, s)
		if s.Status != loop.StatusPassed {
			done.Message = cmp.Or(unwritten(s), done.Message)
			return []plan.Event{done}, nil
		}
		text, err := r.Repo.FileAt(ctx, s.Commit, planFileName)
		if err != nil {
			return nil, fmt.Errorf("read the plan of %s: %w", t.ID, err)
		}
		if err := durable.Write(file, text); err != nil {
			return nil, fmt.Errorf("keep the plan of %s: %w", t.ID, err)
		}
		done.Output = "it stands in " + file + ", which may be edited"
		if len(r.spec.Text) > 0 { // of a team: the person is on another machine
			done.Output = "it is shown by: " + next.Show(r.state.ID)
		}
		if review != nil {
			return review(ctx, done, string(text))
		}
		return []plan.Event{done}, nil
	}
}

// unwritten returns the last results of the file's gates; empty where they
// did not run.
func unwritten(s loop.State) string {
	var said []string
	if last := s.Last(); last != nil && s.Status.Terminal() {
		for _, r := range last.Results {
			if r.Verdict != loop.Passed {
				said = append(said, cmp.Or(strings.TrimSpace(r.Excerpt), r.Gate+": "+r.Reason))
			}
		}
	}
	return strings.Join(slices.Compact(said), "; ")
}

// agreed returns the approved approach of the task; empty where no approval
// was asked for.
func (r *run) agreed(t plan.TaskState) string {
	if t.Agreed == "" {
		return ""
	}
	approved, err := os.ReadFile(r.agreedFile(t.Agreed))
	if err != nil {
		return ""
	}
	return text.Head(string(approved), mostPage)
}

// approachReview lets a reviewer approve the approach of a task, where that is
// configured in place of a person; else it is nil. Where no reviewer is
// available, or can decide, the person is asked all the same.
func (r *run) approachReview(t plan.TaskState, task plan.Task, author loop.Agent) func(context.Context, plan.Stopped, string) ([]plan.Event, error) {
	if !r.spec.Rules.ByReview {
		return nil
	}
	i := inspection{
		task: t.ID, slot: t.Loop, author: author, base: t.From, commit: t.From, dir: reviewDir(r.Dir(r.lease.ID()), t.Loop),
		subject: review.Subject{
			Title: task.Title, Task: taskText(task), Criteria: task.Criteria, Constraints: r.doc.plan.Constraints, Known: r.known(),
		},
	}
	return func(ctx context.Context, done plan.Stopped, text string) ([]plan.Event, error) {
		i.subject.Approach = text
		w := r.NewWorker(r.Dir(r.lease.ID()))
		req := r.request(w, i)
		req.Kind = ballot.Approach
		out, err := w.Pay(ctx, r.lease, req, review.Ask)
		if err != nil {
			return r.unpaid(t.ID, "the review of its plan", err)
		}
		if _, err := keepReview(i.dir, out); err != nil {
			return nil, err
		}
		done.Stamp = r.stamp()
		if out.Quorum && (out.Passed() || out.Rejections > 0) {
			done.Opinion = &plan.Opinion{Approve: out.Passed(), Why: reasonOf(out), Degraded: out.Degraded}
		} else {
			done.Output = fmt.Sprintf("no reviewer could tell (%s); %s", out.Reason, done.Output)
		}
		return []plan.Event{done}, nil
	}
}
