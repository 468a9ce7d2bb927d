package entity

import (
	"slices"

	"go.temporal.io/sdk/workflow"
)

// AdmissionName is the name of the workflow that admits the loops of a project, and the end of
// its id. The other names are those of its updates and its query.
const (
	AdmissionName = "ralph.admission"
	AdmitUpdate   = "admit"
	LeaveUpdate   = "leave"
	PlacesQuery   = "places"
)

// Full is the type of the refusal where all places are taken.
const Full = "full"

// Admission is what the workflow knows: the loops that may run, each under the epoch of a
// lease. A place is given under a lease, and given back once that lease can pay for nothing
// more: so no more loops run at once than there are places.
type Admission struct {
	Places []Place `json:"places,omitempty"`
}

// Place is the right of a loop to run under the lease of an epoch.
type Place struct {
	Loop  string `json:"loop"`
	Epoch int64  `json:"epoch"`
}

// Admit asks for a place, where fewer than Most are taken.
type Admit struct {
	Place
	Most int `json:"most"`
}

func (a *Admission) of(loop string) int {
	return slices.IndexFunc(a.Places, func(p Place) bool { return p.Loop == loop })
}

// mayAdmit refuses a place. A loop that has one keeps it under a newer lease.
func (a *Admission) mayAdmit(ask Admit) error {
	at := a.of(ask.Loop)
	switch {
	case ask.Loop == "" || ask.Epoch <= 0 || ask.Most <= 0:
		return refuse(Invalid, "the request for a place is incomplete")
	case at >= 0 && a.Places[at].Epoch > ask.Epoch:
		return refuse(Fenced, "%s has a place under a newer lease", ask.Loop)
	case at < 0 && len(a.Places) >= ask.Most:
		return refuse(Full, "%d loops have the %d places", len(a.Places), ask.Most)
	}
	return nil
}

func (a *Admission) admit(ask Admit) {
	if at := a.of(ask.Loop); at >= 0 {
		a.Places[at] = ask.Place
		return
	}
	a.Places = append(a.Places, ask.Place)
}

// leave gives a place back, unless a newer lease has it.
func (a *Admission) leave(p Place) (left bool) {
	at := slices.Index(a.Places, p)
	if at >= 0 {
		a.Places = slices.Delete(a.Places, at, at+1)
	}
	return at >= 0
}

// Admissions keeps the places of a project. It ends never; its history is cut as that of a run.
func Admissions(ctx workflow.Context, a Admission) error {
	for _, err := range []error{
		handle(ctx, AdmitUpdate, a.mayAdmit, func(_ workflow.Context, ask Admit) (bool, error) {
			err := a.mayAdmit(ask)
			if err == nil {
				a.admit(ask)
			}
			return err == nil, err
		}),
		handle(ctx, LeaveUpdate, func(Place) error { return nil }, func(_ workflow.Context, p Place) (bool, error) {
			return a.leave(p), nil
		}),
		workflow.SetQueryHandler(ctx, PlacesQuery, func() (Admission, error) { return a, nil }),
	} {
		if err != nil {
			return err
		}
	}
	return again(ctx, AdmissionName, func() any { return a })
}

// again continues as new with what the workflow knows then, whenever the server suggests it.
func again(ctx workflow.Context, name string, known func() any) error {
	full := func() bool { return workflow.GetInfo(ctx).GetContinueAsNewSuggested() }
	if err := workflow.Await(ctx, full); err != nil {
		return err
	}
	if err := workflow.Await(ctx, func() bool { return workflow.AllHandlersFinished(ctx) }); err != nil {
		return err
	}
	return workflow.NewContinueAsNewError(ctx, name, known())
}
