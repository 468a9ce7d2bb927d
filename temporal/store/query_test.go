package store

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"go.temporal.io/api/serviceerror"
	workflowpb "go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"ralph/internal/loop"
	"ralph/temporal/entity"
)

// withMessage is up to which length of the history a message waits.
const withMessage = 3

// answering is a client whose queries fail as listed, and then succeed.
type answering struct {
	client.Client
	failures []error
	asked    int
	// events is the length of the history.
	events int64
}

func (a *answering) QueryWorkflow(context.Context, string, string, string, ...any) (converter.EncodedValue, error) {
	a.asked++
	if a.asked <= len(a.failures) {
		return nil, a.failures[a.asked-1]
	}
	data := converter.GetDefaultDataConverter()
	run := entity.Run{ID: "a", Seq: 7}
	if a.events <= withMessage {
		run.Inbox = []entity.Message{{ID: 1}}
	}
	payloads, err := data.ToPayloads(run)
	return client.NewValue(payloads), err
}

func (a *answering) DescribeWorkflowExecution(context.Context, string, string) (*workflowservice.DescribeWorkflowExecutionResponse, error) {
	return &workflowservice.DescribeWorkflowExecutionResponse{
		WorkflowExecutionInfo: &workflowpb.WorkflowExecutionInfo{HistoryLength: a.events},
	}, nil
}

// TestQueryAgain: a query is repeated where the process that answers it replayed an
// incomplete history, or none serves yet, and not where the server refuses it.
func TestQueryAgain(t *testing.T) {
	t.Parallel()
	misread := serviceerror.NewQueryFailed("[TMPRL1100] lookup failed for scheduledEventID to activityID")
	for name, c := range map[string]struct {
		failures []error
		asked    int
		fails    bool
	}{
		"answered":     {nil, 1, false},
		"misread":      {[]error{misread}, 2, false},
		"not served":   {[]error{serviceerror.NewFailedPrecondition("no poller"), misread}, 3, false},
		"refused":      {[]error{serviceerror.NewInvalidArgument("no"), misread}, 1, true},
		"never served": {[]error{misread, misread, misread, misread, misread, misread}, 6, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				to := &answering{failures: c.failures}
				s := reading(to)
				run, err := s.run(t.Context(), "a")
				if (err != nil) != c.fails || to.asked != c.asked || err == nil && run.Seq != 7 {
					t.Errorf("%d tries, %+v, %v", to.asked, run, err)
				}
			})
		})
	}
}

func reading(c client.Client) *Store[loop.State, loop.Event] {
	return &Store[loop.State, loop.Event]{
		kind: Loops(), client: c, o: Options{Project: "p"}, held: map[string]*Lease[loop.State, loop.Event]{}, reads: map[string]readRun{},
	}
}

// TestReadOnce: a run is read again only after its history has grown. Each query may cost a
// process the replay of all of it.
func TestReadOnce(t *testing.T) {
	t.Parallel()
	to := &answering{}
	s := reading(to)
	for _, step := range []struct{ events, asked, waits int }{{withMessage, 1, 1}, {withMessage, 1, 1}, {8, 2, 0}, {8, 2, 0}} {
		to.events = int64(step.events)
		if run, err := s.run(t.Context(), "a"); err != nil || run.Seq != 7 || len(run.Inbox) != step.waits || to.asked != step.asked {
			t.Errorf("%d events: asked %d times, not %d; %+v, %v", step.events, to.asked, step.asked, run, err)
		}
	}
	l := s.lease("a", entity.Owner{Token: "t"})
	defer l.end()
	for _, step := range []struct{ events, asked int }{{8, 3}, {8, 3}, {13, 4}} {
		to.events = int64(step.events)
		if _, err := l.glance(t.Context()); err != nil || to.asked != step.asked {
			t.Errorf("%d events: glanced %d times, not %d; %v", step.events, to.asked, step.asked, err)
		}
	}
}

// TestKeepsFewRuns: what a process keeps of runs that it has read is bounded.
func TestKeepsFewRuns(t *testing.T) {
	t.Parallel()
	s := reading(nil)
	state := make([]byte, 1<<20)
	for n := range 3 * mostRead / len(state) {
		s.keep(fmt.Sprint(n%100), mark{events: int64(n)}, entity.Run{State: state})
	}
	most := mostRead / len(state)
	if len(s.reads) < most-1 || len(s.reads) > most || s.readBytes > mostRead {
		t.Errorf("%d runs of %d bytes", len(s.reads), s.readBytes)
	}
	for id := range s.reads {
		s.keep(id, mark{}, entity.Run{})
	}
	if s.readBytes != len(s.reads)<<10 {
		t.Errorf("%d runs that became small have %d bytes", len(s.reads), s.readBytes)
	}
	for n := range 2 * mostRead >> 10 {
		s.keep(fmt.Sprint("small", n), mark{}, entity.Run{})
	}
	if len(s.reads) != mostRead>>10 {
		t.Errorf("%d small runs", len(s.reads))
	}
}
