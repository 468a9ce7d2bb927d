package store

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"ralph/internal/engine"
)

// readers is how many runs of a list are read at once.
const readers = 8

// List returns the newest first; see Kind.final.
func (s *Store[S, E]) List(ctx context.Context, f engine.Filter) ([]engine.Stored[S], error) {
	return s.list(ctx, f, func(x indexed) bool { return f.Active && (x.over() || s.isOver(x.id)) })
}

// Count returns how many runs a list without a limit has: which ones only their records tell.
func (s *Store[S, E]) Count(ctx context.Context, f engine.Filter) (int, error) {
	f.Limit = 0
	all, err := s.List(ctx, f)
	return len(all), err
}

// Unknown lists the runs, archived ones too, that a caller does not have as they are.
func (s *Store[S, E]) Unknown(ctx context.Context, have engine.Known) ([]engine.Stored[S], error) {
	return s.list(ctx, engine.Filter{Archived: true}, func(x indexed) bool {
		if x.archived {
			return have.Archived(x.id)
		}
		return x.rests() && have.At(x.id, x.shown.Seq)
	})
}

// list reads no run that need not be read.
func (s *Store[S, E]) list(ctx context.Context, f engine.Filter, needless func(indexed) bool) ([]engine.Stored[S], error) {
	indexed, err := s.indexed(ctx, s.kind.name, f.Archived)
	if err != nil {
		return nil, err
	}
	all, err := s.readAll(ctx, slices.DeleteFunc(indexed, needless))
	if err != nil {
		return nil, err
	}
	return s.kind.choose(all, f), nil
}

// listed is a run with what orders a list.
type listed[S any] struct {
	engine.Stored[S]
	id      string
	created int64 // nanoseconds
}

func (s *Store[S, E]) readAll(ctx context.Context, runs []indexed) ([]listed[S], error) {
	out, failed := make([]listed[S], len(runs)), make([]error, len(runs))
	var all sync.WaitGroup
	slots := make(chan struct{}, readers)
	for i, x := range runs {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			out[i], failed[i] = s.readListed(ctx, x)
		})
	}
	all.Wait()
	there := out[:0]
	for i, r := range out {
		switch {
		case failed[i] == nil:
			there = append(there, r)
		case !errors.Is(failed[i], engine.ErrNotFound): // removed on the server meanwhile
			return nil, failed[i]
		}
	}
	return there, nil
}

func (s *Store[S, E]) readListed(ctx context.Context, x indexed) (listed[S], error) {
	id := x.id
	rested, rests := s.resting(x)
	run := current{Run: rested}
	if !rests {
		var err error
		if run, err = s.run(ctx, id); err != nil {
			return listed[S]{}, err
		}
	}
	r, err := stored[S](run)
	if err == nil && s.kind.final && s.kind.ended(r.State) && !s.kind.away(r.State) {
		s.mu.Lock()
		s.over[id] = true
		s.mu.Unlock()
	}
	return listed[S]{r, id, run.Created.UnixNano()}, err
}

// isOver reports whether this process has seen that a run ended, and that is final: a worker,
// which looks each second, reads it no more.
func (s *Store[S, E]) isOver(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over[id]
}

// choose applies a filter to runs, and orders them.
func (k Kind[S, E]) choose(all []listed[S], f engine.Filter) (out []engine.Stored[S]) {
	slices.SortFunc(all, func(a, b listed[S]) int {
		newest := b.Updated.Compare(a.Updated)
		if k.final {
			newest = 0
		}
		return cmp.Or(newest, cmp.Compare(b.created, a.created), strings.Compare(a.id, b.id))
	})
	for _, r := range all {
		if !f.Selects(k.traits(r.Stored)) {
			continue
		}
		if out = append(out, r.Stored); f.Limit > 0 && len(out) == f.Limit {
			break
		}
	}
	return out
}
