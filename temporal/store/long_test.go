//go:build server

package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	common "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/loop"
	local "ralph/internal/store"
	"ralph/temporal/entity"
	"ralph/temporal/store"
)

// long is a loop whose gate fails, on a server, as a worker records it.
type long struct {
	testing.TB
	id, project string
	s           *store.Store[loop.State, loop.Event]
	lease       *store.Lease[loop.State, loop.Event]
	at          time.Time
	// message is what the agent ends each attempt with.
	message string
	// executions are those of its entity that were seen, the oldest first.
	executions []string
}

func newLong(t testing.TB, attempts int) *long {
	l := &long{TB: t, id: "grow", project: project(), at: noon}
	s, err := store.Open(server.GetDefaultClient(), store.Loops(), store.Options{Project: l.project, Namespace: server.GetDefaultNamespace(), Owner: "test"})
	l.ok(err)
	t.Cleanup(s.Close)
	limits := loop.DefaultLimits()
	limits.MaxIterations, limits.Loop, limits.Session = attempts+1, loop.Deadline{}, loop.Deadline{}
	limits.StuckAfter, limits.Regression, limits.NoChange, limits.Plateau = 2*attempts, 2*attempts, 2*attempts, 2*attempts
	state := loop.New(loop.Spec{
		ID: l.id, Task: loop.Task{ID: l.id, Text: "make it grow"}, Agent: loop.Agent{Name: "command", Use: "cmd"}, Limits: limits,
		Gates: []loop.Gate{{Name: "until", Kind: loop.KindCommand, Level: loop.Hard, Run: "test -e never"}},
		Base:  digits(0, 40), Branch: "ralph/" + l.id, Root: "/home/ralph/mirrors/shop.git",
	}, noon)
	request, err := json.Marshal(state)
	l.ok(err)
	l.s = s
	l.lease, err = s.Create(t.Context(), state, request)
	l.ok(err)
	t.Cleanup(func() { l.ok(l.lease.Release(context.WithoutCancel(t.Context()))) })
	l.commit(
		loop.Acquired{Stamp: l.stamp(), Owner: "worker"},
		loop.Prepared{Stamp: l.stamp(), Worktree: "/home/ralph/worktrees/agent-1", GateTree: "/home/ralph/worktrees/gate-1", Base: digits(0, 40)},
		loop.GateEnded{Stamp: l.stamp(), Result: l.red(0)},
	)
	return l
}

func (l *long) ok(err error) {
	l.Helper()
	if err != nil {
		l.Fatal(err)
	}
}

func (l *long) stamp() loop.Stamp {
	l.at = l.at.Add(1234567891 * time.Nanosecond)
	return loop.Stamp{At: l.at}
}

// digits are those of a commit or a digest.
func digits(n, length int) string { return fmt.Sprintf("%0*x", length, n) }

// file is where a worker keeps one of an attempt.
func (l *long) file(n int, name string) string {
	return fmt.Sprintf("/home/ralph/.local/state/ralph/mirrors/shop-de5ebcc2.git/ralph/loops/%s/attempts/%05d/%s", l.id, n, name)
}

// red is the result of the gate on the commit of attempt n.
func (l *long) red(n int) loop.Result {
	one := 1
	return loop.Result{
		Gate: "until", Kind: loop.KindCommand, Level: loop.Hard, Verdict: loop.Failed, Reason: "exit code 1", Fingerprint: "31add864",
		Argv: []string{"sh", "-c", "test -e never"}, ExitCode: &one, Commit: digits(n, 40), Clean: true, Where: "gate", Room: "overlay", Sandbox: "bwrap",
		StartedAt: l.at, Duration: 22143755, OutputFile: l.file(n, "gates/until.log"), OutputSHA256: digits(n, 64),
	}
}

// attempts makes attempts up to number n, each with the events and commits of one that a
// worker drives: an agent that is a command, and one gate.
func (l *long) attempts(n int) {
	l.Helper()
	for next := l.lease.State().Iteration + 1; next <= n; next++ {
		l.commit(
			loop.AttemptBegan{Stamp: l.stamp(), Attempt: next, PromptFile: l.file(next, "prompt.md"), PromptSHA256: digits(next, 64)},
			loop.AgentEnded{Stamp: l.stamp(), Outcome: loop.Outcome{
				End: loop.EndDone, Message: l.message, Sandbox: "bwrap", Duration: 999458, OutputFile: l.file(next, "agent.txt"), OutputSHA256: digits(next, 64),
			}},
			loop.Committed{Stamp: l.stamp(), Commit: digits(next, 40), Tree: digits(next, 40), Changed: true, Differs: true, Files: []string{"f"}},
			loop.GateEnded{Stamp: l.stamp(), Result: l.red(next)},
		)
	}
}

// commit records events one by one, as a worker does.
func (l *long) commit(events ...loop.Event) {
	l.Helper()
	for _, e := range events {
		next, err := loop.Apply(l.lease.State(), e)
		l.ok(err)
		l.ok(l.lease.Commit(l.Context(), next, []loop.Event{e}))
	}
}

