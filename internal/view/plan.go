package view

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// mostTasks of a plan stand under it in a list; the others are counted.
const mostTasks = 8

// PlanItem is the run of a plan with its facts.
type PlanItem struct {
	State plan.State
	Facts PlanFacts
	// Loops are those of its tasks; Whole: none is left out.
	Loops []Item
	Whole bool
	// Apart: the loops of its tasks stand beside it in the list, with questions of
	// their own.
	Apart bool

	// at is where Loops has each, by its id.
	at map[string]int
}

// indexed is the item of a plan about whose loops much is going to be asked.
func (i PlanItem) indexed() PlanItem {
	i.at = make(map[string]int, len(i.Loops))
	for n := range i.Loops {
		i.at[i.Loops[n].State.ID] = n
	}
	return i
}

// loopOf finds a loop of the plan; ok is false for one that is not there.
func (i PlanItem) loopOf(id string) (Item, bool) {
	if n, ok := i.at[id]; ok {
		return i.Loops[n], true
	}
	if i.at != nil {
		return Item{}, false
	}
	for n := range i.Loops {
		if i.Loops[n].State.ID == id {
			return i.Loops[n], true
		}
	}
	return Item{}, false
}

// asks reports whether a task of the plan waits for a person.
func (i PlanItem) asks(t plan.TaskState) bool {
	l, ok := i.loopOf(cmp.Or(t.Repair, t.Loop))
	if !ok {
		return t.Rests == loop.ForHuman && (!t.Child || i.askOf(t.ID) != nil)
	}
	return groupOf(l) == needsYou && !l.Facts.Crashed
}

// askOf is the question of the plan in a task's place, or of what is inside it;
// nil is none that is still open.
func (i PlanItem) askOf(task string) *PlanAsk {
	for n, a := range i.Facts.Asks {
		if a.Task == task || strings.HasPrefix(a.Task, task+" › ") {
			return &i.Facts.Asks[n]
		}
	}
	return nil
}

// Run is what the plan has in common with a loop.
func (i PlanItem) Run(now time.Time) Run {
	s, f := i.State, i.Facts
	done, total := i.progress()
	r := i.key()
	r.Title, r.Plan, r.Message = i.Title(), true, s.Message
	r.Live, r.Crashed, r.Archived, r.PauseAsked = f.Live, f.Crashed, f.Archived, s.PauseAsked
	r.Progress, r.Since = fmt.Sprintf("%d/%d", done, total), s.StartedAt
	if !s.EndedAt.IsZero() {
		r.Since = s.EndedAt
	}
	r.Details = append([]string{"plan " + r.Title + i.sums()}, i.words()...)
	r.Next, r.Take, r.marked = i.next(), next.Take(s, f.Archived), s.Reason
	if q := s.OpenQuestion(); q != nil {
		r.Question = &q.Question
	}
	worth := i.worth()
	for _, t := range worth[:min(len(worth), mostTasks)] {
		mark, words := i.taskRow(t, now)
		r.Tasks = append(r.Tasks, TaskRow{mark, text.Line(t.ID) + "  " + words, i.taskNext(t)})
	}
	r.More = len(worth) - len(r.Tasks)
	return r
}

// key is the part of the run that its place in a list depends on.
func (i PlanItem) key() Run {
	s := i.State
	own := s.OpenQuestion() != nil || s.Status == loop.Paused && s.Reason == loop.Budget
	tasks := slices.ContainsFunc(s.Tasks, i.asks)
	asks := own || tasks && !i.Apart || !tasks && s.Status == loop.Waiting && s.Reason == loop.ForHuman
	return Run{ID: s.ID, Status: i.status(), Reason: s.Reason, StartedAt: s.StartedAt, EndedAt: s.EndedAt, Group: group(i.status(), i.Facts.Live, asks)}
}

func (i PlanItem) status() loop.Status {
	if i.Facts.Crashed {
		return Crashed
	}
	return i.State.Status
}

