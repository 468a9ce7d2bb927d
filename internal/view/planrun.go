package view

import (
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/plan"
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
	Group   Group       `json:"group"`
	// Note is a remark for people, such as why the plan's file is older than this
	// record; "" is none.
	Note  string `json:"note"`
	Stage string `json:"stage"`
	// Branch is the integration branch, Tip its newest commit.
	Branch string `json:"branch"`
	Base   string `json:"base"`
	Tip    string `json:"tip"`
	// Accepted is the commit as which Tip was accepted.
	Accepted *string `json:"accepted"`
	// Conflict is what kept the work from being accepted.
	Conflict *loop.Clash `json:"conflict,omitempty"`
	Attempts int         `json:"attempts"`
	// AttemptsMade are those of all its runs, Attempts those of the newest.
	AttemptsMade int            `json:"attempts_made"`
	Budget       int            `json:"budget"`
	Tasks        []PlanTask     `json:"tasks"`
	Counts       map[string]int `json:"counts"`
	// Findings are gaps and edge cases; Question waits for a person.
	Findings []plan.Finding `json:"findings"`
	Question *plan.Question `json:"question"`
	// Questions are all of its own that wait; Question is the oldest.
	Questions []plan.Question `json:"questions"`
	// Texts are the documents that Questions are about, by the question's id: how a
	// task is to be done, to be approved.
	Texts map[string]string `json:"texts,omitempty"`
	// Asks are the questions of its tasks.
	Asks []PlanAsk `json:"asks"`
	// Unanswered are questions that were answered without a person.
	Unanswered []plan.Unanswered `json:"unanswered"`

	// Look lists what a person should look at before the work is accepted.
	Look   []loop.Concern `json:"look"`
	Review *plan.Review   `json:"review"`
	// Spent is the cost of the plan's own reviews, by reviewer; the costs of its
	// tasks' loops are recorded with the loops. Budgets is the plan's, if any.
	Spent    []loop.AgentSpent `json:"spent"`
	Budgets  []money.Balance   `json:"budgets"`
	Live     bool              `json:"live"`
	Archived bool              `json:"archived"`
	Next     *string           `json:"next"`
	// Take is the command that accepts the part that landed, where not all of it did.
	Take *string `json:"take"`
	// Again is the command that tries the rest of a failed or aborted plan, with the flags
	// that it was started with.
	Again     *string    `json:"again"`
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
	// Proof says how its newest work that passed was proved.
	Proof *string `json:"proof"`
	// Blocked is what stopped its agent, by the agent's own account.
	Blocked *string `json:"blocked"`
	// Gone: the file does not have it any more.
	Gone bool `json:"gone"`
	// CutOff: the process that worked on it is gone; it continues with the plan.
	CutOff bool `json:"-"`
	// Asks: it waits for the answer of a person.
	Asks bool `json:"-"`
	// repairs: the loop that works on it repairs its landing.
	repairs bool
	// Held: its loop is open, and nothing works on it: it waits for its provider, a turn or
	// a budget, or it was answered and continues with the plan.
	Held bool `json:"-"`
}

// attemptsWords are the attempts of the newest run and its limit, and those of all runs
// where there were others.
func (o PlanRun) attemptsWords() string {
	words := fmt.Sprintf("%d of %d", o.Attempts, o.Budget)
	if o.AttemptsMade > o.Attempts {
		words += fmt.Sprintf(" in this run, %d in all", o.AttemptsMade)
	}
	return words
}

// stirs reports whether work on the task is under way or waits to continue.
func (t PlanTask) stirs() bool {
	switch t.Status {
	case plan.Running, plan.Landing, plan.InReview, plan.Approving:
		return true
	}
	return false
}

// PlanAsk is a question that a task's loop puts to a person.
type PlanAsk struct {
	Task     string        `json:"task"`
	Loop     string        `json:"loop"`
	Question loop.Question `json:"question"`
	// Next is the command that answers it.
	Next string `json:"next"`
}

// underWay are the attempts of these loops, as far as they have not ended. The record of
// the plan has those of the others.
func (i PlanItem) underWay(ids ...string) (n int) {
	for _, id := range ids {
		s, ok := i.Facts.Loops[id]
		if l, found := i.loopOf(id); !ok && found {
			s, ok = l.State, true
		}
		if ok && !s.Status.Terminal() {
			n += s.Made()
		}
	}
	return n
}

// madeByLoops are the attempts of its loops, where all were read: also of those from before
// it was begun anew, which its record does not have.
func (i PlanItem) madeByLoops() (n int) {
	if !i.Whole {
		return 0
	}
	for _, l := range i.Loops {
		n += l.State.Made()
	}
	return n
}

// object is the plan for programs.
func (i PlanItem) object(v Plan) PlanRun {
	s, f := i.State, i.Facts
	begun := i.underWay(s.Loops()...)
	o := PlanRun{
		Schema: PlanRunSchema, PlanID: s.ID, Group: v.Group, Title: s.Title, File: s.File, Status: s.Status, Reason: orNull(string(s.Reason)),
		Message: i.message(), Note: s.Note, Stage: string(s.Stage), Branch: s.Branch, Base: s.Base, Tip: s.Tip, Accepted: orNull(s.Accepted), Conflict: v.Clash, Attempts: s.Attempts + begun, AttemptsMade: max(s.Made()+begun, i.madeByLoops()), Budget: s.BudgetFor(f.Plan.WantedIDs(s.Rules.Only)),
		Tasks: []PlanTask{}, Counts: map[string]int{}, Findings: []plan.Finding{}, Question: s.OpenQuestion(), Questions: []plan.Question{}, Asks: []PlanAsk{}, Unanswered: []plan.Unanswered{}, Review: s.Review,
		Spent: []loop.AgentSpent{}, Budgets: []money.Balance{}, Look: append([]loop.Concern{}, v.Look...),
		Texts: f.Texts, Live: f.Live, Archived: f.Archived, Next: orNull(v.Next), Take: orNull(v.Take), Again: orNull(v.Again), StartedAt: timeOrNull(s.StartedAt), EndedAt: timeOrNull(s.EndedAt),
	}
	if f.Crashed {
		o.Status, o.Message = Crashed, crashedPlan(f)
	}
	o.Questions = append(o.Questions, s.OpenQuestions()...)
	o.Unanswered = append(o.Unanswered, s.Unanswered()...)
	o.Findings, o.Asks = append(o.Findings, s.Findings...), append(o.Asks, f.Asks...)
	o.Spent, o.Budgets = append(o.Spent, f.Spent...), append(o.Budgets, f.Budgets...)
	for _, t := range v.AllTasks {
		o.Tasks = append(o.Tasks, t.PlanTask)
		o.Counts[string(t.Status)]++
	}
	return o
}
