package store

import (
	"context"

	"ralph/temporal/entity"
)

// A query is answered by a process that serves entities. The process that served the entity
// last has it in memory; any other one replays the whole history for this query, and keeps
// nothing of it. So a run that is polled is read only after its history has grown, which the
// server itself knows.

// mark identifies the history of an entity. While it stays the same, so does the run.
type mark struct {
	execution     string
	events, bytes int64
}

// markOf asks the server, and no process that serves entities.
func (s *Store[S, E]) markOf(ctx context.Context, id string) (mark, error) {
	d, err := s.client.DescribeWorkflowExecution(ctx, s.workflowID(id), "")
	if err != nil {
		return mark{}, err
	}
	x := d.GetWorkflowExecutionInfo()
	return mark{x.GetExecution().GetRunId(), x.GetHistoryLength(), x.GetHistorySizeBytes()}, nil
}

// readRun is a run, and the mark that it had before it was read.
type readRun struct {
	at  mark
	run entity.Run
}

// mostRead is how many runs a store keeps. A run has up to 1 MB, and usually 60 kB.
const mostRead = 100

// read returns what a run was when it had a mark, if this process has read it since.
func (s *Store[S, E]) read(id string, at mark) (entity.Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.reads[id]; ok && r.at == at {
		return r.run, true
	}
	return entity.Run{}, false
}

func (s *Store[S, E]) keep(id string, at mark, run entity.Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other := range s.reads {
		if len(s.reads) < mostRead {
			break
		}
		delete(s.reads, other)
	}
	s.reads[id] = readRun{at, run}
}
