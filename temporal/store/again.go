package store

import (
	"context"
	"errors"

	common "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	taskqueue "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// acquireAgain acquires a run whose entity has ended, because it was archived: another
// execution begins with its record, without an owner, and is asked as any other run. Two
// processes begin one execution, because the request of both has the same id; so does a
// request that is repeated. A process that stood still while the run was archived once more
// finds the newer execution when it asks.
func (s *Store[S, E]) acquireAgain(ctx context.Context, id string, ask entity.Acquire, got *entity.Acquired) error {
	for {
		err := s.update(ctx, id, entity.AcquireUpdate, "acquire-"+ask.Owner.Token, ask, got)
		if s.kind.final || !errors.Is(err, engine.ErrNotFound) {
			return err
		}
		if err := untilAnswered(ctx, func(ctx context.Context) error { return s.beginAgain(ctx, id) }); err != nil {
			return s.situation(id, "begin again", err)
		}
	}
}

// beginAgain starts the next execution of an archived run, unless it is there. The look and
// the request have eachTry together, in which no plan runs and is archived twice.
func (s *Store[S, E]) beginAgain(ctx context.Context, id string) error {
	d, err := s.client.DescribeWorkflowExecution(ctx, s.workflowID(id), "")
	if err != nil {
		return err
	}
	x := d.GetWorkflowExecutionInfo()
	switch x.GetStatus() {
	case enums.WORKFLOW_EXECUTION_STATUS_RUNNING, enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW:
		return nil // another process was faster
	case enums.WORKFLOW_EXECUTION_STATUS_COMPLETED:
	default:
		return serviceerror.NewNotFound("its workflow was ended by hand")
	}
	last := x.GetExecution().GetRunId()
	var run entity.Run
	if err := s.client.GetWorkflow(ctx, s.workflowID(id), last).Get(ctx, &run); err != nil {
		return err
	}
	data, _ := s.o.Key.converters()
	input, err := data.ToPayloads(run.Again(last))
	if err != nil {
		return err
	}
	_, err = s.client.WorkflowService().StartWorkflowExecution(ctx, &workflowservice.StartWorkflowExecutionRequest{
		Namespace: s.o.Namespace, RequestId: "again-" + last, WorkflowId: s.workflowID(id),
		WorkflowType: &common.WorkflowType{Name: entity.WorkflowName}, Input: input,
		TaskQueue:                &taskqueue.TaskQueue{Name: s.o.Key.queue(), Kind: enums.TASK_QUEUE_KIND_NORMAL},
		WorkflowIdReusePolicy:    enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIdConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL,
	})
	if _, there := errors.AsType[*serviceerror.WorkflowExecutionAlreadyStarted](err); there {
		return nil
	}
	return err
}
