package view

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/recovery"
	"ralph/internal/text"
)

// PlanItem is the run of a plan with its facts.
type PlanItem struct {
	State plan.State
	Facts PlanFacts
	// Loops are those of its tasks; Whole: none is left out.
	Loops []Item
	Whole bool

	// at is where Loops has each, by its id.
	at map[string]int
}

// PlanFacts are observations beyond a plan's recorded state.
type PlanFacts struct {
	Plan plan.Plan
	// Of is the plan whose task this one is; empty is none.
	Of       string
	Live     bool
	Crashed  bool
	Archived bool
	// Recovery records the restarts of a crashed plan since it last made progress.
	Recovery recovery.Restarts
	// Asks are the open questions of its tasks; nil where they were not read. Loops
	// are those that its tasks are at, by their ids, as far as they were read.
	Asks  []PlanAsk
	Loops map[string]loop.State
	// Texts are the documents that open questions of the plan are about, by the
	// question's id.
	Texts map[string]string
	// Spent and Budgets are as in PlanRun.
	Spent   []loop.AgentSpent
	Budgets []money.Balance
	// Landed are the loops that did the landed tasks, by their ids, with what changed of
	// their evidence; the zero Item is one that was deleted. nil: they were not read.
	Landed map[string]Item
	// Absent are loops and plans of failed tasks that never began, or were deleted.
	Absent map[string]bool
}

// indexed is the item of a plan about whose loops much is going to be asked.
func (i PlanItem) indexed() PlanItem {
	if i.at != nil {
		return i
	}
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
	id := cmp.Or(t.Repair, t.Loop)
	l, ok := i.loopOf(id)
	if s, known := i.Facts.Loops[id]; known && !ok {
		l, ok = Item{State: s}, true
	}
	if !ok {
		return t.Rests == loop.ForHuman && (!t.Child || i.askOf(t.ID) != nil)
	}
	return l.group() == GroupNeedsYou && (!l.Facts.Crashed || l.State.Open() != nil)
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

// key is the part of the run that its place in a list depends on.
func (i PlanItem) key() Run {
	s := i.State
	return Run{ID: s.ID, Status: i.status(), Reason: s.Reason, StartedAt: s.StartedAt, EndedAt: s.EndedAt, Group: i.group()}
}

func (i PlanItem) status() loop.Status {
	if i.Facts.Crashed {
		return Crashed
	}
	return i.State.Status
}

// message is the sentence about where the plan stands. The recorded one counts the
// questions that were open when its process stopped; this one those that still are.
func (i PlanItem) message() string {
	s, f := i.State, i.Facts
	if f.Asks == nil || s.Status != loop.Waiting || s.Reason != loop.ForHuman {
		return s.Message
	}
	n := len(s.OpenQuestions()) + len(f.Asks)
	switch {
	case n == 1:
		return "1 question waits for a person"
	case n > 1:
		return fmt.Sprintf("%d questions wait for a person", n)
	case slices.ContainsFunc(s.Tasks, i.asks):
		return s.Message
	case f.Live:
		return allAnswered
	}
	return allAnswered + "; the plan is not running"
}

const allAnswered = "every question is answered"

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

// next returns the command to type now. Questions of loops that are known to be
// answered are left out.
func (i PlanItem) next() string {
	s, f := i.State, i.Facts
	out := next.PlanFacts{Live: f.Live, Crashed: f.Crashed, Archived: f.Archived, Answered: f.Asks != nil, Absent: f.Absent}
	for _, a := range f.Asks {
		out.Asks = append(out.Asks, a.Next)
	}
	for _, l := range f.Loops {
		out.AtLimit = out.AtLimit || l.AwaitsStart()
	}
	if s.Status == loop.Waiting && s.OpenQuestion() == nil && !slices.ContainsFunc(s.Tasks, i.asks) && !f.Live {
		out.Asks, out.Answered = nil, true
	}
	return next.Plan(s, out)
}
