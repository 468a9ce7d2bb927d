package view

import (
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// A list shows the first tasks of a plan below it, and counts the others.
const (
	mostTasks     = 8
	mostTaskTitle = 60 // columns
)

// Plan is the run of a plan, with all that the renderers show of it. PlanOf builds
// it, and only PlanOf looks into the recorded state.
type Plan struct {
	Run
	// Object is the plan for programs, with its tasks.
	Object PlanRun
	// AllTasks are those of Object, with what lists and reports show of them.
	AllTasks []Task
	// Done of Total tasks; tasks removed from the file are not counted.
	Done, Total int
	// Usage is that of all its loops and of its own reviews; CostUnknown counts the
	// runs that reported no cost.
	Usage       loop.Usage
	CostUnknown int
	// Verdict is that of the review of the whole, in words.
	Verdict string
	// Tip is the commit with the landed work, Look are the concerns about it.
	Tip  string
	Look []loop.Concern
	// Open are the gaps and edge cases that are not resolved.
	Open []plan.Finding
	// Longest is the longest chain of tasks that need each other.
	Longest []string
	// Final is the loop in which the gates judge the result.
	Final string
	// LastAt is the time of its newest event.
	LastAt time.Time

	// passed are the times at which its tasks passed, where all of its loops were read.
	passed []time.Time
}

// PlanOf builds the view of a plan.
func PlanOf(i PlanItem, now time.Time) Plan {
	i, s := i.indexed(), i.State
	v := Plan{AllTasks: i.tasks(now), Verdict: reviewedWords(s), Tip: s.Tip, Look: i.Look(), Open: s.Open(), Final: s.Final, LastAt: s.LastAt}
	if graph, err := i.Facts.Plan.Graph(); err == nil {
		v.Longest = graph.Longest()
	}
	for _, t := range s.Tasks {
		if t.Gone {
			continue
		}
		if at := i.passedAt(t); !at.IsZero() {
			v.passed = append(v.passed, at)
		}
		v.Total++
		if t.Status == plan.Done || t.Status == plan.Skipped {
			v.Done++
		}
	}
	for _, l := range i.Loops {
		v.Usage, v.CostUnknown = v.Usage.Add(l.State.Usage), v.CostUnknown+l.State.CostUnknown
	}
	for _, p := range i.Facts.Spent {
		v.Usage, v.CostUnknown = v.Usage.Add(p.Usage), v.CostUnknown+p.CostUnknown
	}
	v.Run = i.run(v)
	v.Object = i.object(v)
	return v
}

// passedAt returns the time at which the newest loop of a task passed; zero for a task that
// is not done, or whose loop was not read.
func (i PlanItem) passedAt(t plan.TaskState) time.Time {
	l, found := i.loopOf(t.Loop)
	if !i.Whole || !found || t.Status != plan.Done || l.State.Status != loop.StatusPassed {
		return time.Time{}
	}
	return l.State.EndedAt
}

// Run is what the plan has in common with a loop.
func (i PlanItem) Run(now time.Time) Run { return PlanOf(i, now).Run }

func (i PlanItem) run(v Plan) Run {
	s, f := i.State, i.Facts
	r := i.key()
	r.Title, r.Plan, r.Of, r.Message = i.Title(), true, f.Of, i.message()
	r.Live, r.Crashed, r.Archived, r.PauseAsked = f.Live, f.Crashed, f.Archived, s.PauseAsked
	r.Parts = s.Loops()
	r.Progress, r.Since = fmt.Sprintf("%d/%d", v.Done, v.Total), s.StartedAt
	if !s.EndedAt.IsZero() {
		r.Since = s.EndedAt
	}
	about := "plan " + r.Title + tally(v.AllTasks)
	if i.Whole {
		r.Cost = Cost{v.Usage, v.CostUnknown}
		for _, l := range i.Loops {
			r.Cost.Unknown += costOfLoop(l.State).Unknown - l.State.CostUnknown
		}
	} else {
		r.Cost = Cost{Unknown: 1}
	}
	if v.Usage.CostMicroUSD != nil && i.Whole {
		about += " · " + costOf(v.Usage, v.CostUnknown)
	}
	r.Details = append([]string{about}, i.words()...)
	r.Next, r.Take, r.Again, r.marked = i.next(), next.Take(s, f.Archived), next.Again(s, f.Archived), s.Reason
	r.AgainArgs = next.AgainArgs(s, f.Archived)
	r.Clash = s.Conflict()
	if q := s.OpenQuestion(); q != nil {
		r.Question = &q.Question
	}
	r.Asks = len(s.OpenQuestions()) + len(f.Asks)
	if s.Status == loop.StatusPassed && s.Reason != plan.PartDone {
		return r // no task of it needs a look
	}
	for _, t := range v.AllTasks {
		switch {
		case t.Mark == "":
		case len(r.Tasks) == mostTasks:
			r.More++
		default:
			r.Tasks = append(r.Tasks, TaskRow{t.Mark, t.name() + t.About, t.Next})
		}
	}
	return r
}

// askedFirst is a question for a row that may be cut: its options stand before its text.
func askedFirst(q *loop.Question) string {
	if len(q.Options) == 0 {
		return "asks: " + joinLines(q.Text)
	}
	return "asks [" + listed(q.Options, 6) + "]: " + joinLines(q.Text)
}

// words describe the state of the plan itself.
func (i PlanItem) words() []string {
	s := i.State
	var out []string
	for _, q := range s.OpenQuestions() {
		out = append(out, askedFirst(&q.Question))
	}
	switch {
	case i.Facts.Crashed:
		asks := len(out)+len(i.Facts.Asks) > 0
		out = append(out, crashedPlan(i.Facts))
		if asks { // the next command answers
			out = append(out, "to continue: "+next.Resume(s.ID))
		}
	case len(out) > 0:
	case s.Status.Terminal(), s.Status == loop.Paused, s.Status == loop.Waiting && s.Reason != loop.ForHuman:
		if s.Message != "" {
			out = append(out, text.Line(s.Message))
		}
	}
	if s.Note != "" {
		out = append(out, "! "+text.Line(s.Note))
	}
	if n := len(s.Open()); n > 0 {
		out = append(out, fmt.Sprintf("gaps and edge cases open: %d", n))
	}
	for _, t := range s.Tasks {
		if t.Blocked != "" && !t.Gone && s.Status != loop.StatusPassed {
			out = append(out, "! "+blockedWords("the agent of "+text.Line(t.ID), t.Blocked))
		}
	}
	switch {
	case s.Status.Terminal() && s.Accepted != "":
		out = append(out, "accepted as "+short(s.Accepted))
	case s.Status.Terminal() && s.Tip != s.Base:
		out = append(out, "landed on "+text.Line(s.Branch)+" at "+short(s.Tip))
	}
	if c := s.Conflict(); c != nil {
		out = append(out, clashWords(c, s.ID, s.Branch)...)
	}
	if i.group() == GroupReady {
		out = append(out, asksAbout(i.Look())...)
	}
	if i.Facts.Archived {
		out = append(out, "archived")
	}
	return out
}

// crashedPlan explains a plan whose process is gone.
func crashedPlan(f PlanFacts) string {
	text := "the process that ran this plan is gone; what was recorded is safe"
	if f.Recovery.Left {
		text += "; " + Recovered(f.Recovery, f.Recovery.Last)
	}
	return text
}

// reviewedWords describe the verdict on the whole plan, or that it was not
// reviewed.
func reviewedWords(s plan.State) string {
	r := s.Review
	switch {
	case r == nil:
		return "unreviewed"
	case r.Unreviewed && r.TooFew: // and accepted by a person; the reason names that
		return "unreviewed" + because(r.Reason)
	case r.Unreviewed:
		return "unreviewed"
	case r.Pass && r.Degraded:
		return "reviewed, degraded" + because(r.Reason)
	case r.Pass:
		return "reviewed" + because(r.Reason)
	}
	return "review not passed" + because(r.Reason)
}
