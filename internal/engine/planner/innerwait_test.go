package planner

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// askedStore counts the tries to acquire a plan, and tells of each look at it.
type askedStore struct {
	engine.PlanStore
	id    string
	tries *atomic.Int64
	looks chan struct{}
}

func (s askedStore) Acquire(ctx context.Context, id string, spec []byte, over bool) (engine.PlanLease, error) {
	if id == s.id {
		s.tries.Add(1)
	}
	return s.PlanStore.Acquire(ctx, id, spec, over)
}

func (s askedStore) Read(ctx context.Context, id string) (storedPlan, error) {
	if id == s.id {
		select {
		case s.looks <- struct{}{}:
		default:
		}
	}
	return s.PlanStore.Read(ctx, id)
}

// TestWaitForInnerPlanAsksLittle: a plan that waits for one in a task's place, which another
// worker drives, reads its record, and asks for its lease only once that is free.
func TestWaitForInnerPlanAsksLittle(t *testing.T) {
	t.Parallel()
	c := newCrew(t, outerPlan, innerPlan, innerDoes)
	inner := IDOf(filepath.Join(c.root(), "sub/inner.json"))
	c.ask(t, engine.Options{})
	two := c.worker(t)
	file := CopyPath(two.Dir(inner), "sub/inner.json")
	data, err := json.Marshal(engine.PlanSpec{ID: inner, File: file, Text: []byte(innerPlan["sub/inner.json"]), Ancestors: []string{c.spec.ID}})
	must(t, err)
	lease, err := two.Store.Create(t.Context(), plan.Begin(inner, file, "", Branch(inner), c.spec.Base, plan.Rules{}), data)
	must(t, err)
	one := c.worker(t)
	store := askedStore{one.Store, inner, &atomic.Int64{}, make(chan struct{})}
	one.Store = store
	waits := make(chan struct{}, 1)
	watch := func(u engine.Update) {
		if u.Plan != nil && strings.HasPrefix(u.Plan.After.Note, "waits for "+inner) {
			select {
			case waits <- struct{}{}:
			default:
			}
		}
	}
	go func() {
		<-waits
		before := store.tries.Load()
		for range 3 {
			<-store.looks
		}
		if tries := store.tries.Load() - before; tries > 0 {
			t.Errorf("it asked for the lease %d times while it waited", tries)
		}
		_ = lease.Release(context.WithoutCancel(t.Context()))
	}()
	got, err := one.Resume(t.Context(), c.spec.ID, engine.Options{}, engine.Drive{Watch: watch})
	if must(t, err); got.Status != loop.StatusPassed {
		t.Errorf("%s %s: %s", got.Status, got.Message, statuses(got))
	}
}
