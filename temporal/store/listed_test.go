//go:build server

package store_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/interceptor"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/temporal/store"
)

// asked counts the queries of a client.
type asked struct {
	interceptor.ClientInterceptorBase
	atomic.Int64
}

func (a *asked) InterceptClient(next interceptor.ClientOutboundInterceptor) interceptor.ClientOutboundInterceptor {
	i := &asking{count: a}
	i.Next = next
	return i
}

type asking struct {
	interceptor.ClientOutboundInterceptorBase
	count *asked
}

func (a *asking) QueryWorkflow(ctx context.Context, in *interceptor.ClientQueryWorkflowInput) (converter.EncodedValue, error) {
	a.count.Add(1)
	return a.Next.QueryWorkflow(ctx, in)
}

// atEvent are loops that a caller has as of an event.
type atEvent map[string]int64

func (atEvent) Archived(string) bool           { return false }
func (a atEvent) At(id string, seq int64) bool { at, ok := a[id]; return ok && at == seq }

// TestListAsksNoRunAtRest: a list is one request, however many runs have ended, where the
// caller has them. One that changed is read.
func TestListAsksNoRunAtRest(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	const runs = 20
	known := atEvent{}
	var last *store.Lease[loop.State, loop.Event]
	for n := range runs {
		id := fmt.Sprintf("run-%d", n)
		l, err := s.Create(t.Context(), first(id), nil)
		ok(t, err)
		ended := l.State()
		ended.Status = loop.StatusPassed
		ok(t, l.Commit(t.Context(), ended, []loop.Event{loop.Steered{Stamp: loop.Stamp{At: noon}, Text: "x"}}))
		known[id] = l.Seq()
		if last = l; n < runs-1 {
			ok(t, l.Release(t.Context()))
		}
	}
	count := &asked{}
	c := server.NewClientWithOptions(client.Options{Logger: store.Quiet(), Interceptors: []interceptor.ClientInterceptor{count}})
	looks, err := store.Open(c, store.Loops(), store.Options{Project: p, Owner: "looks"})
	ok(t, err)
	t.Cleanup(looks.Close)
	idsOf := func(all []engine.Stored[loop.State], err error) (ids []string) {
		ok(t, err)
		for _, r := range all {
			ids = append(ids, r.State.ID)
		}
		return ids
	}
	unknown := func() []string { return idsOf(looks.Unknown(t.Context(), known)) }
	until(t, "the list shows that all but one have no owner", func() bool { return slices.Equal(unknown(), []string{"run-19"}) })
	before := count.Load()
	unknown()
	idsOf(looks.List(t.Context(), engine.Filter{Active: true}))
	if asked := count.Load() - before; asked != 0 { // that of run-19 has not changed
		t.Errorf("%d queries", asked)
	}
	ok(t, last.Release(t.Context()))
	until(t, "the list shows that none has an owner", func() bool { return len(unknown()) == 0 })
	known["run-3"]--
	if got := unknown(); !slices.Equal(got, []string{"run-3"}) {
		t.Errorf("the caller lacks an event of run-3, and got %v", got)
	}
	if got := len(idsOf(looks.List(t.Context(), engine.Filter{}))); got != runs {
		t.Errorf("a caller that has none got %d of %d", got, runs)
	}
}

// TestPlanRunsAgain: a plan that has ended is active again once it runs again.
func TestPlanRunsAgain(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Plans(), p)
	l, err := s.Create(t.Context(), plan.State{ID: "plan-1", Status: loop.StatusPassed}, nil)
	ok(t, err)
	ok(t, l.Release(t.Context()))
	active := func() int {
		all, err := s.List(t.Context(), engine.Filter{Active: true})
		ok(t, err)
		return len(all)
	}
	until(t, "it has ended", func() bool { return active() == 0 })
	l, err = s.Acquire(t.Context(), "plan-1", nil, false)
	ok(t, err)
	again := l.State()
	again.Status = loop.Running
	ok(t, l.Commit(t.Context(), again, nil))
	ok(t, l.Release(t.Context()))
	until(t, "it is active", func() bool { return active() == 1 })
}

// TestListSeesLoopsThatCameBack: a process that saw a loop leave for another engine lists it once
// it is back.
func TestListSeesLoopsThatCameBack(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	l, err := s.Create(t.Context(), first("run"), nil)
	ok(t, err)
	here := l.State()
	here.Status = loop.Paused
	gone := here
	gone.Status, gone.Reason, gone.Move = loop.Aborted, loop.Left, &loop.Move{}
	active := func() int {
		all, err := s.List(t.Context(), engine.Filter{Active: true})
		ok(t, err)
		return len(all)
	}
	until(t, "it is listed", func() bool { return active() == 1 })
	ok(t, l.Commit(t.Context(), gone, nil))
	if n := active(); n != 0 {
		t.Errorf("%d loops are listed after it left", n)
	}
	ok(t, l.Commit(t.Context(), here, nil))
	if n := active(); n != 1 {
		t.Errorf("%d loops are listed after it came back", n)
	}
	ok(t, l.Release(t.Context()))
}

// TestListOfWaitingRunsIsOneRequest: a process that looks each second, as a worker does, reads
// hundreds of runs that wait for one once, and those that changed again.
func TestListOfWaitingRunsIsOneRequest(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	const runs = 150
	known := atEvent{}
	for n := range runs {
		l, err := s.Create(t.Context(), first(fmt.Sprintf("run-%d", n)), nil)
		ok(t, err)
		ok(t, l.Release(t.Context()))
		known[l.ID()] = 0
	}
	count := &traffic{}
	looks, err := store.Open(count.client(), store.Loops(), store.Options{Project: p, Namespace: server.GetDefaultNamespace(), Owner: "looks"})
	ok(t, err)
	t.Cleanup(looks.Close)
	look := func() (runs []engine.Stored[loop.State]) {
		runs, err := looks.List(t.Context(), engine.Filter{Active: true})
		ok(t, err)
		return runs
	}
	asked := func() int64 {
		before := count.requests.Load()
		look()
		return count.requests.Load() - before
	}
	until(t, "the list shows that none has an owner", func() bool { return len(look()) == runs && asked() == 0 })
	if all, err := looks.Unknown(t.Context(), known); err != nil || len(all) > 0 {
		t.Errorf("a clone that has them reads %d, %v", len(all), err)
	}
	l, err := s.Acquire(t.Context(), "run-7", nil, false)
	ok(t, err)
	until(t, "the list shows its owner", func() bool {
		return slices.ContainsFunc(look(), func(r engine.Stored[loop.State]) bool { return r.State.ID == "run-7" && r.Live })
	})
	ok(t, steer(t.Context(), l))
	if n := asked(); n > 2 {
		t.Errorf("%d requests for one run that changed", n)
	}
	ok(t, l.Release(t.Context()))
	until(t, "the list shows that it has none", func() bool {
		all := look()
		return asked() == 0 && slices.ContainsFunc(all, func(r engine.Stored[loop.State]) bool { return r.State.ID == "run-7" && !r.Live && r.Seq == 1 })
	})
}
