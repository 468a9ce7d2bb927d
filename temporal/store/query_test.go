package store

import (
	"context"
	"testing"
	"testing/synctest"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"

	"ralph/internal/loop"
	"ralph/temporal/entity"
)

// answering is a client whose queries fail as listed, and then succeed.
type answering struct {
	client.Client
	failures []error
	asked    int
}

func (a *answering) QueryWorkflow(context.Context, string, string, string, ...any) (converter.EncodedValue, error) {
	a.asked++
	if a.asked <= len(a.failures) {
		return nil, a.failures[a.asked-1]
	}
	data := converter.GetDefaultDataConverter()
	payloads, err := data.ToPayloads(entity.Run{ID: "a", Seq: 7})
	return client.NewValue(payloads), err
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
				s := &Store[loop.State, loop.Event]{kind: Loops(), client: to, o: Options{Project: "p"}}
				run, err := s.run(t.Context(), "a")
				if (err != nil) != c.fails || to.asked != c.asked || err == nil && run.Seq != 7 {
					t.Errorf("%d tries, %+v, %v", to.asked, run, err)
				}
			})
		})
	}
}
