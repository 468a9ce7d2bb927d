package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

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

func planSummary(v Plan, loops []Loop) PlanSummary {
	o := PlanSummary{
		PlanRun: v.Object, Done: v.Done, Total: v.Total, Usage: v.Usage, Cost: costOf(v.Usage, v.CostUnknown),
		Verdict: v.Verdict, Open: append([]plan.Finding{}, v.Open...),
	}
	for _, l := range loops {
		o.Iterations += l.Made
	}
	return o
}

// addPlan adds a plan: each of its tasks once, by its current status. The cost
// of earlier tries of a task is counted, their results are not listed.
func (r *Summary) addPlan(v Plan, loops []Loop) {
	r.Plans = append(r.Plans, planSummary(v, loops))
	byID := make(map[string]*Loop, len(loops))
	for n := range loops {
		byID[loops[n].ID] = &loops[n]
	}
	r.planItself(v, byID[v.Final])
	for _, t := range v.AllTasks {
		if !t.Gone && t.Status != plan.Skipped {
			r.addTask(v, t, byID[cmp.Or(t.record.Repair, t.record.Loop)])
		}
	}
	for _, t := range v.AllTasks {
		if t.Blocked != nil && !t.Gone {
			r.lookTwice(Note{v.ID, "task " + text.Line(t.name()), blockedWords("its agent", *t.Blocked)})
		}
	}
	for _, q := range v.Object.Unanswered {
		if q.Loop == "" { // loops tell of their own
			r.lookTwice(Note{v.ID, "plan " + v.Title, unansweredWords(q)})
		}
	}
	for _, c := range v.Look {
		if v.Object.Accepted == nil && !told(c, loops) {
			r.lookTwice(Note{v.ID, "plan " + v.Title, c.What})
		}
	}
	landed := v.landedLoops()
	for _, l := range loops {
		r.loop(l, !l.Status.Terminal() || slices.Contains(landed, l.ID))
	}
	for _, p := range v.Object.Spent {
		r.spender(loop.Agent{Name: p.Name, Use: p.Use}, p)
	}
}

// told reports whether a loop tells of a concern about its plan.
func told(c loop.Concern, loops []Loop) bool {
	return slices.ContainsFunc(loops, func(l Loop) bool {
		return slices.ContainsFunc(l.LookTwice, func(note string) bool { return strings.HasSuffix(c.What, note) })
	})
}

// landedLoops are the loops whose work is on the branch of the plan, and that of its proof.
func (v Plan) landedLoops() []string {
	ids := []string{v.Final}
	for _, t := range v.AllTasks {
		if t.Landed != nil {
			ids = append(ids, t.record.Loop, t.record.Repair)
		}
	}
	return ids
}

// planItself lists open questions and failures of the plan as a whole; final is the
// loop of its proof, or nil.
func (r *Summary) planItself(v Plan, final *Loop) {
	o := Open{LoopID: v.ID, PlanID: &v.ID, Task: "plan " + v.Title, Status: v.Status, Since: timeOrNull(v.LastAt), Next: orNull(v.Next)}
	switch {
	case v.Status.Terminal():
		r.wholeFailed(v, final)
		return
	case v.Question != nil:
		o.Why, o.Since, o.Text = text.Line(asked(v.Question)), timeOrNull(v.Question.AskedAt), v.Object.Texts[v.Question.ID]
		if v.Crashed {
			o.Why += "; the process that ran this plan is gone"
		}
	case v.Reason == loop.ForHuman && strings.HasPrefix(v.Next, "ralph resume"):
		o.Why = text.Line(v.Object.Message)
	case v.Reason == loop.Damaged:
		o.Why = text.Line(v.Message)
	case v.Crashed:
		o.Why = "the process that ran this plan is gone; what was recorded is safe"
	default:
		return
	}
	r.NeedsYou = append(r.NeedsYou, o)
}

// wholeFailed lists a plan whose tasks are done and which did not pass all the
// same: its gates on the result, or the review of the whole.
func (r *Summary) wholeFailed(v Plan, final *Loop) {
	if v.Status == loop.StatusPassed || v.Reason != plan.Unproved && v.Reason != plan.Rejected {
		return
	}
	t := FailedTask{LoopID: v.ID, Next: next.Show(v.ID), StuckWhy: "no gate failed twice alike"}
	if final != nil && v.Reason == plan.Unproved {
		t = final.failure()
	}
	t.PlanID, t.Task, t.Status, t.Reason = &v.ID, "plan "+v.Title, v.Status, v.Reason
	t.Error = cmp.Or(t.Error, v.Message)
	r.Failed = append(r.Failed, t)
}

