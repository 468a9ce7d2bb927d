package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// A plan moves as a loop does, and its parts move between its intent and its arrival:
//
//	from: plan_move_began
//	every loop of it moves, as above
//	every plan in the place of a task moves, as this one
//	its own files ▶ shared folder ▶ to
//	to:   the events so far, incomplete
//	to:   plan_moved_away, plan_arrived
//	from: plan_moved_away
//
// Its journal has the same numbers in both stores. The state is copied with it, not made of
// it: a plan that begins anew gets a state that no event leads to. What one machine calls the
// plan's file is translated.
//
// A plan in the place of a task is a part of the plan that its request names last among those
// around it. Such a plan has a record once it has begun; until then its file travels with that
// plan, and so do the ids of all of them, which name files of the machine where the plan began.

// Plans is what a Mover needs for plans: those of this machine, and those of the server.
type Plans struct {
	Stored stored.Plans
	Server engine.SharedPlans
	Local  LocalPlans
	Travel PlanTravel
	// Root is the tree of this machine in which loops of a plan begin.
	Root string
	// Path is where the file of a plan is on this machine, Name what others call it.
	Path func(id, name string) string
	Name func(path string) string
	// Budgets are those of plans on the server.
	Budgets *stored.PlanBudgets
}

// LocalPlans are the files and branches of the plans of this machine.
type LocalPlans interface {
	// Rest carries out what was sent to a plan that no process drives.
	Rest(ctx context.Context, id string) error
	// Freeze adds the content of a plan's file to a request, for workers, and that of the plans
	// in tasks' places. Name is what others call a file.
	Freeze(ctx context.Context, s plan.State, spec engine.PlanSpec, name func(path string) string) (engine.PlanSpec, error)
	// Arrive makes the branch of a plan, and those of the files, by their paths, that are not
	// here.
	Arrive(ctx context.Context, s plan.State, files map[string][]byte) error
	// WriteBack writes into the file what the plan did elsewhere.
	WriteBack(ctx context.Context, l engine.PlanLease) error
}

// PlanTravel takes the landed work of plans to other machines and brings it here.
type PlanTravel interface {
	// OfferPlan pushes the landed work. Ours: the branch on the remote is the plan's own.
	OfferPlan(ctx context.Context, spec engine.PlanSpec, s plan.State, ours bool) error
	FetchLanded(ctx context.Context, s plan.State) error
	// PutPlanFiles publishes the files of a plan itself (approved approaches, reviews, evidence
	// of the merged work) under the epoch of its lease there; GetPlanFiles brings them here.
	PutPlanFiles(ctx context.Context, id string, epoch int64, dir string) error
	GetPlanFiles(ctx context.Context, id, dir string) error
}

// dir has the files of a plan on this machine.
func (p Plans) dir(id string) string { return p.Stored.Store.Plans().Dir(id) }

// books are the budgets of plans on this machine.
func (p Plans) books() store.Plans { return p.Stored.Store.Plans() }

// CutOffError refuses a plan whose process died: another one has to end first what it began.
type CutOffError struct{ ID string }

func (e *CutOffError) Error() string {
	return fmt.Sprintf("plan %s was cut off while it ran", e.ID)
}
