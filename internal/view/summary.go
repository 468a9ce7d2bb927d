package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// SummarySchema is the name of Summary's format.
const SummarySchema = "ralph.report/v1"

// Summary is the morning report as JSON; Markdown prints the same.
type Summary struct {
	Schema  string `json:"schema"`
	Project string `json:"project"`
	// Title is the verdict in one line.
	Title string `json:"title"`
	// Completed of Total tasks passed.
	Completed int `json:"completed"`
	Total     int `json:"total"`
	// More runs ended earlier and are left out.
	More int `json:"more"`
	// Archived runs are left out, and what they cost.
	Archived int    `json:"archived,omitempty"`
	Counts   Counts `json:"counts"`

	StartedAt  *time.Time `json:"started_at"`
	EndedAt    *time.Time `json:"ended_at"`
	Iterations int        `json:"iterations"`
	// Scripted: at least one agent was a script.
	Scripted bool       `json:"scripted"`
	Agents   []AgentUse `json:"agents"`
	// Spent is the total cost.
	Spent Spent `json:"spent"`

	NeedsYou  []Open       `json:"needs_you"`
	Ready     []Ready      `json:"ready"`
	Accepted  []Home       `json:"accepted"`
	Failed    []FailedTask `json:"failed"`
	Running   []Open       `json:"running"`
	Waiting   []Open       `json:"waiting"`
	LookTwice []Note       `json:"look_twice"`
	Learned   []Proposal   `json:"learned"`
	Disputes  Disputes     `json:"disputes"`
	Loops     []Object     `json:"loops"`
	// Plans of the report; their tasks stand in the lists above.
	Plans []PlanSummary `json:"plans"`

	// Moments are what happened, in the order of time; see Tell. MomentsLeftOut is how
	// many older runs they do not tell of.
	Moments        []Moment `json:"moments"`
	MomentsLeftOut int      `json:"moments_left_out"`

	// loops are all of them, with details that only some formats show. looked are the notes
	// of LookTwice by task.
	loops  []Loop
	looked map[[2]string]bool
}

// Open is a loop that has not ended, with the reason and the next command.
type Open struct {
	LoopID string      `json:"loop_id"`
	Task   string      `json:"task"`
	Status loop.Status `json:"status"`
	Why    string      `json:"why"`
	Since  *time.Time  `json:"since"`
	Next   *string     `json:"next"`
	Agent  AgentObject `json:"agent"`
	// PlanID and TaskID name the task of a plan.
	PlanID *string `json:"plan_id"`
	TaskID *string `json:"task_id"`
	// Text is what is to be approved, whole.
	Text string `json:"text,omitempty"`
}

// Ready is a passed loop and its proof.
type Ready struct {
	LoopID string `json:"loop_id"`
	Task   string `json:"task"`
	Branch string `json:"branch"`
	// Commit is null where the files on no commit were judged.
	Commit       *string     `json:"commit"`
	Evidence     string      `json:"evidence"`
	Iteration    int         `json:"iteration"`
	Max          int         `json:"max_iterations"`
	AlreadyGreen bool        `json:"already_green"`
	Cost         string      `json:"cost"`
	Next         string      `json:"next"`
	Agent        AgentObject `json:"agent"`
	PlanID       *string     `json:"plan_id"`
	TaskID       *string     `json:"task_id"`
}

// Home is a loop whose work was accepted, and as which commit. It is not to be
// reviewed any more.
type Home struct {
	LoopID string `json:"loop_id"`
	Task   string `json:"task"`
	Commit string `json:"commit"`
}

// Note is something that gates cannot judge.
type Note struct {
	LoopID string `json:"loop_id"`
	Task   string `json:"task"`
	Note   string `json:"note"`
}

// AgentUse sums what one agent spent. Unknown is null and n/a.
type AgentUse struct {
	Agent AgentObject `json:"agent"`
	// Review: it was asked about the work of others, in no iteration of its own.
	Review     bool       `json:"review,omitempty"`
	Iterations int        `json:"iterations"`
	Runs       int        `json:"runs"`
	Usage      loop.Usage `json:"usage"`
	// Unknown counts loops whose cost is not known, so that a partial sum is
	// shown as such.
	Unknown int `json:"cost_unknown"`
}

// Summarize makes the report of loops that belong to no plan, and of plans with
// theirs.
func Summarize(project string, items []Item, plans []PlanItem, now time.Time) Summary {
	items = sorted(items)
	r := Summary{
		Schema: SummarySchema, Project: project, Total: len(items),
		Agents: []AgentUse{}, NeedsYou: []Open{}, Ready: []Ready{}, Accepted: []Home{}, Failed: []FailedTask{},
		Running: []Open{}, Waiting: []Open{}, LookTwice: []Note{}, Learned: []Proposal{}, Loops: []Object{},
		Plans: []PlanSummary{}, Moments: []Moment{},
	}
	r.loops = loopsOf(items, now)
	var runs []Run
	for _, l := range r.loops {
		r.add(l)
		runs = append(runs, l.Run)
	}
	for _, p := range sortedPlans(plans) {
		v, loops := PlanOf(p, now), loopsOf(p.Loops, now)
		r.addPlan(v, loops)
		r.loops, runs = append(r.loops, loops...), append(runs, v.Run)
	}
	r.Counts = CountsOf(runs)
	r.Title = r.verdict()
	r.span()
	r.total()
	return r
}

