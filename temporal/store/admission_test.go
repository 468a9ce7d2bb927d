//go:build server

package store_test

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/sdk/client"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/temporal/store"
)

// TestAdmissionIsExact: three processes run twelve loops under leases and places. At no moment
// more run than may, also across executions of the workflow, and although every other place
// is not given back by its owner.
func TestAdmissionIsExact(t *testing.T) {
	t.Parallel()
	const processes, each, most = 3, 4, 3
	p := project()
	var running, highest, ran atomic.Int64
	var all sync.WaitGroup
	for process := range processes {
		c := server.NewClientWithOptions(client.Options{Logger: store.Quiet()})
		s, err := store.OpenProject(t.Context(), c, store.Options{Project: p, Namespace: server.GetDefaultNamespace(), Owner: fmt.Sprint("process ", process)})
		ok(t, err)
		t.Cleanup(s.Close)
		for n := range each {
			all.Go(func() {
				id := fmt.Sprintf("loop-%d-%d", process, n)
				l, err := s.Loops().Create(t.Context(), first(id), nil)
				if err == nil {
					err = l.Release(t.Context())
				}
				if err != nil {
					t.Error(err)
					return
				}
				for turn := 0; turn < 2; {
					took, err := turnOf(t, s, id, most, n%2 == 0, &running, &highest)
					if err != nil {
						t.Error(err)
						return
					}
					if took {
						turn++
						ran.Add(1)
					}
				}
			})
		}
	}
	all.Wait()
	if h := highest.Load(); h > most || h < 2 || ran.Load() != processes*each*2 {
		t.Errorf("%d loops ran at once, %d turns", h, ran.Load())
	}
}

// turnOf runs a loop once, where it gets a place.
func turnOf(t *testing.T, s *store.Project, id string, most int, leaves bool, running, highest *atomic.Int64) (took bool, err error) {
	l, err := s.Loops().Acquire(t.Context(), id, nil, false)
	if err != nil {
		return false, err
	}
	err = s.Admit(t.Context(), id, l.Epoch(), most)
	if errors.Is(err, engine.ErrNoPlace) {
		return false, errors.Join(l.Release(t.Context()), s.Sweep(t.Context()))
	}
	if err != nil {
		return false, err
	}
	for now := running.Add(1); ; {
		if was := highest.Load(); now <= was || highest.CompareAndSwap(was, now) {
			break
		}
	}
	err = l.Commit(t.Context(), l.State(), []loop.Event{loop.Steered{Stamp: loop.Stamp{At: noon}, Text: "x"}})
	running.Add(-1)
	if err = errors.Join(err, l.Release(t.Context())); err == nil && leaves {
		err = s.Leave(t.Context(), id, l.Epoch())
	}
	return true, err
}

// TestPlaceOfTheKilled: a loop whose owner was killed keeps its place until the next owner has
// it under a newer lease, or a person pauses the loop.
func TestPlaceOfTheKilled(t *testing.T) {
	t.Parallel()
	p := project()
	of := func(name string, heartbeat time.Duration) *store.Project {
		c := server.NewClientWithOptions(client.Options{Logger: store.Quiet()})
		s, err := store.OpenProject(t.Context(), c, store.Options{Project: p, Namespace: server.GetDefaultNamespace(), Owner: name, Heartbeat: heartbeat})
		ok(t, err)
		return s
	}
	gone, s := of("gone", time.Second), of("other", 0)
	t.Cleanup(s.Close)
	l, err := gone.Loops().Create(t.Context(), first("a"), nil)
	ok(t, err)
	ok(t, gone.Admit(t.Context(), "a", l.Epoch(), 1))
	gone.Close() // its leases count as those of a dead owner
	other, err := s.Loops().Create(t.Context(), first("b"), nil)
	ok(t, err)
	until(t, "the owner is dead", func() bool {
		r, err := s.Loops().Read(t.Context(), "a")
		ok(t, err)
		return !r.Live
	})
	ok(t, s.Sweep(t.Context()))
	if err := s.Admit(t.Context(), "b", other.Epoch(), 1); !errors.Is(err, engine.ErrNoPlace) {
		t.Fatalf("the place of a loop that is to run was given away: %v", err)
	}
	next, err := s.Loops().Acquire(t.Context(), "a", nil, false)
	ok(t, err)
	ok(t, s.Admit(t.Context(), "a", next.Epoch(), 1))
	ok(t, s.Leave(t.Context(), "a", l.Epoch())) // by the former owner, late
	if placed, err := s.Placed(t.Context()); err != nil || len(placed) != 1 || placed[0] != "a" {
		t.Errorf("%v, %v", placed, err)
	}
	ok(t, next.Release(t.Context())) // and is killed before it gives back the place
	ok(t, s.Sweep(t.Context()))
	ok(t, s.Admit(t.Context(), "b", other.Epoch(), 1))
	ok(t, other.Release(t.Context()))
}
