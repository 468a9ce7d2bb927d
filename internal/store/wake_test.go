//go:build unix

package store

import (
	"context"
	"testing"

	"github.com/fsnotify/fsnotify"
)

// TestALostNotificationWakes: the kernel dropped events, and one of them may have
// been the wake.
func TestALostNotificationWakes(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	ctx, cancel := context.WithCancel(t.Context())
	w := &watch{wake: make(chan struct{}, 1)}
	failed := make(chan error)
	w.ends.Go(func() {
		w.run(watched{s, ctx, loopRuns, l.Dir(), l.num, l.epoch}, nil, failed)
	})
	failed <- fsnotify.ErrEventOverflow
	<-w.wake
	close(failed)
	cancel()
	w.ends.Wait()
}

// TestOneParentsLoops are limited when they start and when they are resumed.
func TestOneParentsLoops(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	child := func(id string, a Admission) (*LoopLease, error) {
		st := newState(id)
		st.Parent = "orchestration"
		return s.Create(t.Context(), st, a)
	}
	one := Admission{PerParent: 1}
	first, err := child("first", one)
	must(t, err)
	if _, err := child("second", one); !as[*AdmissionError](err) {
		t.Errorf("a second loop of the orchestration: %v", err)
	}
	second, err := child("second", Admission{})
	must(t, err)
	must(t, second.Release(t.Context()))
	if _, err := s.AcquireToRun(t.Context(), "second", false, one); !as[*AdmissionError](err) {
		t.Errorf("resumed beside the first: %v", err)
	}
	must(t, first.Release(t.Context()))
	again, err := s.AcquireToRun(t.Context(), "second", false, one)
	must(t, err)
	must(t, again.Release(t.Context()))
}
