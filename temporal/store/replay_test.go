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
	"ralph/internal/shelf"
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

	replays(t, "ralph/"+p+"/loop/run", "history-v2", 3, func(r worker.WorkflowReplayer) {
		r.RegisterWorkflowWithOptions(entity.Workflow, workflow.RegisterOptions{Name: entity.WorkflowName})
	})
}

// TestPlacesReplay is TestHistoriesReplay for the places of a project: given, given again under
// a newer lease, refused, given back, and kept when the workflow continues as new.
func TestPlacesReplay(t *testing.T) {
	t.Parallel()
	name := project()
	p := openProject(t, name)
	workflowID := "ralph/" + name + "/admission"
	for turn := int64(1); turn == 1 || len(executionsOf(t, workflowID)) < 3; turn++ {
		epoch := 2 * turn // the ones between are those of leases that never had a place
		ok(t, p.Admit(t.Context(), "a", epoch, 2))
		ok(t, p.Admit(t.Context(), "b", epoch, 2))
		for _, id := range []string{"a", "c"} { // a newer lease has its place; none is left
			if err := p.Admit(t.Context(), id, epoch-1, 2); err == nil {
				t.Fatalf("%s got a place under epoch %d", id, epoch-1)
			}
		}
		ok(t, p.Leave(t.Context(), "a", epoch-1))
		want := 2
		if turn%2 == 0 {
			ok(t, p.Leave(t.Context(), "b", epoch))
			want = 1
		}
		if placed, err := p.Placed(t.Context()); err != nil || len(placed) != want {
			t.Fatalf("turn %d: %v have a place, %v", turn, placed, err)
		}
	}
	replays(t, workflowID, "places-v1", 3, func(r worker.WorkflowReplayer) {
		r.RegisterWorkflowWithOptions(entity.Admissions, workflow.RegisterOptions{Name: entity.AdmissionName})
	})
}

// TestShelfReplays is TestHistoriesReplay for a shelf: documents are put, replaced, refused,
// removed, and kept when the workflow continues as new.
func TestShelfReplays(t *testing.T) {
	t.Parallel()
	name := project()
	p := openProject(t, name)
	s, workflowID := p.Accounts(), "ralph/"+name+"/accounts"
	for turn := 1; turn == 1 || len(executionsOf(t, workflowID)) < 3; turn++ {
		for _, key := range []string{"a", "b"} {
			ok(t, shelf.Change(t.Context(), s, key, func(old []byte) ([]byte, error) { return append(old, 'x'), nil }))
		}
		all, err := s.Read(t.Context())
		ok(t, err)
		if len(all["a"].Data) != turn || len(all["b"].Data) != 1+(turn-1)%2 {
			t.Fatalf("turn %d: %v", turn, all)
		}
		if err := s.Put(t.Context(), "a", all["a"].Version-1, []byte("old")); !errors.Is(err, shelf.ErrStale) {
			t.Fatalf("turn %d: %v", turn, err)
		}
		if turn%2 == 0 {
			ok(t, s.Put(t.Context(), "b", all["b"].Version, nil))
		}
	}
	replays(t, workflowID, "shelf-v1", 3, func(r worker.WorkflowReplayer) {
		r.RegisterWorkflowWithOptions(entity.Shelves, workflow.RegisterOptions{Name: entity.ShelfName})
	})
}

// replays replays all executions of a workflow, at least so many. With -update their histories
// are stored under a name.
func replays(t *testing.T, workflowID, stored string, least int, register func(worker.WorkflowReplayer)) {
	t.Helper()
	all := executionsOf(t, workflowID)
	if len(all) < least {
		t.Errorf("%d executions", len(all))
	}
	for i, h := range all {
		replayer := worker.NewWorkflowReplayer()
		register(replayer)
		if err := replayer.ReplayWorkflowHistory(store.Quiet(), h); err != nil {
			t.Errorf("execution %d: %v", i+1, err)
		}
		if *update {
			data, err := temporalproto.CustomJSONMarshalOptions{Indent: " "}.Marshal(h)
			ok(t, err)
			host, err := os.Hostname()
			ok(t, err)
			data = bytes.ReplaceAll(data, []byte(`"`+host+`:`), []byte(`"host:`))
			file := filepath.Join("..", "entity", "testdata", fmt.Sprintf("%s-%d.json", stored, i+1))
			ok(t, os.WriteFile(file, data, 0o600))
		}
	}
}

// histories are those of all executions of a loop's entity, the oldest first.
func histories(t *testing.T, project, id string) []*history.History {
	t.Helper()
	return executionsOf(t, "ralph/"+project+"/loop/"+id)
}

// executionsOf are the histories of all executions of a workflow, the oldest first.
func executionsOf(t *testing.T, name string) (all []*history.History) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
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