// usage is the usage of all loops of the plan and of its own reviews; unknown
// counts the runs that reported no cost.
func (i PlanItem) usage() (sum loop.Usage, unknown int) {
	for _, l := range i.Loops {
		sum, unknown = sum.Add(l.State.Usage), unknown+l.State.CostUnknown
	}
	for _, p := range i.Facts.Spent {
		sum, unknown = sum.Add(p.Usage), unknown+p.CostUnknown
	}
	return sum, unknown
}

// progress is how many tasks are done, of how many.
func (i PlanItem) progress() (done, total int) {
	for _, t := range i.State.Tasks {
		if t.Gone {
			continue
		}
		total++
		if t.Status == plan.Done || t.Status == plan.Skipped {
			done++
		}
	}
	return done, total
}

// tally are the counts that are not zero: "2 running, 1 asks, 1 failed".
func (i PlanItem) tally() string {
	n := map[string]int{}
	for _, t := range i.object().Tasks {
		if !t.Gone {
			n[i.taskWord(t)]++
		}
	}
	var parts []string
	for _, word := range []string{"running", "asks", "paused", "landing", "in review", "failed", "conflict", "blocked", "to do", "skipped"} {
		if n[word] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n[word], word))
		}
	}
	return strings.Join(parts, ", ")
}

func (i PlanItem) taskWord(t PlanTask) string {
	switch t.Status {
	case plan.Running:
		switch {
		case resting(t):
			return "paused"
		case i.asks(t.record):
			return "asks"
		}
		return "running"
	case plan.Landing:
		if i.asks(t.record) {
			return "asks"
		}
		return "landing"
	case plan.Reviewed, plan.Approving:
		return "in review"
	case plan.Failed:
		if t.Reason != nil && *t.Reason == string(loop.Conflict) {
			return "conflict"
		}
		return "failed"
	case plan.Pending, plan.Ready:
		return "to do"
	}
	return string(t.Status)
}

// Title returns the title of the plan, or its file.
func (i PlanItem) Title() string { return cmp.Or(text.Line(i.State.Title), path.Base(i.State.File)) }

// sortedPlans are plans in the one order.
func sortedPlans(plans []PlanItem) []PlanItem {
	plans = slices.Clone(plans)
	for n := range plans {
		plans[n] = plans[n].indexed()
	}
	return sorted(plans)
}

// PlanNext returns the command to type now; empty where there is none.
func PlanNext(s plan.State, f PlanFacts) string { return next.Plan(s, f.forNext()) }

func (f PlanFacts) forNext() next.PlanFacts {
	out := next.PlanFacts{Live: f.Live, Crashed: f.Crashed, Archived: f.Archived, Answered: f.Asks != nil, NotCreated: f.Unborn}
	for _, a := range f.Asks {
		out.Asks = append(out.Asks, a.Next)
	}
	for _, l := range f.Loops {
		out.AtLimit = out.AtLimit || l.Status == loop.Waiting && l.Reason == loop.ForLimit
	}
	return out
}

// next returns the command to type now. Questions of loops that are known to be
// answered are left out.
func (i PlanItem) next() string {
	f := i.Facts.forNext()
	if s := i.State; s.Status == loop.Waiting && s.OpenQuestion() == nil && !slices.ContainsFunc(s.Tasks, i.asks) && !f.Live {
		f.Asks, f.Answered = nil, true
	}
	return next.Plan(i.State, f)
}

// taskNext returns the command to type for a task of a plan; empty where there is
// none.
func (i PlanItem) taskNext(t PlanTask) string {
	s := t.record
	l, found := i.loopOf(cmp.Or(s.Repair, s.Loop))
	switch {
	case t.Status == plan.Failed:
		return next.Show(cmp.Or(s.Repair, s.Loop, i.State.ID))
	case !i.asks(s), resting(t) && found && !l.State.Status.Terminal():
		return ""
	case found:
		return Next(l.State, l.Facts)
	}
	if ask := i.askOf(t.ID); ask != nil {
		return next.Answer(ask.Loop, next.Blank)
	}
	return next.Answer(s.Loop, next.Blank)
}