// history is how much the server has of the entity in all its executions. It notices those
// that begin between two calls where each began after the other call.
func (l *long) history() (events, bytes int64) {
	l.Helper()
	c, name := server.GetDefaultClient(), "ralph/"+l.project+"/loop/"+l.id
	now, err := c.DescribeWorkflowExecution(l.Context(), name, "")
	l.ok(err)
	if id := now.GetWorkflowExecutionInfo().GetExecution().GetRunId(); len(l.executions) == 0 || l.executions[len(l.executions)-1] != id {
		l.executions = append(l.executions, id)
	}
	for _, id := range l.executions {
		d, err := c.DescribeWorkflowExecution(l.Context(), name, id)
		l.ok(err)
		events += d.GetWorkflowExecutionInfo().GetHistoryLength()
		bytes += d.GetWorkflowExecutionInfo().GetHistorySizeBytes()
	}
	return events, bytes
}

// input is the size of what the newest execution began with.
func (l *long) input() int {
	l.Helper()
	got, err := server.GetDefaultClient().WorkflowService().GetWorkflowExecutionHistory(l.Context(), &workflowservice.GetWorkflowExecutionHistoryRequest{
		Namespace: server.GetDefaultNamespace(), MaximumPageSize: 1, HistoryEventFilterType: enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT,
		Execution: &common.WorkflowExecution{WorkflowId: "ralph/" + l.project + "/loop/" + l.id},
	})
	l.ok(err)
	return proto.Size(got.GetHistory().GetEvents()[0].GetWorkflowExecutionStartedEventAttributes().GetInput())
}

// traffic counts what a client asks about runs, and what it is sent.
type traffic struct{ requests, bytes atomic.Int64 }

func (t *traffic) client() client.Client {
	return server.NewClientWithOptions(client.Options{Logger: store.Quiet(), ConnectionOptions: client.ConnectionOptions{
		DialOptions: []grpc.DialOption{grpc.WithChainUnaryInterceptor(t.intercept)},
	}})
}

func (t *traffic) intercept(ctx context.Context, method string, in, out any, c *grpc.ClientConn, next grpc.UnaryInvoker, o ...grpc.CallOption) error {
	err := next(ctx, method, in, out, c, o...)
	switch in.(type) {
	case *workflowservice.DescribeWorkflowExecutionRequest, *workflowservice.QueryWorkflowRequest, *workflowservice.GetWorkflowExecutionHistoryRequest:
		t.requests.Add(1)
		if m, is := out.(proto.Message); is {
			t.bytes.Add(int64(proto.Size(m)))
		}
	}
	return err
}

// clone is a machine with a database of its own, which has nothing of the loop.
type clone struct {
	stored.Shared
	traffic *traffic
}

func (l *long) clone() clone {
	l.Helper()
	c := clone{traffic: &traffic{}}
	s, err := store.Open(c.traffic.client(), store.Loops(), store.Options{Project: l.project, Namespace: server.GetDefaultNamespace(), Owner: "clone"})
	l.ok(err)
	l.Cleanup(s.Close)
	db, err := local.Open(l.Context(), filepath.Join(l.TempDir(), "ralph"), local.Options{Owner: "clone"})
	l.ok(err)
	l.Cleanup(func() { l.ok(db.Close()) })
	c.Loops, c.Server = stored.LoopsOf(db), store.Shared[loop.State, loop.Event]{Store: s}
	return c
}

// cost is what a clone needed.
type cost struct {
	time            time.Duration
	requests, bytes int64
}

// refresh brings the copy of a clone up to date.
func (l *long) refresh(c clone) cost {
	l.Helper()
	began, requests, bytes := time.Now(), c.traffic.requests.Load(), c.traffic.bytes.Load()
	r, err := c.Server.Read(l.Context(), l.id)
	l.ok(err)
	l.ok(c.Refresh(l.Context(), r))
	return cost{time.Since(began), c.traffic.requests.Load() - requests, c.traffic.bytes.Load() - bytes}
}

// TestLongLoopCostsNoMore: after hundreds of attempts a loop has no larger record than after
// some, what an execution begins with is far from what a server takes, and a clone that has
// nothing of it asks for each execution once.
func TestLongLoopCostsNoMore(t *testing.T) {
	t.Parallel()
	const some, many = 100, 260
	l := newLong(t, many)
	l.message = strings.Repeat("more of it. ", 200) // so that an entity keeps fewer events than a clone reads at once
	size := func() (state, events int) {
		data, err := json.Marshal(l.lease.State())
		l.ok(err)
		return len(data), int(l.lease.Seq())
	}
	l.attempts(some)
	early, _ := size()
	l.attempts(many)
	late, events := size()
	if late > early*105/100 {
		t.Errorf("a state of %d bytes after %d attempts, and of %d after %d", early, some, late, many)
	}
	if n := l.input(); n > entity.MaxJournal*3/2 {
		t.Errorf("the newest execution began with %d bytes", n)
	}
	if pages := events / engine.EventPage; pages < 2 {
		t.Fatalf("a clone needs %d pages of events", pages)
	}
	c := l.clone()
	got, executions := l.refresh(c), executions(t, l.project, l.id)
	if most := int64(executions + 10); got.requests > most {
		t.Errorf("a clone made %d requests for a loop of %d executions", got.requests, executions)
	}
	if r, err := c.Loops.Read(t.Context(), l.id); err != nil || r.State.Iteration != many || r.State.Tally.Judged != many {
		t.Errorf("the copy has attempt %d, %v", r.State.Iteration, err)
	}
	l.attempts(many + 1)
	if got := l.refresh(c); got.requests > 3 {
		t.Errorf("a clone that follows made %d requests for one more attempt", got.requests)
	}
}
