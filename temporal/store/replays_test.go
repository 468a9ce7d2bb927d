//go:build server

package store_test

import (
	"bytes"
	"fmt"
	"sync/atomic"
	"testing"

	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/interceptor"
	"go.temporal.io/sdk/workflow"

	"ralph/temporal/store"
)

// begun counts how often the workers of a client begin an entity: once for each execution,
// and once for each replay.
type begun struct {
	interceptor.InterceptorBase
	atomic.Int64
}

func (b *begun) InterceptWorkflow(ctx workflow.Context, next interceptor.WorkflowInboundInterceptor) interceptor.WorkflowInboundInterceptor {
	i := &beginning{count: b}
	i.Next = next
	return i
}

type beginning struct {
	interceptor.WorkflowInboundInterceptorBase
	count *begun
}

func (b *beginning) ExecuteWorkflow(ctx workflow.Context, in *interceptor.ExecuteWorkflowInput) (any, error) {
	b.count.Add(1)
	return b.Next.ExecuteWorkflow(ctx, in)
}

// TestPollsReplayOnce: a run whose process is gone is replayed by the next one that reads it,
// and not at each look after that: a query leaves nothing in the memory of who answers it.
func TestPollsReplayOnce(t *testing.T) {
	t.Parallel()
	p := project()
	key, err := store.NewKey(bytes.Repeat([]byte{7}, store.KeySize)) // a queue that no other test serves
	ok(t, err)
	gone, err := store.Open(server.GetDefaultClient(), store.Loops(), store.Options{Project: p, Owner: "gone", Key: key})
	ok(t, err)
	const runs, looks = 3, 5
	for n := range runs {
		l, err := gone.Create(t.Context(), first(fmt.Sprintf("run-%d", n)), nil)
		ok(t, err)
		ok(t, l.Release(t.Context()))
	}
	gone.Close()

	count := &begun{}
	c := server.NewClientWithOptions(client.Options{Logger: store.Quiet(), Interceptors: []interceptor.ClientInterceptor{count}})
	s, err := store.Open(c, store.Loops(), store.Options{Project: p, Owner: "looks", Key: key})
	ok(t, err)
	t.Cleanup(s.Close)
	for range looks {
		for n := range runs {
			_, err := s.Read(t.Context(), fmt.Sprintf("run-%d", n))
			ok(t, err)
		}
	}
	if got := count.Load(); got != runs {
		t.Errorf("%d replays of %d runs in %d looks", got, runs, looks)
	}
}
