package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.temporal.io/api/serviceerror"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/temporal"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// repeatAfter is the pause before a request is repeated whose outcome is unknown.
const repeatAfter = time.Second

// update asks an entity for a change. Name is unique to the request, so that it has
// its effect once; it is repeated until the server answers, or ctx ends.
func (s *Store[S, E]) update(ctx context.Context, id, update, name string, in, out any) error {
	return s.situation(id, update, repeated(ctx, func() error {
		return updateOnce(ctx, s.client, s.workflowID(id), update, name, in, out)
	}))
}

// repeated repeats a request until the server answers, or ctx ends.
func repeated(ctx context.Context, ask func() error) error {
	for {
		err := ask()
		if !unanswered(err) || ctx.Err() != nil {
			return err
		}
		select {
		case <-time.After(repeatAfter):
		case <-ctx.Done():
			return err
		}
	}
}

func updateOnce(ctx context.Context, c client.Client, workflow, update, name string, in, out any) error {
	h, err := c.UpdateWorkflow(ctx, client.UpdateWorkflowOptions{
		WorkflowID: workflow, UpdateName: update, UpdateID: name, Args: []any{in},
		WaitForStage: client.WorkflowUpdateStageCompleted,
	})
	if err != nil {
		return err
	}
	return h.Get(ctx, out)
}

// unanswered reports whether a request may have had its effect or not, and may be
// repeated.
func unanswered(err error) bool {
	if err == nil {
		return false
	}
	var unavailable *serviceerror.Unavailable
	var late *serviceerror.DeadlineExceeded
	var canceled *serviceerror.Canceled
	var internal *serviceerror.Internal
	var exhausted *serviceerror.ResourceExhausted
	var busy *serviceerror.WorkflowNotReady // its task failed and is repeated
	var lost *client.WorkflowUpdateServiceTimeoutOrCanceledError
	return errors.Is(err, context.DeadlineExceeded) || errors.As(err, &unavailable) || errors.As(err, &late) || errors.As(err, &canceled) ||
		errors.As(err, &internal) || errors.As(err, &exhausted) || errors.As(err, &busy) || errors.As(err, &lost)
}

// situation maps a refusal to the errors that callers distinguish.
func (s *Store[S, E]) situation(id, verb string, err error) error {
	if err == nil {
		return nil
	}
	is := func(known error) error {
		return fmt.Errorf("%s %s %s: %w: %w", verb, s.kind.name, id, known, refusal{err})
	}
	var none *serviceerror.NotFound
	if errors.As(err, &none) {
		return is(engine.ErrNotFound)
	}
	if refused, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		switch refused.Type() {
		case entity.Fenced:
			return is(engine.ErrFenced)
		case entity.Held:
			return is(engine.ErrRunning)
		case entity.Archived:
			return is(engine.ErrEnded)
		}
	}
	return fmt.Errorf("%s %s %s: %w", verb, s.kind.name, id, refusal{silent(err)})
}

// refusal is an error of an entity in the words of the entity: those of the SDK add the type.
type refusal struct{ error }

func (r refusal) Error() string {
	if refused, ok := errors.AsType[*temporal.ApplicationError](r.error); ok {
		return refused.Message()
	}
	return r.error.Error()
}

func (r refusal) Unwrap() error { return r.error }

// silent marks the errors of a server that did not answer in time.
func silent(err error) error {
	var canceled *serviceerror.Canceled // by the caller
	if unanswered(err) && !errors.As(err, &canceled) {
		return fmt.Errorf("%w: %w", engine.ErrAway, err)
	}
	return err
}
