package move

import (
	"context"
	"fmt"

	"ralph/internal/engine"
	"ralph/internal/journal"
)

// kind is one of the two kinds of runs, loops or plans, as a move needs it. The steps of a move
// have one order for both, and are functions of a kind (out, back, abandon); what differs is a
// field here, which loops.go and plans.go fill. H is the lease here.
type kind[S any, E journal.Event, H engine.Lease[S, E]] struct {
	machine[S, E]
	noun string

	// records are those of this machine, server has those of the server. hold is the lease of
	// a run here, also of one that was archived since it left; a spec replaces its request.
	records records[S]
	server  engine.Store[S, E, engine.Lease[S, E]]
	hold    func(ctx context.Context, id string, spec []byte) (H, error)

	refusals[S]
	leaving[S, H]
	coming[S, E, H]
	copying[S, E, H]
	// keep makes a run that has left, or is leaving, complete here without its server; keepThere
	// does so on the server, without the clone for which it left.
	keep      func(ctx context.Context, l H) (kept []string, err error)
	keepThere func(ctx context.Context, s S) error
}

// refusals are why a run stays where it is.
type refusals[S any] struct {
	// moved is engine.MovedOf. alone refuses a part of a plan that moves with it only; immovable
	// returns why a run cannot be moved; archived: not because it is archived. same refuses
	// another run of the same id.
	moved     func(S) error
	alone     func(engine.Stored[S]) error
	immovable func(S) string
	archived  bool
	same      func(ctx context.Context, have, there engine.Stored[S]) error
	// come refuses a run of the server that cannot be moved here now.
	come func(ctx context.Context, b both[S]) error
}

// leaving are the steps of a run that moves to the server.
type leaving[S, H any] struct {
	// rest leaves a run here where it can move from. offer pushes the work of one that can
	// move; exists: the server has a record of it.
	rest  func(ctx context.Context, r engine.Stored[S]) error
	offer func(ctx context.Context, l H, exists bool) error
	// partsOut moves the parts of a plan. recall takes them back.
	partsOut func(ctx context.Context, s S) (kept []string, err error)
	recall   func(ctx context.Context, s S) error
	// requestThere is the first state and the request with which the server makes a record;
	// renews: the request replaces the one that the server has.
	requestThere func(ctx context.Context, l H) (first S, spec []byte, err error)
	renews       bool
	// putFiles publishes the files of a run under the epoch of its lease there.
	putFiles func(ctx context.Context, l H, epoch int64) error
	// handBack hands back the trees of a run that left, and returns the branches with what
	// was not committed.
	handBack func(ctx context.Context, l H) (kept []string, err error)
}

// coming are the steps of a run that moves here.
type coming[S any, E journal.Event, H any] struct {
	// fetch gets the work; kept is the commit of failed work. pause are the events after which
	// a run of the server rests.
	fetch func(ctx context.Context, s S) (kept string, err error)
	pause func(s S) []E
	// partsBack moves the parts of a plan.
	partsBack func(ctx context.Context, s S) error
	// requestHere is the request of a run as this machine keeps it. create makes a record
	// that is not complete.
	requestHere func(there engine.Stored[S]) (spec []byte, err error)
	create      func(ctx context.Context, there engine.Stored[S], spec []byte) (H, error)
	// getFiles brings the files of a run. land makes the branches that its record names, once
	// that is here.
	getFiles func(ctx context.Context, l H, there engine.Stored[S]) error
	land     func(ctx context.Context, l H, kept string) error
	// returned and writeBack complete a move to here.
	returned  func(ctx context.Context, id string) error
	writeBack func(ctx context.Context, l H) error
}

// copying is how a record gets from one store into the other one.
type copying[S any, E journal.Event, H any] struct {
	// start is the state with which a copy begins, of those in the two stores, and play the
	// one after an event: that of a loop follows from its events, and that of a plan is
	// copied with them. here: it is copied here.
	start func(from, to S, here bool) S
	play  func(s S, r engine.Event) (S, E, error)
	// copied records events of the server here, at most so many in one commit; 0 is any number.
	copied func(ctx context.Context, l H, next S, events []E) error
	most   int
}

// records are those of this machine.
type records[S any] interface {
	Read(ctx context.Context, id string) (engine.Stored[S], error)
	Events(ctx context.Context, id string, after int64) ([]engine.Event, error)
}

// both are the records of a run here and on the server, where there are any.
type both[S any] struct {
	have, there     engine.Stored[S]
	isHere, isThere bool
}

func (k kind[S, E, H]) read(ctx context.Context, id string) (b both[S], err error) {
	if b.have, b.isHere, err = known(k.records.Read(ctx, id)); err == nil {
		b.there, b.isThere, err = known(k.server.Read(ctx, id))
	}
	for _, r := range []engine.Stored[S]{b.have, b.there} {
		if err == nil {
			err = k.alone(r)
		}
	}
	return b, err
}

// readHere returns the record of a run that may move by itself.
func (k kind[S, E, H]) readHere(ctx context.Context, id string) (engine.Stored[S], error) {
	r, ok, err := known(k.records.Read(ctx, id))
	if err == nil && !ok {
		err = fmt.Errorf("%w: %s", engine.ErrNotFound, id)
	}
	if err == nil {
		err = k.alone(r)
	}
	return r, err
}

// recordHere records events of a move here; it is not cut off.
func (k kind[S, E, H]) recordHere(ctx context.Context, l H, events ...E) (S, error) {
	next, err := journal.Fold(k.apply, l.State(), events...)
	if err == nil {
		err = l.Commit(context.WithoutCancel(ctx), next, events)
	}
	return next, err
}

// recordThere records events of a move on the server.
func (k kind[S, E, H]) recordThere(ctx context.Context, l engine.Lease[S, E], events ...E) error {
	next, err := journal.Fold(k.apply, l.State(), events...)
	if err == nil {
		err = record(ctx, l, next, events)
	}
	return err
}

// acquireThere acquires a run on the server.
func (k kind[S, E, H]) acquireThere(ctx context.Context, id string, spec []byte, takeOver bool) (engine.Lease[S, E], error) {
	return asked(ctx, func(ctx context.Context) (engine.Lease[S, E], error) {
		return k.server.Acquire(ctx, id, spec, takeOver)
	})
}

func (k kind[S, E, H]) cannotMove(id, why string) error {
	return &engine.ImmovableError{ID: id, Plan: k.noun == "plan", Why: why}
}

// none is a step that a kind does not need, noneKept one that returns branches.
func none[T any](context.Context, T) error { return nil }

func noneKept[T any](context.Context, T) ([]string, error) { return nil, nil }
