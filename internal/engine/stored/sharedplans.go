package stored

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/store"
)

// SharedPlans are plans whose record is kept on a server that several machines share.
// There is no copy of it: plans are few, and a request reads the server. The database of
// this machine has what the reviews of a plan cost here.
//
//	commit   the landed commit is published ▶ server
//	acquire  lease on the server ▶ the plan's file and commits are fetched
//
// A plan's file has a name on the server and a path on this machine: states and requests
// are translated in both directions.
type SharedPlans struct {
	Server engine.SharedPlans
	// Ledger is the database that pays for reviews, and has the files of plans.
	Ledger *store.Store
	// Path is where the file of a plan is on this machine, Name what others call it.
	Path func(id, name string) string
	Name func(path string) string
	// Publish makes the landed commit and the files of the plan available to other machines
	// before the state is recorded, and Fetch gets here what an acquired plan needs. Both are set on workers.
	Publish func(ctx context.Context, p Publication[plan.State, plan.Event]) error
	Fetch   func(ctx context.Context, spec engine.PlanSpec, s plan.State) error
	// Budgets are those of the plans; nil is none.
	Budgets *PlanBudgets
}

var _ engine.PlanStore = SharedPlans{}

// Create records a new plan and acquires it.
func (s SharedPlans) Create(ctx context.Context, first plan.State, spec []byte) (engine.PlanLease, error) {
	spec, err := s.request(first.ID, spec, s.named)
	if err != nil {
		return nil, err
	}
	first.File = s.Name(first.File)
	there, err := s.Server.Create(ctx, first, spec)
	if err != nil {
		return nil, err
	}
	return s.leased(there), nil
}

// Acquire returns the lease of a plan.
func (s SharedPlans) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (engine.PlanLease, error) {
	if len(spec) > 0 {
		var err error
		if spec, err = s.request(id, spec, s.named); err != nil {
			return nil, err
		}
	}
	there, err := s.Server.Acquire(ctx, id, spec, takeOver)
	if err != nil {
		return nil, err
	}
	l := s.leased(there)
	if s.Fetch == nil {
		return l, nil
	}
	if err := errors.Join(s.fetch(ctx, id, l.State()), s.settleCut(ctx, id, l.Epoch())); err != nil {
		return nil, errors.Join(err, l.Release(context.WithoutCancel(ctx)))
	}
	return l, nil
}

// settleCut charges the shares of reviews that a former owner of a plan held.
func (s SharedPlans) settleCut(ctx context.Context, id string, epoch int64) error {
	plans, err := s.Budgets.Above(ctx, id)
	if err != nil || len(plans) == 0 {
		return err
	}
	return s.Budgets.settleCut(ctx, id, epoch, plans)
}

func (s SharedPlans) leased(there engine.Lease[plan.State, plan.Event]) *sharedPlanLease {
	return &sharedPlanLease{serverLease: serverLease[plan.State, plan.Event]{there, s.Publish, s.Ledger.Plans().Dir(there.ID())}, plans: s}
}

func (s SharedPlans) fetch(ctx context.Context, id string, now plan.State) error {
	r, err := s.Read(ctx, id)
	if err != nil {
		return err
	}
	spec, err := engine.ReadPlanSpec(id, r.Spec)
	if r.Damage != "" {
		err = errors.New(r.Damage)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", engine.ErrDamaged, err)
	}
	return s.Fetch(ctx, spec, now)
}

// request translates the paths of a request.
func (s SharedPlans) request(id string, data []byte, translate func(string, *engine.PlanSpec)) ([]byte, error) {
	spec, err := engine.ReadPlanSpec(id, data)
	if err != nil {
		return nil, err
	}
	translate(id, &spec)
	return json.Marshal(spec)
}

func (s SharedPlans) named(_ string, spec *engine.PlanSpec) { spec.File = s.Name(spec.File) }

// placed gives a request the path of this machine. A worker has a copy of the file, which
// stays where it is.
func (s SharedPlans) placed(id string, spec *engine.PlanSpec) {
	spec.File = s.Path(id, spec.File)
	spec.MoveFile = spec.MoveFile && s.Fetch == nil
}

// here gives a record the paths of this machine. Where workers drive the plans, one that
// waits for a worker counts as running. One whose request cannot be used waits for a person.
func (s SharedPlans) here(r engine.Stored[plan.State]) engine.Stored[plan.State] {
	r.State.File = s.Path(r.State.ID, r.State.File)
	spec, err := s.request(r.State.ID, r.Spec, s.placed)
	if err != nil {
		r.Damage = err.Error()
		if !r.State.Status.Terminal() {
			r.State.Status, r.State.Reason, r.State.Message = loop.Waiting, loop.Damaged, r.Damage
		}
	}
	r.Spec = spec
	if s.Fetch == nil && !r.Live && r.State.NeedsProcess() {
		r = awaitsWorker(r)
	}
	return r
}

func awaitsWorker(r engine.Stored[plan.State]) engine.Stored[plan.State] {
	r.Live, r.Owner, r.Process = true, "no worker yet", ""
	return r
}

// Read returns one plan. Where it rests and a message waits for it, as after an answer, a worker
// is about to take it.
func (s SharedPlans) Read(ctx context.Context, id string) (engine.Stored[plan.State], error) {
	r, err := s.Server.Read(ctx, id)
	if err != nil {
		return r, err
	}
	if r = s.here(r); s.Fetch == nil && !r.Live && r.State.Status == loop.Waiting && r.Damage == "" {
		unread, err := s.Server.Unread(ctx, id)
		if err != nil || !unread {
			return r, err
		}
		r = awaitsWorker(r)
	}
	return r, nil
}

// List returns the one that changed last first.
func (s SharedPlans) List(ctx context.Context, f engine.Filter) ([]engine.Stored[plan.State], error) {
	all, err := s.Server.List(ctx, f)
	for i := range all {
		all[i] = s.here(all[i])
	}
	return all, err
}

// Count returns how many a list without a limit has.
func (s SharedPlans) Count(ctx context.Context, f engine.Filter) (int, error) {
	return s.Server.Count(ctx, f)
}

// Resolve returns the id of a plan, of which name may be the beginning.
func (s SharedPlans) Resolve(ctx context.Context, prefix string) (string, error) {
	return s.Server.Resolve(ctx, prefix)
}

// Events returns the next ones after a number.
func (s SharedPlans) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	return s.Server.Events(ctx, id, after)
}

// Send puts a message into a plan's inbox.
func (s SharedPlans) Send(ctx context.Context, id string, m journal.Message) error {
	return s.Server.Send(ctx, id, m)
}

// Unread reports whether a message waits.
func (s SharedPlans) Unread(ctx context.Context, id string) (bool, error) {
	return s.Server.Unread(ctx, id)
}

// Archive hides a plan that has ended, everywhere.
func (s SharedPlans) Archive(ctx context.Context, id string) error { return s.Server.Archive(ctx, id) }
