// Package situation maps the store's errors to those of package engine, for loops
// and plans alike. Each caller of the database maps: package stored all that
// engine.Store has, package local for what it asks of the database itself. To map an
// error twice changes nothing.
package situation

import (
	"errors"

	"ralph/internal/engine"
	"ralph/internal/store"
)

// Of returns err as the engine error that callers distinguish. Its message
// stays the store's.
func Of(err error) error {
	if _, full := errors.AsType[*engine.AdmissionError](err); full || err == nil {
		return err
	}
	if full, ok := errors.AsType[*store.AdmissionError](err); ok {
		ids := make([]string, len(full.Active))
		for i, a := range full.Active {
			ids[i] = a.ID
		}
		return &engine.AdmissionError{Active: ids, Max: full.Max, Paths: full.Paths, Parent: full.Parent, Err: err}
	}
	if several, ok := errors.AsType[*store.AmbiguousError](err); ok {
		return known{&engine.AmbiguousError{Prefix: several.Prefix, IDs: several.IDs}, err}
	}
	var held *store.HeldError
	var fenced *store.FencedError
	var same *store.SameTaskError
	var full *store.NoSpaceError
	var broken *store.DiskError
	var closed *store.ClosedError
	var damage *store.DamageError
	switch {
	case errors.As(err, &full):
		return known{engine.ErrNoSpace, err}
	case errors.As(err, &broken), errors.As(err, &closed):
		return known{engine.ErrUnusable, err}
	case errors.As(err, &same):
		return known{engine.ErrSameTask, err}
	case errors.As(err, &held):
		return known{engine.ErrRunning, err}
	case errors.As(err, &fenced):
		return known{engine.ErrFenced, err}
	case errors.Is(err, store.ErrNoPattern):
		return known{engine.ErrNoPattern, err}
	case errors.Is(err, store.ErrNoLoop), errors.Is(err, store.ErrNoPlan):
		return known{engine.ErrNotFound, err}
	case errors.Is(err, store.ErrExists), errors.Is(err, store.ErrPlanExists):
		return known{engine.ErrExists, err}
	case errors.Is(err, store.ErrArchived):
		return known{engine.ErrEnded, err}
	case errors.Is(err, store.ErrDriven):
		return known{engine.ErrDriven, err}
	case errors.Is(err, store.ErrNoArtifact):
		return known{engine.ErrNoArtifact, err}
	case errors.Is(err, store.ErrLargeArtifact):
		return known{engine.ErrLargeArtifact, err}
	case errors.Is(err, store.ErrChangedArtifact):
		return known{engine.ErrChangedArtifact, err}
	case errors.Is(err, store.ErrAnswered):
		return known{engine.ErrAnswered, err}
	case errors.As(err, &damage):
		return known{engine.ErrDamaged, err}
	case errors.Is(err, store.ErrNotEnded):
		return known{engine.ErrNotEnded, err}
	}
	return err
}

// As returns an error that reads as err and is also the error is.
func As(is, err error) error { return known{is, err} }

// known is an error with the store's message and the engine's identity.
type known struct{ is, err error }

func (k known) Error() string   { return k.err.Error() }
func (k known) Unwrap() []error { return []error{k.is, k.err} }
