package entity_test

import (
	"path/filepath"
	"testing"

	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"ralph/temporal/entity"
)

// TestStoredHistories replays histories that earlier versions of the entity left on a
// server. One that fails means that running entities would stop: keep the old
// behaviour for them with workflow.GetVersion. The files are written by the tests of
// package store (-update), and never replaced.
func TestStoredHistories(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "history-*.json"))
	if err != nil || len(files) < 6 {
		t.Fatalf("%d stored histories, %v", len(files), err)
	}
	for _, file := range files {
		replayer := worker.NewWorkflowReplayer()
		replayer.RegisterWorkflowWithOptions(entity.Workflow, workflow.RegisterOptions{Name: entity.WorkflowName})
		if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
