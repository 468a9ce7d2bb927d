//go:build server

package store_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.temporal.io/sdk/client"
	"go.temporal.io/server/common/dynamicconfig"
	"go.temporal.io/server/temporal"
	"go.temporal.io/server/temporaltest"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/testing/tier"
	"ralph/temporal/store"
)

// server is shared by all tests; each has a project of its own.
var server *temporaltest.TestServer

// rollAfter is the length of a history at which the test server suggests
// continue-as-new; by default it is 4,096 events.
const rollAfter = 60

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == ownerWord {
		os.Exit(ownerMain(os.Args[2:]))
	}
	one := func(v any) []dynamicconfig.ConstrainedValue {
		return []dynamicconfig.ConstrainedValue{{Value: v}}
	}
	roll := rollAfter
	if os.Getenv(longVariable) != "" {
		roll = 4096
	}
	server = temporaltest.NewServer(
		temporaltest.WithBaseClientOptions(client.Options{Logger: store.Quiet(), Identity: "test"}),
		temporaltest.WithBaseServerOptions(temporal.WithDynamicConfigClient(dynamicconfig.StaticClient{
			dynamicconfig.HistoryCountSuggestContinueAsNew.Key(): one(roll),
			dynamicconfig.TransferProcessorMaxPollRPS.Key():      one(1000),
			dynamicconfig.VisibilityProcessorMaxPollRPS.Key():    one(1000),
			dynamicconfig.TimerProcessorMaxPollRPS.Key():         one(1000),
		})),
	)
	server.GetDefaultClient()
	code := m.Run()
	server.Stop()
	os.Exit(code)
}

var projects atomic.Int64

// project returns a name that no other test has.
func project() string { return fmt.Sprintf("p_%d", projects.Add(1)) }

// open returns the runs of one kind of a project.
func open[S any, E journal.Event](t *testing.T, kind store.Kind[S, E], project string) *store.Store[S, E] {
	t.Helper()
	s, err := store.Open(server.GetDefaultClient(), kind, store.Options{Project: project, Namespace: server.GetDefaultNamespace(), Owner: "test", Look: 50 * time.Millisecond})
	ok(t, err)
	t.Cleanup(s.Close)
	return s
}

// openProject returns a project as another process has it.
func openProject(t *testing.T, name string) *store.Project {
	t.Helper()
	c := server.NewClientWithOptions(client.Options{Logger: store.Quiet()})
	p, err := store.OpenProject(t.Context(), c, store.Options{Project: name, Namespace: server.GetDefaultNamespace(), Owner: "one"})
	ok(t, err)
	t.Cleanup(p.Close)
	return p
}

// indexed is a store whose changes return only when lists show them.
type indexed[S any, E journal.Event] struct {
	*store.Store[S, E]
	id func(S) string
}

func (s indexed[S, E]) Create(ctx context.Context, first S, spec []byte) (*store.Lease[S, E], error) {
	l, err := s.Store.Create(ctx, first, spec)
	if err != nil {
		return l, err
	}
	return l, s.shown(ctx, s.id(first), true)
}

func (s indexed[S, E]) Archive(ctx context.Context, id string) error {
	if err := s.Store.Archive(ctx, id); err != nil {
		return err
	}
	return s.shown(ctx, id, false)
}

// shown waits until lists without archived runs have a run, or have it no more.
func (s indexed[S, E]) shown(ctx context.Context, id string, want bool) error {
	ctx, cancel := context.WithTimeout(ctx, tier.Hang)
	defer cancel()
	for ctx.Err() == nil {
		all, err := s.List(ctx, engine.Filter{})
		if err != nil {
			return err
		}
		if want == slices.ContainsFunc(all, func(r engine.Stored[S]) bool { return s.id(r.State) == id }) {
			return nil
		}
		time.Sleep(20 * time.Millisecond)
	}
	return context.Cause(ctx)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func has(t *testing.T, err error, text string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) {
		t.Errorf("error %v, want one with %q", err, text)
	}
}

// until waits for something to become true: lists are a moment late.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(tier.Hang); !is(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited for: %s", what)
		}
	}
}
