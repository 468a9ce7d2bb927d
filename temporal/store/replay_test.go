//go:build server

package store_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	enums "go.temporal.io/api/enums/v1"
	history "go.temporal.io/api/history/v1"
	"go.temporal.io/api/temporalproto"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/temporal/entity"
	"ralph/temporal/store"
)

var update = flag.Bool("update", false, "write the histories that package entity replays")

// TestHistoriesReplay makes an entity do all that it can, and replays what the server
// recorded of it. With -update the histories are stored for later versions; the number
// in their names is that of the entity's version.
func TestHistoriesReplay(t *testing.T) {
	t.Parallel()
	p := project()
	s, other := open(t, store.Loops(), p), open(t, store.Loops(), p)
	l, err := s.Create(t.Context(), first("run"), nil)
	ok(t, err)
	ok(t, s.Send(t.Context(), "run", journal.Message{Kind: "steer", Text: "more"}))
	for range 2 * rollAfter / 5 {
		ok(t, steer(t.Context(), l, 1))
	}
	now, err := other.Acquire(t.Context(), "run", []byte(`{"new":"request"}`), true)
	ok(t, err)
	if err := steer(t.Context(), l); !errors.Is(err, engine.ErrFenced) {
		t.Errorf("the former owner: %v", err)
	}
	ended := now.State()
	ended.Status = loop.StatusPassed
	ok(t, now.Commit(t.Context(), ended, nil))
	ok(t, now.Release(t.Context()))
	ok(t, s.Archive(t.Context(), "run"))

	all := histories(t, p, "run")
	if len(all) < 3 {
		t.Errorf("%d executions", len(all))
	}
	for i, h := range all {
		replayer := worker.NewWorkflowReplayer()
		replayer.RegisterWorkflowWithOptions(entity.Workflow, workflow.RegisterOptions{Name: entity.WorkflowName})
		if err := replayer.ReplayWorkflowHistory(store.Quiet(), h); err != nil {
			t.Errorf("execution %d: %v", i+1, err)
		}
		if *update {
			data, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(h)
			ok(t, err)
			host, err := os.Hostname()
			ok(t, err)
			data = bytes.ReplaceAll(data, []byte(`"`+host+`:`), []byte(`"host:`))
			file := filepath.Join("..", "entity", "testdata", fmt.Sprintf("history-v2-%d.json", i+1))
			ok(t, os.WriteFile(file, data, 0o600))
		}
	}
}

// histories are those of all executions of a loop's entity, the oldest first.
func histories(t *testing.T, project, id string) (all []*history.History) {
	t.Helper()
	ctx, name := context.WithoutCancel(t.Context()), "ralph/"+project+"/loop/"+id
	for execution := ""; ; {
		h := &history.History{}
		events := server.GetDefaultClient().GetWorkflowHistory(ctx, name, execution, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		for events.HasNext() {
			e, err := events.Next()
			ok(t, err)
			h.Events = append(h.Events, e)
		}
		all = append([]*history.History{h}, all...)
		if execution = h.Events[0].GetWorkflowExecutionStartedEventAttributes().GetContinuedExecutionRunId(); execution == "" {
			return all
		}
	}
}

// executions counts them.
func executions(t *testing.T, project, id string) int {
	t.Helper()
	return len(histories(t, project, id))
}
