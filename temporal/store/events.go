package store

import (
	"context"
	"fmt"

	enums "go.temporal.io/api/enums/v1"
	history "go.temporal.io/api/history/v1"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// Events returns the next events after a number. The entity has the newest ones;
// older ones are read from the history that the server keeps of it.
func (s *Store[S, E]) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	run, err := s.run(ctx, id)
	if err != nil || after >= run.Seq {
		return nil, err
	}
	entries := run.Journal
	if len(entries) == 0 || entries[0].Seq > after+1 {
		if entries, err = s.recorded(ctx, id, after); err != nil {
			return nil, err
		}
	}
	var out []engine.Event
	for _, e := range entries {
		if e.Seq <= after || len(out) == engine.EventPage {
			continue
		}
		out = append(out, engine.Decode(engine.Event{Seq: e.Seq, Epoch: e.Epoch, At: e.At, Name: e.Name, Data: e.Data}, s.kind.decode))
	}
	return out, nil
}

// recorded are the events after a number, from the commits in the histories of the
// entity's executions, read backwards until they hold the first one.
func (s *Store[S, E]) recorded(ctx context.Context, id string, after int64) ([]entity.Entry, error) {
	var all []entity.Entry
	for execution := ""; ; {
		part, before, err := s.execution(ctx, id, execution)
		if err != nil {
			return nil, s.situation(id, "read the events of", err)
		}
		if all = append(part, all...); len(all) > 0 && all[0].Seq <= after+1 {
			return inOrder(all), nil
		}
		if execution = before; execution == "" {
			return nil, fmt.Errorf("read the events of %s %s: event %d is missing in its history", s.kind.name, id, after+1)
		}
	}
}

// inOrder leaves out the events of commits that were repeated in a later execution.
func inOrder(all []entity.Entry) (out []entity.Entry) {
	newest := int64(0)
	for _, e := range all {
		if e.Seq > newest {
			out, newest = append(out, e), e.Seq
		}
	}
	return out
}

// execution returns the events that one execution of an entity recorded, and the name
// of the execution before it; the newest one has no name.
func (s *Store[S, E]) execution(ctx context.Context, id, name string) (out []entity.Entry, before string, err error) {
	all := s.client.GetWorkflowHistory(ctx, s.workflowID(id), name, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for all.HasNext() {
		e, err := all.Next()
		if err != nil {
			return nil, "", err
		}
		if begun := e.GetWorkflowExecutionStartedEventAttributes(); begun != nil {
			if before, err = s.before(begun); err != nil {
				return nil, "", err
			}
		}
		entries, err := s.committed(e)
		if err != nil {
			return nil, "", err
		}
		out = append(out, entries...)
	}
	return out, before, nil
}

// before is the execution before the one that began with an event.
func (s *Store[S, E]) before(begun *history.WorkflowExecutionStartedEventAttributes) (string, error) {
	if name := begun.GetContinuedExecutionRunId(); name != "" {
		return name, nil
	}
	var run entity.Run
	data, _ := s.o.Key.converters()
	err := data.FromPayloads(begun.GetInput(), &run)
	return run.Before, err
}

// committed are the events of the commit that a history's event accepted.
func (s *Store[S, E]) committed(e *history.HistoryEvent) ([]entity.Entry, error) {
	in := e.GetWorkflowExecutionUpdateAcceptedEventAttributes().GetAcceptedRequest().GetInput()
	if in.GetName() != entity.CommitUpdate {
		return nil, nil
	}
	var c entity.Commit
	data, _ := s.o.Key.converters()
	err := data.FromPayloads(in.GetArgs(), &c)
	return c.Events, err
}