// addTask lists a task; l is the loop that works on it, or nil.
func (r *Summary) addTask(v Plan, t Task, l *Loop) {
	o := Open{
		LoopID: cmp.Or(t.record.Repair, t.record.Loop, v.ID), PlanID: &v.ID, TaskID: &t.ID,
		Task: taskTitle(t.PlanTask), Status: loop.Status(t.Status),
	}
	if l != nil {
		o.Agent = agentObject(l.Spec.Agent)
	}
	r.Total++
	switch {
	case t.Status == plan.Done:
		r.taskDone(v, t, l)
	case t.Status == plan.Failed:
		r.Failed = append(r.Failed, taskFailed(v, t, l))
	case t.Kind == "asks":
		o.Why, o.Next = "waits for a person", orNull(t.Next)
		if l != nil {
			o.Why, o.Next = text.Line(strings.TrimPrefix(l.Why, "asks: ")), orNull(l.Next)
			if q := l.Question; q != nil {
				o.Since = timeOrNull(q.AskedAt)
			}
		}
		r.NeedsYou = append(r.NeedsYou, o)
	case t.stirs() && v.Crashed:
		o.Status, o.Why = Crashed, "its process is gone; it continues with the plan"
		r.Waiting = append(r.Waiting, o)
	case t.stirs():
		o.Why = cmp.Or(strings.TrimPrefix(t.About, ": "), text.Clip(t.Title, mostTaskTitle))
		r.Running = append(r.Running, o)
	default:
		o.Why = waitsFor(t.PlanTask)
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
func (r *Summary) taskDone(v Plan, t Task, l *Loop) {
	r.Completed++
	switch {
	case l == nil, v.Object.Accepted != nil:
		return
	case l.Accepted != "": // with a part of the plan, before it was run again
		r.Accepted = append(r.Accepted, Home{l.ID, taskTitle(t.PlanTask), l.Accepted})
		return
	}
	done := l.ready()
	done.PlanID, done.TaskID, done.Task = &v.ID, &t.ID, taskTitle(t.PlanTask)
	done.Branch, done.Next = v.Object.Branch, next.Show(l.ID, "--diff")
	if t.Landed != nil {
		done.Commit = t.Landed
	}
	r.Ready = append(r.Ready, done)
}

func taskFailed(v Plan, t Task, l *Loop) FailedTask {
	s := t.record
	f := FailedTask{LoopID: v.ID, StuckWhy: "no gate failed twice alike", Next: next.Show(v.ID), Attempts: s.Attempts}
	switch {
	case l != nil:
		f = l.failure()
	case s.Child:
		f.LoopID, f.MaxAttempts, f.Next = s.Loop, s.Most, next.Show(s.Loop)
	}
	f.PlanID, f.TaskID, f.Task, f.Status = &v.ID, &t.ID, taskTitle(t.PlanTask), loop.StatusFailed
	if s.Reason != "" {
		f.Reason = s.Reason
	}
	if s.Reason == loop.Conflict || f.Error == "" || l != nil && l.Status == loop.StatusPassed { // its gates are not what it failed of
		f.Error, f.red = s.Message, nil
	}
	if f.Branch == nil && l != nil && l.Commit != "" && l.Commit != l.Spec.Base {
		f.Branch = orNull(l.Spec.Branch)
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
			on := ""
			if p.Accepted == nil { // which deletes the branch
				on = "on " + code(p.Branch) + " "
			}
			fmt.Fprintf(b, "  landed %sat `%s`, %s\n", on, short(p.Tip), p.proof())
		}
		if p.Accepted != nil {
			fmt.Fprintf(b, "  accepted as `%s`\n", short(*p.Accepted))
		}
		if p.Conflict != nil {
			fmt.Fprintf(b, "  **look:** %s; %s: %s\n", markup(clashLine(p.Conflict)), afterMerge(p.Conflict), code(next.Accept(p.PlanID)))
		}
		for _, f := range p.Open {
			fmt.Fprintf(b, "  - %s: %s\n", strings.ReplaceAll(string(f.Kind), "_", " "), markup(f.Text))
		}
		b.WriteString(command(p.Next))
		if p.Again != nil && (p.Next == nil || *p.Again != *p.Next) {
			fmt.Fprintf(b, "  %s%s\n", againWords(p.Status), code(*p.Again))
		}
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
	return "its gates passed there"
}

// line is a plan's numbers, and the verdict on the whole.
func (p PlanSummary) line() string {
	parts := []string{fmt.Sprintf("%d/%d tasks done", p.Done, p.Total), "attempts " + p.attemptsWords(), "cost " + p.Cost}
	if p.Status.Terminal() && !strings.HasSuffix(p.Message, "; "+p.Verdict) {
		parts = append(parts, p.Verdict)
	}
	if p.Message != "" {
		parts = append(parts, text.Line(p.Message))
	}
	return strings.Join(parts, " · ")
}
