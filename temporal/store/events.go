package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	common "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	history "go.temporal.io/api/history/v1"
	"go.temporal.io/api/workflowservice/v1"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// Events returns the next events after a number. The entity has the newest ones; older ones
// are read from the histories that the server keeps of its executions, once for all pages.
func (s *Store[S, E]) Events(ctx context.Context, id string, after int64) ([]engine.Event, error) {
	entries := s.older.from(id, after)
	if entries == nil {
		run, err := s.run(ctx, id)
		if err != nil || after >= run.Seq {
			return nil, err
		}
		if entries, err = s.recorded(ctx, run.Run, after); err != nil {
			return nil, err
		}
	}
	page := entries[:min(len(entries), engine.EventPage)]
	s.older.keep(id, entries[len(page):])
	out := make([]engine.Event, len(page))
	for i, e := range page {
		out[i] = engine.Decode(engine.Event{Seq: e.Seq, Epoch: e.Epoch, At: e.At, Name: e.Name, Data: e.Data}, s.kind.decode)
	}
	return out, nil
}

// older has the events of one run that follow the page that was read last: a reader asks for
// them next.
type older struct {
	mu      sync.Mutex
	id      string
	entries []entity.Entry
}

// from returns the events after a number, where they are there.
func (o *older) from(id string, after int64) []entity.Entry {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.id == id && len(o.entries) > 0 && o.entries[0].Seq == after+1 {
		return o.entries
	}
	return nil
}

func (o *older) keep(id string, entries []entity.Entry) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.id, o.entries = id, entries
}

// recorded are the events of a run after a number. What the run does not have any more is
// looked for in its executions, backwards. Each began with the newest events before it, mostly
// all of the execution before it, so that few histories are read as a whole.
func (s *Store[S, E]) recorded(ctx context.Context, run entity.Run, after int64) ([]entity.Entry, error) {
	parts, first := [][]entity.Entry{run.Journal}, run.Oldest()
	add := func(entries []entity.Entry) {
		entries = before(entries, first)
		if len(entries) > 0 {
			parts, first = append(parts, entries), entries[0].Seq
		}
	}
	for execution, more := "", true; first > after+1; {
		if !more {
			return nil, fmt.Errorf("read the events of %s %s: event %d is missing in its history", s.kind.name, run.ID, after+1)
		}
		begun, earlier, err := s.began(ctx, run.ID, execution)
		if err == nil && first > begun.Seq+1 {
			var all []entity.Entry
			if all, err = s.execution(ctx, run.ID, execution); err == nil {
				add(all)
			}
		}
		if err != nil {
			return nil, s.situation(run.ID, "read the events of", err)
		}
		add(begun.Journal)
		execution, more = earlier, earlier != ""
	}
	slices.Reverse(parts)
	all := slices.Concat(parts...)
	return all[after+1-first:], nil
}

// before are those of the entries whose numbers are below that of the first one in hand.
func before(entries []entity.Entry, first int64) []entity.Entry {
	for len(entries) > 0 && entries[len(entries)-1].Seq >= first {
		entries = entries[:len(entries)-1]
	}
	return entries
}

// began returns what an execution of an entity began with, and the name of the execution before
// it; the newest one has no name.
func (s *Store[S, E]) began(ctx context.Context, id, execution string) (run entity.Run, earlier string, err error) {
	got, err := s.client.WorkflowService().GetWorkflowExecutionHistory(ctx, &workflowservice.GetWorkflowExecutionHistoryRequest{
		Namespace: s.o.Namespace, Execution: &common.WorkflowExecution{WorkflowId: s.workflowID(id), RunId: execution}, MaximumPageSize: 1,
	})
	if err != nil {
		return run, "", err
	}
	var began *history.WorkflowExecutionStartedEventAttributes
	if events := got.GetHistory().GetEvents(); len(events) > 0 {
		began = events[0].GetWorkflowExecutionStartedEventAttributes()
	}
	data, _ := s.o.Key.converters()
	if err := data.FromPayloads(began.GetInput(), &run); err != nil {
		return run, "", err
	}
	return run, cmp.Or(began.GetContinuedExecutionRunId(), run.Before), nil
}

// execution returns the events that one execution of an entity recorded; those of a commit that
// was repeated are there once.
func (s *Store[S, E]) execution(ctx context.Context, id, name string) (out []entity.Entry, err error) {
	newest := int64(0)
	all := s.client.GetWorkflowHistory(ctx, s.workflowID(id), name, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
	for all.HasNext() {
		e, err := all.Next()
		if err != nil {
			return nil, err
		}
		entries, err := s.committed(e)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.Seq > newest {
				out, newest = append(out, e), e.Seq
			}
		}
	}
	return out, nil
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
