package view

import (
	"cmp"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/recovery"
)

// PlanRunSchema names the object of one run of a plan.
const PlanRunSchema = "ralph.planrun/v1"

// PlanRun is the run of a plan for programs.
type PlanRun struct {
	Schema  string      `json:"schema"`
	PlanID  string      `json:"plan_id"`
	Title   string      `json:"title"`
	File    string      `json:"file"`
	Status  loop.Status `json:"status"`
	Reason  *string     `json:"reason"`
	Message string      `json:"message"`
	// Note is a remark for people, such as why the plan's file is older than this
	// record; "" is none.
	Note  string `json:"note"`
	Stage string `json:"stage"`
	// Branch is the integration branch, Tip its newest commit.
	Branch string `json:"branch"`
	Base   string `json:"base"`
	Tip    string `json:"tip"`
	// Accepted is the commit as which Tip was accepted.
	Accepted *string        `json:"accepted"`
	Attempts int            `json:"attempts"`
	Budget   int            `json:"budget"`
	Tasks    []PlanTask     `json:"tasks"`
	Counts   map[string]int `json:"counts"`
	// Findings are gaps and edge cases; Question waits for a person.
	Findings []plan.Finding `json:"findings"`
	Question *plan.Question `json:"question"`
	// Questions are all of its own that wait; Question is the oldest.
	Questions []plan.Question `json:"questions"`
	// Asks are the questions of its tasks.
	Asks []PlanAsk `json:"asks"`
	// Unanswered are questions that were settled without a person.
	Unanswered []plan.Settled `json:"unanswered"`

	Review *plan.Review `json:"review"`
	// Spent is the cost of the plan's own reviews, by reviewer; the costs of its
	// tasks' loops are recorded with the loops. Budgets is the plan's, if any.
	Spent    []loop.AgentSpent `json:"spent"`
	Budgets  []money.Balance   `json:"budgets"`
	Live     bool              `json:"live"`
	Archived bool              `json:"archived"`
	Next     *string           `json:"next"`
	// Take is the command that accepts the part that landed, where not all of it did.
	Take      *string    `json:"take"`
	StartedAt *time.Time `json:"started_at"`
	EndedAt   *time.Time `json:"ended_at"`
}

// PlanTask is where one task stands.
type PlanTask struct {
	ID      string      `json:"id"`
	Title   string      `json:"title"`
	Status  plan.Status `json:"status"`
	Reason  *string     `json:"reason"`
	Message string      `json:"message"`
	Loop    *string     `json:"loop"`
	Waits   *string     `json:"waits"`
	// Phase of seed 002, of a task that is being worked on.
	Phase    *string  `json:"phase"`
	Tries    int      `json:"tries"`
	Attempts int      `json:"attempts"`
	Landed   *string  `json:"landed"`
	Output   *string  `json:"output"`
	Needs    []string `json:"needs"`
	// Gone: the file does not have it any more.
	Gone bool `json:"gone"`

	record plan.TaskState
}

// PlanFacts are observations beyond a plan's recorded state.
type PlanFacts struct {
	Plan     plan.Plan
	Live     bool
	Crashed  bool
	Archived bool
	// Recovery records the restarts of a crashed plan since it last made progress.
	Recovery recovery.Record
	// Asks are the open questions of its tasks; nil where they were not read. Loops
	// are those that its tasks are at, by their ids, as far as they were read.
	Asks  []PlanAsk
	Loops map[string]loop.State
	// Spent and Budgets are as in PlanRun.
	Spent   []loop.AgentSpent
	Budgets []money.Balance
	// Unborn are plans that were to be run in a task's place and never began.
	Unborn map[string]bool
}

// PlanAsk is a question that a task's loop puts to a person.
type PlanAsk struct {
	Task     string        `json:"task"`
	Loop     string        `json:"loop"`
	Question loop.Question `json:"question"`
	// Next is the command that answers it.
	Next string `json:"next"`
}

// Plan is the run of a plan, with all that the renderers show of it. PlanOf builds it.
type Plan struct {
	Run
	// Object is the plan for programs, with its tasks.
	Object PlanRun
	// Verdict is that of the review of the whole, in words.
	Verdict string
	// Open are the gaps and edge cases that are not resolved.
	Open []plan.Finding
}

