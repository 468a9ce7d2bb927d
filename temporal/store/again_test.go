//go:build server

package store_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/temporal/store"
)

// starts keeps the newest request that starts a workflow, and is where a process is killed:
// before the request, or after it.
type starts struct {
	newest        *workflowservice.StartWorkflowExecutionRequest
	before, after func()
}

func (s *starts) client() client.Client {
	return server.NewClientWithOptions(client.Options{Logger: store.Quiet(), ConnectionOptions: client.ConnectionOptions{
		DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(s.intercept)},
	}})
}

func (s *starts) intercept(ctx context.Context, method string, in, out any, c *grpc.ClientConn, next grpc.UnaryInvoker, o ...grpc.CallOption) error {
	ask, is := in.(*workflowservice.StartWorkflowExecutionRequest)
	if !is {
		return next(ctx, method, in, out, c, o...)
	}
	s.newest = ask
	if s.before != nil {
		s.before()
	}
	err := next(ctx, method, in, out, c, o...)
	if s.after != nil {
		s.after()
	}
	return err
}

// plans of a project, as a process with this client sees them.
func plansOf(t *testing.T, c client.Client, project string) *store.Store[plan.State, plan.Event] {
	t.Helper()
	s, err := store.Open(c, store.Plans(), store.Options{Project: project, Namespace: server.GetDefaultNamespace(), Owner: "test"})
	ok(t, err)
	t.Cleanup(s.Close)
	return s
}

// archive ends a plan under a lease, with large events, and archives it.
func archive(t *testing.T, s *store.Store[plan.State, plan.Event], l *store.Lease[plan.State, plan.Event]) {
	t.Helper()
	for range 3 {
		next := l.State()
		next.Status = loop.StatusPassed
		ok(t, l.Commit(t.Context(), next, []plan.Event{plan.Noted{Stamp: loop.Stamp{At: noon}, Text: strings.Repeat("x", 150<<10)}}))
	}
	ok(t, l.Release(t.Context()))
	ok(t, s.Archive(t.Context(), l.ID()))
}

// TestArchivedPlanAgain: an archived plan is acquired by one of many processes. It has its
// record, also the events that were recorded before it was archived, and stands in lists once.
func TestArchivedPlanAgain(t *testing.T) {
	t.Parallel()
	p := project()
	s := plansOf(t, server.GetDefaultClient(), p)
	l, err := s.Create(t.Context(), plan.State{ID: "plan-1", Status: loop.Running}, []byte(`{"id":"plan-1"}`))
	ok(t, err)
	archive(t, s, l)
	for cycle := int64(1); cycle <= 2; cycle++ {
		var mu sync.Mutex
		var won []*store.Lease[plan.State, plan.Event]
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				l, err := s.Acquire(t.Context(), "plan-1", nil, false)
				if err != nil && !errors.Is(err, engine.ErrRunning) {
					t.Error(err)
				}
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					won = append(won, l)
				}
			})
		}
		all.Wait()
		if len(won) != 1 {
			t.Fatalf("%d processes acquired it", len(won))
		}
		if l = won[0]; l.Epoch() != cycle+1 || l.Seq() != 3*cycle || l.State().Status != loop.StatusPassed {
			t.Errorf("cycle %d: epoch %d, event %d, %s", cycle, l.Epoch(), l.Seq(), l.State().Status)
		}
		archive(t, s, l)
	}
	for want := int64(1); want <= 9; want++ {
		page, err := s.Events(t.Context(), "plan-1", want-1)
		ok(t, err)
		if len(page) == 0 || page[0].Seq != want {
			t.Fatalf("event %d is missing", want)
		}
	}
	until(t, "it is listed once, as archived", func() bool {
		all, err := s.List(t.Context(), engine.Filter{Archived: true})
		ok(t, err)
		none, err := s.List(t.Context(), engine.Filter{})
		ok(t, err)
		return len(all) == 1 && all[0].Archived && len(none) == 0
	})
	l, err = s.Acquire(t.Context(), "plan-1", []byte(`{"id":"plan-1","file":"new"}`), false)
	ok(t, err)
	defer func() { ok(t, l.Release(t.Context())) }()
	until(t, "it is listed once, as not archived", func() bool {
		all, err := s.List(t.Context(), engine.Filter{Archived: true})
		ok(t, err)
		return len(all) == 1 && !all[0].Archived && strings.Contains(string(all[0].Spec), "new")
	})
}

// TestAgainKilled: a process that is killed around the request leaves the plan as it was,
// and the next one acquires it. The same request once more begins nothing, also after the
// plan was archived again.
func TestAgainKilled(t *testing.T) {
	t.Parallel()
	for _, when := range []string{"before", "after"} {
		p := project()
		s := plansOf(t, server.GetDefaultClient(), p)
		l, err := s.Create(t.Context(), plan.State{ID: "plan-1", Status: loop.Running}, nil)
		ok(t, err)
		archive(t, s, l)
		killed := &starts{}
		ctx, kill := context.WithCancel(t.Context())
		if when == "before" {
			killed.before = kill
		} else {
			killed.after = kill
		}
		if _, err := plansOf(t, killed.client(), p).Acquire(ctx, "plan-1", nil, false); err == nil {
			t.Fatal("the process was not killed")
		}
		l, err = s.Acquire(t.Context(), "plan-1", nil, false)
		ok(t, err)
		if l.Epoch() != 2 || l.Seq() != 3 {
			t.Errorf("%s: epoch %d, event %d", when, l.Epoch(), l.Seq())
		}
		archive(t, s, l)
		_, err = server.GetDefaultClient().WorkflowService().StartWorkflowExecution(t.Context(), killed.newest)
		ok(t, err)
		if r, err := s.Read(t.Context(), "plan-1"); err != nil || !r.Archived || r.Seq != 6 {
			t.Errorf("%s: the repeated request began another execution: event %d, archived %v, %v", when, r.Seq, r.Archived, err)
		}
	}
}
