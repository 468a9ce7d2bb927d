package engine

import (
	"encoding/json"
	"time"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Filter of a list of loops or of plans. Each field means the same for both and in every
// store: Archived adds runs, the others leave some out. The zero value lists every run that
// is not archived.
type Filter struct {
	// Archived adds archived runs.
	Archived bool
	// Active leaves out runs that have ended, Ended those that have not.
	Active, Ended bool
	// Unclosed leaves out all but those that have ended, are not archived and may still
	// wait for a person: to be accepted, retried or archived.
	Unclosed bool
	// Mode, where set, is that of the wanted runs; plans have none.
	Mode loop.Mode
	// Parent, where set, is that of the wanted runs: the plan, or the orchestration of
	// agent-driven loops, that a loop belongs to; the plan in whose task's place a plan runs.
	Parent string
	// Apart leaves out runs that belong to the run of a plan.
	Apart bool
	// Since, where set, leaves out runs of which nothing was recorded since then.
	Since time.Time
	// Limit is how many of the newest; 0 is no limit.
	Limit int
}

// Traits are what a Filter asks of a run.
type Traits struct {
	Ended, Archived bool
	// Unclosed: it has ended and may still wait for a person.
	Unclosed bool
	Mode     loop.Mode
	Parent   string
	// InPlan: it belongs to the run of a plan.
	InPlan  bool
	Updated time.Time
}

// LoopTraits returns those of a loop.
func LoopTraits(r Stored[loop.State]) Traits {
	s := r.State
	return Traits{
		Ended: s.Status.Terminal(), Archived: r.Archived, Unclosed: s.Status.Terminal() && !s.Closed(),
		Mode: s.Mode, Parent: s.Parent, InPlan: s.InPlan(), Updated: r.Updated,
	}
}

// PlanTraits returns those of a plan. One whose request cannot be read belongs to no other.
func PlanTraits(r Stored[plan.State]) Traits {
	s := r.State
	var spec PlanSpec
	_ = json.Unmarshal(r.Spec, &spec)
	t := Traits{
		Ended: s.Status.Terminal(), Archived: r.Archived, Unclosed: s.Status.Terminal() && !s.Closed(),
		Updated: r.Updated,
	}
	t.Parent, t.InPlan = spec.Parent(), len(spec.Ancestors) > 0
	return t
}

// Selects reports whether a list has a run, as far as its limit allows.
func (f Filter) Selects(t Traits) bool {
	switch {
	case t.Archived && (!f.Archived || f.Unclosed),
		f.Active && t.Ended,
		f.Ended && !t.Ended,
		f.Unclosed && !t.Unclosed,
		f.Mode != "" && t.Mode != f.Mode,
		f.Parent != "" && t.Parent != f.Parent,
		f.Apart && t.InPlan,
		!f.Since.IsZero() && t.Updated.Before(f.Since):
		return false
	}
	return true
}
