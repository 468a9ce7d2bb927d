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

// List returns the newest first; see Kind.activeFirst.
func (s *Store[S, E]) List(ctx context.Context, f engine.Filter) ([]engine.Stored[S], error) {
	indexed, err := s.indexed(ctx, s.kind.name, f.Archived)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, x := range indexed {
		if !known(x, f) && !(f.Active && !f.Unsettled && (x.over() || s.isOver(x.id))) {
			ids = append(ids, x.id)
		}
	}
	var plans []string
	if f.Apart {
		if plans, err = s.ids(ctx, Plans().name, true); err != nil {
			return nil, err
		}
	}
	all, err := s.readAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(r listed[S]) bool { return f.Apart && slices.Contains(plans, s.kind.parent(r.State)) })
	return s.kind.choose(all, f), nil
}

// known reports whether the caller has a run as it is.
func known(x indexed, f engine.Filter) bool {
	switch {
	case f.Known == nil:
		return false
	case x.archived:
		return f.Known.Archived(x.id)
	}
	return x.over() && f.Known.Ended(x.id, x.shown.Seq)
}

// listed is a run with what orders a list.
type listed[S any] struct {
	engine.Stored[S]
	id      string
	created int64 // nanoseconds
}

func (s *Store[S, E]) readAll(ctx context.Context, ids []string) ([]listed[S], error) {
	out, failed := make([]listed[S], len(ids)), make([]error, len(ids))
	var all sync.WaitGroup
	slots := make(chan struct{}, readers)
	for i, id := range ids {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			out[i], failed[i] = s.readListed(ctx, id)
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

func (s *Store[S, E]) readListed(ctx context.Context, id string) (listed[S], error) {
	run, err := s.run(ctx, id)
	if err != nil {
		return listed[S]{}, err
	}
	r, err := stored[S](run)
	if err == nil && s.kind.final && s.kind.ended(r.State) {
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
	rank := func(r listed[S]) int {
		if k.activeFirst && k.ended(r.State) {
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b listed[S]) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(b.created, a.created), strings.Compare(a.id, b.id))
	})
	ended := 0
	for _, r := range all {
		over := k.ended(r.State)
		if !k.wanted(r, f, ended) {
			continue
		}
		if over {
			ended++
		}
		if out = append(out, r.Stored); f.Limit > 0 && len(out) == f.Limit {
			break
		}
	}
	return out
}

// wanted reports whether a filter selects a run; before is how many runs that have
// ended were selected before it.
func (k Kind[S, E]) wanted(r listed[S], f engine.Filter, before int) bool {
	over := k.ended(r.State)
	waits := over && !r.Archived && k.unsettled(r.State)
	switch {
	case r.Archived && !f.Archived,
		f.Mode != "" && k.mode(r.State) != f.Mode,
		f.Parent != "" && k.parent(r.State) != f.Parent,
		!f.Since.IsZero() && r.Updated.Before(f.Since):
		return false
	case f.Unsettled && !k.activeFirst:
		return waits
	case f.Unsettled && waits:
		return true
	case f.Active && over, f.Ended && !over:
		return false
	}
	return !over || f.Recent == 0 || before < f.Recent
}
