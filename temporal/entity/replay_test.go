package entity_test

import (
	"path/filepath"
	"testing"

	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"ralph/temporal/entity"
)

// TestStoredHistories replays histories that earlier versions of the workflows left on a
// server. One that fails means that running entities would stop: keep the old
// behaviour for them with workflow.GetVersion. The files are written by the tests of
// package store (-update), and never replaced.
func TestStoredHistories(t *testing.T) {
	t.Parallel()
	for pattern, c := range map[string]struct {
		least    int
		name     string
		workflow any
	}{
		"history-*.json": {6, entity.WorkflowName, entity.Workflow},
		"places-*.json":  {3, entity.AdmissionName, entity.Admissions},
		"shelf-*.json":   {3, entity.ShelfName, entity.Shelves},
	} {
		files, err := filepath.Glob(filepath.Join("testdata", pattern))
		if err != nil || len(files) < c.least {
			t.Fatalf("%d stored histories %s, %v", len(files), pattern, err)
		}
		for _, file := range files {
			replayer := worker.NewWorkflowReplayer()
			replayer.RegisterWorkflowWithOptions(c.workflow, workflow.RegisterOptions{Name: c.name})
			if err := replayer.ReplayWorkflowHistoryFromJSONFile(nil, file); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}