// PlanOf builds the view of a plan.
func PlanOf(i PlanItem, now time.Time) Plan {
	return Plan{Run: i.Run(now), Object: i.object(), Verdict: reviewedWords(i.State), Open: i.State.Open()}
}

// object is the plan for programs.
func (i PlanItem) object() PlanRun {
	s, f := i.State, i.Facts
	o := PlanRun{
		Schema: PlanRunSchema, PlanID: s.ID, Title: s.Title, File: s.File, Status: s.Status, Reason: orNull(string(s.Reason)),
		Message: s.Message, Note: s.Note, Stage: string(s.Stage), Branch: s.Branch, Base: s.Base, Tip: s.Tip, Accepted: orNull(s.Accepted), Attempts: s.Attempts, Budget: s.Budget(),
		Tasks: []PlanTask{}, Counts: map[string]int{}, Findings: []plan.Finding{}, Question: s.OpenQuestion(), Questions: []plan.Question{}, Asks: []PlanAsk{}, Unanswered: []plan.Settled{}, Review: s.Review,
		Spent: []loop.AgentSpent{}, Budgets: []money.Balance{},
		Live: f.Live, Archived: f.Archived, Next: orNull(PlanNext(s, f)), Take: orNull(next.Take(s, f.Archived)), StartedAt: timeOrNull(s.StartedAt), EndedAt: timeOrNull(s.EndedAt),
	}
	if f.Crashed {
		o.Status, o.Message = Crashed, crashedPlan(f)
	}
	o.Questions = append(o.Questions, s.OpenQuestions()...)
	o.Unanswered = append(o.Unanswered, s.Unanswered()...)
	o.Findings, o.Asks = append(o.Findings, s.Findings...), append(o.Asks, f.Asks...)
	o.Spent, o.Budgets = append(o.Spent, f.Spent...), append(o.Budgets, f.Budgets...)
	for _, t := range planTasks(s, f) {
		o.Tasks = append(o.Tasks, t)
		o.Counts[string(t.Status)]++
	}
	return o
}

// planTasks joins the record with the file.
func planTasks(s plan.State, f PlanFacts) []PlanTask {
	p := f.Plan
	var status map[string]plan.Status
	graph, err := p.Graph()
	if err == nil {
		status = s.Statuses(graph)
	}
	index := make(map[string]plan.Task, len(p.Tasks))
	for _, t := range p.Tasks {
		index[t.ID] = t
	}
	out := make([]PlanTask, 0, len(s.Tasks))
	for _, t := range s.Tasks {
		if t.Gone && t.Loop == "" {
			continue // nothing was done for it
		}
		row := PlanTask{
			ID: t.ID, Title: cmp.Or(index[t.ID].Title, t.Title), Status: t.Status, Reason: orNull(string(t.Reason)), Message: t.Message,
			Loop: orNull(t.Loop), Waits: orNull(string(t.Rests)), Phase: orNull(string(phaseOf(t, f))), Tries: t.Tries, Attempts: t.Attempts,
			Landed: orNull(t.Landed), Output: orNull(t.Output), Needs: []string{}, Gone: t.Gone, record: t,
		}
		if f.Unborn[t.Loop] {
			row.Loop = nil
		}
		if shown, ok := status[t.ID]; ok && t.Status == plan.Pending {
			row.Status = shown
		}
		if t.Status == plan.Skipped && row.Message == "" {
			row.Message = skippedWords(index[t.ID])
		}
		for _, n := range index[t.ID].Needs {
			if !slices.Contains(row.Needs, n.On) {
				row.Needs = append(row.Needs, n.On)
			}
		}
		out = append(out, row)
	}
	return out
}

// skippedWords explains why a task is skipped.
func skippedWords(t plan.Task) string {
	if t.Optional {
		return "optional: --task " + t.ID + " asks for it"
	}
	return "not to be done, as the plan says"
}

// crashedPlan explains a plan whose process is gone.
func crashedPlan(f PlanFacts) string {
	text := "the process that ran this plan is gone; what was recorded is safe"
	if f.Recovery.Left {
		text += "; " + Recovered(f.Recovery, f.Recovery.Last)
	}
	return text
}

func phaseOf(t plan.TaskState, f PlanFacts) plan.Phase {
	if l, ok := f.Loops[t.Now()]; ok {
		return plan.PhaseOf(t, &l)
	}
	return plan.PhaseOf(t, nil)
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
