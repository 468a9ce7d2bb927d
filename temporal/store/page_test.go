//go:build server

package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"ralph/internal/engine"
	"ralph/temporal/store"
)

// requests counts the lists that a client asks for. Of pages above most, where that is set,
// the answer is refused with code.
type requests struct {
	lists atomic.Int64
	most  int32
	code  codes.Code
}

func (r *requests) client() client.Client {
	return server.NewClientWithOptions(client.Options{Logger: store.Quiet(), ConnectionOptions: client.ConnectionOptions{
		DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(r.intercept)},
	}})
}

func (r *requests) intercept(ctx context.Context, method string, in, out any, c *grpc.ClientConn, next grpc.UnaryInvoker, o ...grpc.CallOption) error {
	if ask, is := in.(*workflowservice.ListWorkflowExecutionsRequest); is {
		r.lists.Add(1)
		if r.most > 0 && ask.GetPageSize() > r.most {
			return status.Error(r.code, "too large")
		}
	}
	return next(ctx, method, in, out, c, o...)
}

// TestListIsOneRequest: a list of some hundred runs is one request, and a few where the server
// delivers no such page, which it is asked for once.
func TestListIsOneRequest(t *testing.T) {
	t.Parallel()
	p := project()
	const runs = 210
	s := open(t, store.Loops(), p)
	var all sync.WaitGroup
	slots := make(chan struct{}, 8)
	for n := range runs {
		slots <- struct{}{}
		all.Go(func() {
			defer func() { <-slots }()
			l, err := s.Create(t.Context(), first(fmt.Sprintf("run-%d", n)), nil)
			if err == nil {
				err = l.Release(t.Context())
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	want := make([]string, runs)
	for n := range want {
		want[n] = fmt.Sprintf("run-%d", n)
	}
	slices.Sort(want)
	until(t, "all are listed", func() bool {
		listed, err := s.List(t.Context(), engine.Filter{})
		ok(t, err)
		return len(listed) == runs
	})
	some := append(want[:9:9], want[runs-1])
	for _, c := range []struct {
		r           *requests
		first, then int64
	}{
		{&requests{}, 1, 1},
		{&requests{most: 200, code: codes.InvalidArgument}, 3, 2},
		{&requests{most: 200, code: codes.DeadlineExceeded}, 3, 2},
	} {
		asks, err := store.Open(c.r.client(), store.Loops(), store.Options{Project: p, Owner: "asks"})
		ok(t, err)
		t.Cleanup(asks.Close)
		for look, wanted := range []int64{c.first, c.then} {
			before := c.r.lists.Load()
			_, err := asks.Resolve(t.Context(), "run")
			ambiguous, is := errors.AsType[*engine.AmbiguousError](err)
			if !is || !slices.Equal(ambiguous.IDs, some) {
				t.Errorf("%v: %v", c.r.code, err)
			}
			if n := c.r.lists.Load() - before; n != wanted {
				t.Errorf("%v, look %d: %d requests, not %d", c.r.code, look+1, n, wanted)
			}
		}
	}
}
