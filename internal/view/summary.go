package view

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"ralph/internal/learn"
	"ralph/internal/loop"
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
	Completed int    `json:"completed"`
	Total     int    `json:"total"`
	Counts    Counts `json:"counts"`

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
	Loops     []Object     `json:"loops"`
	// Plans of the report; their tasks stand in the lists above.
	Plans []PlanSummary `json:"plans"`

	// items are all loops, with details that only some formats show.
	items []Item
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

// Proposal is something that these loops taught and no person has looked at.
type Proposal struct {
	Num     int64      `json:"num"`
	Kind    learn.Kind `json:"kind"`
	Summary string     `json:"summary"`
	Seen    int        `json:"seen"`
}

// Propose adds what the loops of the report taught, for a person to review: the
// patterns that came up most often first.
func (r *Summary) Propose(all []learn.Known) {
	in := map[string]bool{}
	for _, l := range r.Loops {
		in[l.LoopID] = true
	}
	taught := slices.DeleteFunc(slices.Clone(all), func(k learn.Known) bool {
		return k.Review != learn.Unreviewed || k.Worn() || !slices.ContainsFunc(k.Sources, func(s learn.Source) bool { return in[s.Loop] })
	})
	slices.SortStableFunc(taught, func(a, b learn.Known) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Num, b.Num))
	})
	for _, k := range taught {
		r.Learned = append(r.Learned, Proposal{k.Num, k.Kind, k.Summary, k.Seen})
	}
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
	c := countsOf(items)
	r := Summary{
		Schema: SummarySchema, Project: project,
		Completed: c.Passed, Total: len(items), Counts: c,
		Agents: []AgentUse{}, NeedsYou: []Open{}, Ready: []Ready{}, Accepted: []Home{}, Failed: []FailedTask{},
		Running: []Open{}, Waiting: []Open{}, LookTwice: []Note{}, Learned: []Proposal{}, Loops: []Object{},
		Plans: []PlanSummary{},
	}
	for _, i := range items {
		r.add(i, now)
	}
	for _, p := range sortedPlans(plans) {
		r.addPlan(p, now)
		items = append(items, p.Loops...)
	}
	r.Title, r.items = r.Counts.words(), items
	r.span(items)
	r.total(items, plans)
	return r
}

func (r *Summary) add(i Item, now time.Time) {
	s := i.State
	switch groupOf(i) {
	case needsYou:
		o := open(i, text.Line(strings.TrimPrefix(needsBy(i, now), "asks: ")))
		if q := s.Open(); q != nil {
			o.Since = timeOrNull(q.AskedAt)
		}
		r.NeedsYou = append(r.NeedsYou, o)
	case running:
		r.Running = append(r.Running, open(i, doing(s)))
	case waiting:
		r.Waiting = append(r.Waiting, open(i, stopped(s, i.Facts, now)))
	case ended:
		switch {
		case s.Status == loop.StatusPassed && s.Reason == loop.Imported: // named under LookTwice
		case s.Accepted != "":
			r.Accepted = append(r.Accepted, Home{s.ID, s.Task.Text, s.Accepted})
		case s.Status == loop.StatusPassed:
			r.Ready = append(r.Ready, ready(i))
		default:
			r.Failed = append(r.Failed, failedTask(i))
		}
	}
	r.loop(i)
}

// loop adds the counts of one loop.
func (r *Summary) loop(i Item) {
	s := i.State
	for _, n := range lookTwice(s, i.Facts) {
		r.LookTwice = append(r.LookTwice, Note{s.ID, text.Clip(strings.SplitN(strings.TrimSpace(s.Task.Text), "\n", 2)[0], mostTitle), n})
	}
	r.Iterations += s.Iteration
	r.Scripted = r.Scripted || s.Agent.Use == scripted
	r.spend(s, i.Facts.attempts(s))
	r.Loops = append(r.Loops, Of(s, i.Facts))
}

func open(i Item, why string) Open {
	s := i.State
	return Open{
		LoopID: s.ID, Task: s.Task.Text, Status: Status(s, i.Facts), Why: why, Since: timeOrNull(since(s)),
		Next: orNull(Next(s, i.Facts)), Agent: agentObject(s.Agent),
	}
}

func ready(i Item) Ready {
	s := i.State
	_, results := newestRound(s)
	commit, green := s.Commit, s.Reason == loop.AlreadyGreen
	if green {
		commit = s.Base
	}
	return Ready{
		LoopID: s.ID, Task: s.Task.Text, Branch: s.Branch, Commit: orNull(commit),
		Evidence: evidence(results), Iteration: s.Iteration, Max: s.Limits.MaxIterations,
		AlreadyGreen: green, Cost: costOf(s.Usage, s.CostUnknown), Next: Next(s, i.Facts), Agent: agentObject(s.Agent),
	}
}

// span is from the first start to the last end; open loops have no end.
func (r *Summary) span(items []Item) {
	var from, to time.Time
	for _, i := range items {
		if t := i.State.StartedAt; !t.IsZero() && (from.IsZero() || t.Before(from)) {
			from = t
		}
		if t := i.State.EndedAt; t.After(to) {
			to = t
		}
	}
	r.StartedAt = timeOrNull(from)
	over := func(i Item) bool { return i.State.Status.Terminal() }
	if len(r.Running)+len(r.NeedsYou) == 0 && !slices.ContainsFunc(items, func(i Item) bool { return !over(i) }) {
		r.EndedAt = timeOrNull(to)
	}
}
