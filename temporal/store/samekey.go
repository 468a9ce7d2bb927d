package store

import (
	"context"
	"fmt"
	"strings"

	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// sameKey refuses a project with a run that another key encrypted, or none: its task queue
// tells. The server's list may be a second late; what is read then is refused by itself.
func sameKey(ctx context.Context, c client.Client, o Options) error {
	prefix, own := "ralph/"+o.Project+"/", o.Key.queue()
	ask := &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf(
		"WorkflowType = '%s' AND WorkflowId STARTS_WITH '%s' AND TaskQueue != '%s' AND (ExecutionStatus = 'Running' OR ExecutionStatus = 'Completed')",
		entity.WorkflowName, prefix, own)}
	for {
		page, err := c.ListWorkflow(ctx, ask)
		if err != nil {
			return fmt.Errorf("look for the key of %s: %w", o.Project, silent(err))
		}
		for _, x := range page.GetExecutions() {
			// The server may read a character of the prefix as a wildcard.
			if !strings.HasPrefix(x.GetExecution().GetWorkflowId(), prefix) {
				continue
			}
			switch {
			case o.Key == nil:
				return fmt.Errorf("%w: the records of %s are encrypted, and no key was given", engine.ErrKey, o.Project)
			case x.GetTaskQueue() == entity.Queue:
				return fmt.Errorf("%w: %s has records that are not encrypted", engine.ErrKey, o.Project)
			}
			return fmt.Errorf("%w: the records of %s are encrypted with a key that is not the given one", engine.ErrKey, o.Project)
		}
		if ask.NextPageToken = page.GetNextPageToken(); len(ask.NextPageToken) == 0 {
			return nil
		}
	}
}