// verdict counts the runs that need a person, as every list does, and the entries of the
// report, the most urgent first. What failed and was not dealt with is among the former.
func (r *Summary) verdict() string {
	aborted, retried := 0, 0
	for _, t := range r.Failed {
		switch {
		case t.RetriedBy != "":
			retried++
		case t.Status == loop.Aborted:
			aborted++
		}
	}
	words := counted([]count{
		{r.Counts.NeedsYou, "needs you", "need you"},
		{len(r.Failed) - aborted - retried, "failed", ""},
		{aborted, "aborted", ""},
		{retried, "retried", ""},
		{r.Completed - len(r.Accepted), "passed", ""},
		{len(r.Running), "running", ""},
		{len(r.cutOff()), cutOff, ""},
		{len(r.waiting()), "waiting", ""},
		{len(r.Accepted), "accepted", ""},
	})
	return cmp.Or(words, "no loops")
}

func (r *Summary) add(l Loop) {
	switch {
	case l.Reason == loop.Left: // it is reported where it is
		r.Total--
		return
	case l.Status == loop.StatusPassed:
		r.Completed++
	case l.Status.Terminal() && l.RetriedBy != "": // its task is the newer loop's
		r.Total--
	}
	switch {
	case l.Status == loop.StatusPassed && l.Reason == loop.Imported: // named under LookTwice
	case l.Accepted != "":
		r.Accepted = append(r.Accepted, Home{l.ID, l.Spec.Task.Text, l.Accepted})
	case l.Clash != nil:
		o := l.open()
		o.Why = clashLine(l.Clash)
		r.NeedsYou = append(r.NeedsYou, o)
	case l.Status == loop.StatusPassed:
		r.Ready = append(r.Ready, l.ready())
	case l.Status.Terminal():
		r.Failed = append(r.Failed, l.failure())
	case l.Group == GroupNeedsYou:
		o := l.open()
		if q := l.Question; q != nil {
			o.Since = timeOrNull(q.AskedAt)
		}
		r.NeedsYou = append(r.NeedsYou, o)
	case l.Group == GroupRunning:
		r.Running = append(r.Running, l.open())
	default:
		r.Waiting = append(r.Waiting, l.open())
	}
	r.loop(l, !l.Status.Terminal() || l.Status == loop.StatusPassed)
}

// loop adds the counts of one loop, and what to look at twice: of work that is or can be
// accepted all, of other work only what it may have left elsewhere. What a person approved how
// a task is done is not looked at.
func (r *Summary) loop(l Loop, counts bool) {
	task, notes := text.Clip(text.FirstLine(strings.TrimSpace(l.Spec.Task.Text)), mostTitle), l.LookTwice
	if !counts {
		notes = l.Outside
	}
	for _, n := range notes {
		if l.gate(plan.GateUnderstood).Name == "" {
			r.lookTwice(Note{l.ID, task, n})
		}
	}
	r.Disputes.add(l.Disputes)
	r.Iterations += l.Made
	r.Scripted = r.Scripted || l.Spec.Agent.Use == scripted
	r.spend(l)
	r.Loops = append(r.Loops, l.Object())
}

// lookTwice adds a note; what loops of the same task have in common stands there once.
func (r *Summary) lookTwice(n Note) {
	key := [2]string{n.Task, n.Note}
	if r.looked[key] {
		return
	}
	if r.looked == nil {
		r.looked = map[[2]string]bool{}
	}
	r.looked[key] = true
	r.LookTwice = append(r.LookTwice, n)
}

// cutOff are the tasks of plans whose process is gone; waiting are the others that wait.
// Programs find both in one list.
func (r Summary) cutOff() []Open  { return split(r.Waiting, true) }
func (r Summary) waiting() []Open { return split(r.Waiting, false) }

func split(all []Open, crashed bool) []Open {
	var out []Open
	for _, o := range all {
		if (o.Status == Crashed) == crashed {
			out = append(out, o)
		}
	}
	return out
}

func (l Loop) open() Open {
	return Open{
		LoopID: l.ID, Task: l.Spec.Task.Text, Status: l.Status, Why: strings.TrimPrefix(l.Why, "asks: "), Since: timeOrNull(l.Since),
		Next: orNull(l.Next), Agent: agentObject(l.Spec.Agent),
	}
}

func (l Loop) ready() Ready {
	commit, green := l.Commit, l.Reason == loop.AlreadyGreen
	if green {
		commit = l.Spec.Base
	}
	return Ready{
		LoopID: l.ID, Task: l.Spec.Task.Text, Branch: l.Spec.Branch, Commit: orNull(commit),
		Evidence: l.shown(), Iteration: l.Made, Max: l.Spec.Limits.MaxIterations,
		AlreadyGreen: green, Cost: costOf(l.Usage, l.CostUnknown), Next: l.Next, Agent: agentObject(l.Spec.Agent),
	}
}

// span is from the first start to the last end; open loops have no end.
func (r *Summary) span() {
	var from, to time.Time
	for _, l := range r.loops {
		if t := l.StartedAt; !t.IsZero() && (from.IsZero() || t.Before(from)) {
			from = t
		}
		if t := l.EndedAt; t.After(to) {
			to = t
		}
	}
	r.StartedAt = timeOrNull(from)
	if len(r.Running)+len(r.NeedsYou) == 0 && !slices.ContainsFunc(r.loops, func(l Loop) bool { return !l.Status.Terminal() }) {
		r.EndedAt = timeOrNull(to)
	}
}
