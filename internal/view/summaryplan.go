package view

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// PlanSummary is the run of a plan in a report: its status, and the usage of
// its loops.
type PlanSummary struct {
	PlanRun
	// Done of Total tasks; tasks removed from the file are not counted.
	Done       int        `json:"done"`
	Total      int        `json:"total"`
	Iterations int        `json:"iterations"`
	Usage      loop.Usage `json:"usage"`
	Cost       string     `json:"cost"`
	// Verdict of the review of the whole plan, in words.
	Verdict string `json:"verdict"`
	// Open are the gaps and edge cases that are not resolved.
	Open []plan.Finding `json:"open"`
}

func planSummary(i PlanItem, v Plan) PlanSummary {
	o := PlanSummary{PlanRun: v.Object, Open: append([]plan.Finding{}, v.Open...), Verdict: v.Verdict}
	o.Done, o.Total = i.progress()
	o.Next = orNull(v.Next)
	for _, l := range i.Loops {
		o.Iterations += l.State.Iteration
	}
	var unknown int
	o.Usage, unknown = i.usage()
	o.Cost = costOf(o.Usage, unknown)
	return o
}

// addPlan adds a plan: each of its tasks once, by its current status. The cost
// of earlier tries of a task is counted, their results are not listed.
func (r *Summary) addPlan(i PlanItem, loops []Loop, now time.Time) {
	v := PlanOf(i, now)
	r.Plans = append(r.Plans, planSummary(i, v))
	r.planItself(i, now)
	for _, t := range v.Object.Tasks {
		if !t.Gone && t.Status != plan.Skipped {
			r.addTask(i, t, t.record, now)
		}
	}
	for _, q := range i.State.Unanswered() {
		if q.Loop == "" { // loops tell of their own
			r.LookTwice = append(r.LookTwice, Note{i.State.ID, "plan " + i.Title(), settledWords(q)})
		}
	}
	for _, l := range loops {
		r.loop(l)
	}
	for _, p := range i.Facts.Spent {
		r.spender(loop.Agent{Name: p.Name, Use: p.Use}, p)
	}
}

// planItself lists open questions and failures of the plan as a whole.
func (r *Summary) planItself(i PlanItem, now time.Time) {
	s, q := i.State, i.State.OpenQuestion()
	o := Open{
		LoopID: s.ID, PlanID: &s.ID, Task: "plan " + i.Title(), Status: i.status(),
		Next: orNull(i.next()), Agent: AgentObject{},
	}
	switch {
	case s.Status.Terminal():
		r.wholeFailed(i, now)
		return
	case q != nil:
		o.Why, o.Since = text.Line(asked(&q.Question)), timeOrNull(q.AskedAt)
	case s.Status == loop.Waiting && s.Reason == loop.ForHuman && strings.HasPrefix(i.next(), "ralph resume"):
		o.Why, o.Since = "everything is answered; the plan is not running", timeOrNull(s.LastAt)
	case i.Facts.Crashed:
		o.Why, o.Since = "the process that ran this plan is gone; what was recorded is safe", timeOrNull(s.LastAt)
	default:
		return
	}
	r.Counts.NeedsYou++
	r.NeedsYou = append(r.NeedsYou, o)
}

// wholeFailed lists a plan whose tasks are done and which did not pass all the
// same: its gates on the result, or the review of the whole.
func (r *Summary) wholeFailed(i PlanItem, now time.Time) {
	s := i.State
	if s.Status == loop.StatusPassed || s.Reason != plan.Unproved && s.Reason != plan.Rejected {
		return
	}
	t := FailedTask{LoopID: s.ID, Next: next.Show(s.ID), StuckWhy: "no gate failed twice alike"}
	if l, ok := i.loopOf(s.Final); ok && s.Reason == plan.Unproved {
		t = LoopOf(l, now).failure()
	}
	t.PlanID, t.Task, t.Status, t.Reason = &s.ID, "plan "+i.Title(), s.Status, s.Reason
	t.Error = cmp.Or(t.Error, s.Message)
	r.Failed = append(r.Failed, t)
}

func (r *Summary) addTask(i PlanItem, t PlanTask, s plan.TaskState, now time.Time) {
	l, found := i.loopOf(cmp.Or(s.Repair, s.Loop))
	o := Open{
		LoopID: cmp.Or(s.Repair, s.Loop, i.State.ID), PlanID: &i.State.ID, TaskID: &t.ID,
		Task: taskTitle(t), Status: loop.Status(t.Status),
	}
	if found {
		o.Agent = agentObject(l.State.Agent)
	}
	r.Total++
	switch word := i.taskWord(t); {
	case t.Status == plan.Done:
		r.taskDone(i, t, s, l, found, now)
	case t.Status == plan.Failed:
		r.Counts.Failed++
		r.Failed = append(r.Failed, taskFailed(i, t, s, l, found, now))
	case word == "asks":
		r.Counts.NeedsYou++
		o.Why, o.Next = "waits for a person", orNull(i.taskNext(t))
		if found {
			o.Why, o.Next = text.Line(strings.TrimPrefix(needsBy(l, now), "asks: ")), orNull(Next(l.State, l.Facts))
			if q := l.State.Open(); q != nil {
				o.Since = timeOrNull(q.AskedAt)
			}
		}
		r.NeedsYou = append(r.NeedsYou, o)
	case t.Status == plan.Running, t.Status == plan.Landing, t.Status == plan.Reviewed, t.Status == plan.Approving:
		r.Counts.Running++
		_, words := i.taskRow(t, now)
		o.Why = strings.TrimPrefix(words, text.Clip(t.Title, 60)+": ")
		r.Running = append(r.Running, o)
	case t.Status == plan.Skipped:
		r.Total-- // no task waits for it
	default:
		r.Counts.Waiting++
		o.Why = waitsFor(t)
		r.Waiting = append(r.Waiting, o)
	}
}

func taskTitle(t PlanTask) string { return strings.TrimSpace(t.ID + " " + t.Title) }

func waitsFor(t PlanTask) string {
	switch {
	case t.Message != "":
		return text.Line(t.Message)
	case len(t.Needs) > 0:
		return "needs " + listed(t.Needs, 6)
	}
	return "not begun"
}

// taskDone lists merged tasks, with the evidence of the loop that proved each.
// Tasks that the file marked done before the run have none, and accepted work
// needs no further review.
func (r *Summary) taskDone(i PlanItem, t PlanTask, s plan.TaskState, l Item, found bool, now time.Time) {
	r.Completed++
	r.Counts.Passed++
	if !found || i.State.Accepted != "" {
		return
	}
	done := LoopOf(l, now).ready()
	done.PlanID, done.TaskID, done.Task = &i.State.ID, &t.ID, taskTitle(t)
	done.Branch, done.Next = i.State.Branch, next.Show(l.State.ID, "--diff")
	if s.Landed != "" {
		done.Commit = orNull(s.Landed)
	}
	r.Ready = append(r.Ready, done)
}

func taskFailed(i PlanItem, t PlanTask, s plan.TaskState, l Item, found bool, now time.Time) FailedTask {
	f := FailedTask{LoopID: i.State.ID, StuckWhy: "no gate failed twice alike", Next: next.Show(i.State.ID), Attempts: s.Attempts}
	switch {
	case found:
		f = LoopOf(l, now).failure()
	case s.Child:
		f.LoopID, f.MaxAttempts, f.Next = s.Loop, s.Most, next.Show(s.Loop)
	}
	f.PlanID, f.TaskID, f.Task, f.Status = &i.State.ID, &t.ID, taskTitle(t), loop.StatusFailed
	if s.Reason != "" {
		f.Reason = s.Reason
	}
	if s.Reason == loop.Conflict || f.Error == "" || found && l.State.Status == loop.StatusPassed { // its gates are not what it failed of
		f.Error = s.Message
	}
	if f.Branch == nil && found && l.State.Commit != "" {
		f.Branch = orNull(l.State.Branch)
	}
	return f
}

// planLines show the status of each plan, and the next command.
func (r Summary) planLines(b *strings.Builder) {
	for _, p := range r.Plans {
		fmt.Fprintf(b, "\n- plan **%s** %s: %s\n", markup(cmp.Or(p.Title, p.PlanID)), p.Status, markup(p.line()))
		if p.Note != "" {
			fmt.Fprintf(b, "  **look:** %s\n", markup(text.Line(p.Note)))
		}
		if p.Tip != p.Base {
			fmt.Fprintf(b, "  landed on %s at `%s`, %s\n", code(p.Branch), short(p.Tip), p.proof())
		}
		if p.Accepted != nil {
			fmt.Fprintf(b, "  accepted as `%s`\n", short(*p.Accepted))
		}
		for _, f := range p.Open {
			fmt.Fprintf(b, "  - %s: %s\n", strings.ReplaceAll(string(f.Kind), "_", " "), markup(f.Text))
		}
		b.WriteString(command(p.Next))
		if p.Take != nil {
			fmt.Fprintf(b, "  to take what landed as it is: %s\n", code(*p.Take))
		}
	}
}

// proof describes the gates' results on the merged work.
func (p PlanSummary) proof() string {
	if p.Reason != nil && *p.Reason == string(plan.Unproved) {
		return "where the plan's own gates are red"
	}
	return "proved by the gates there"
}

// line is a plan's numbers, and the verdict on the whole.
func (p PlanSummary) line() string {
	parts := []string{fmt.Sprintf("%d/%d tasks done", p.Done, p.Total), fmt.Sprintf("%d of %s", p.Attempts, text.Plural(p.Budget, "attempt")), "cost " + p.Cost}
	if p.Status.Terminal() {
		parts = append(parts, p.Verdict)
	}
	if p.Message != "" {
		parts = append(parts, text.Line(p.Message))
	}
	return strings.Join(parts, " · ")
}
