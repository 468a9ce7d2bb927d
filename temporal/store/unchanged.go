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
	at, _, err := s.about(ctx, id)
	return at, err
}

// about is markOf, with what the newest heartbeat told.
func (s *Store[S, E]) about(ctx context.Context, id string) (at mark, beat entity.Beat, err error) {
	d, err := s.client.DescribeWorkflowExecution(ctx, s.workflowID(id), "")
	if err != nil {
		return at, beat, err
	}
	x := d.GetWorkflowExecutionInfo()
	at = mark{x.GetExecution().GetRunId(), x.GetHistoryLength(), x.GetHistorySizeBytes()}
	for _, a := range d.GetPendingActivities() {
		if a.GetActivityType().GetName() == entity.HoldName && a.GetHeartbeatDetails() != nil {
			data, _ := s.o.Key.converters()
			_ = data.FromPayloads(a.GetHeartbeatDetails(), &beat) // an older version tells nothing
		}
	}
	return at, beat, nil
}

// current is a run, and what the newest heartbeat of its owner told.
type current struct {
	entity.Run
	entity.Beat
}

// readRun is a run, and the mark that it had before it was read.
type readRun struct {
	at  mark
	run entity.Run
}

// size is about what a run takes, in bytes.
func (r readRun) size() int {
	n := 1<<10 + len(r.run.State) + len(r.run.Spec)
	for _, e := range r.run.Journal {
		n += len(e.Data)
	}
	for _, m := range r.run.Inbox {
		n += len(m.Text)
	}
	return n
}

// mostRead is how many bytes of runs a store keeps. One has up to 1 MB, and one that waits for
// a worker about 10 kB: all of those of a list must fit, or each look would read them again.
const mostRead = 64 << 20

// read returns what a run was when it had a mark, if this process has read it since.
func (s *Store[S, E]) read(id string, at mark) (entity.Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r, ok := s.reads[id]; ok && r.at == at {
		return r.run, true
	}
	return entity.Run{}, false
}

// resting returns a run that no process has, if this process has read it since that is so: what
// the list shows of it is exact then. Messages for it may have come since.
func (s *Store[S, E]) resting(x indexed) (entity.Run, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, ok := s.reads[x.id]
	if !ok || x.archived || !x.rests() || r.run.Live || r.run.Archived {
		return entity.Run{}, false
	}
	return r.run, r.run.Epoch == x.shown.Epoch && r.run.Seq == x.shown.Seq
}

func (s *Store[S, E]) keep(id string, at mark, run entity.Run) {
	r := readRun{at, run}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old, ok := s.reads[id]; ok {
		s.readBytes -= old.size()
	}
	s.reads[id], s.readBytes = r, s.readBytes+r.size()
	for other, old := range s.reads {
		if s.readBytes <= mostRead {
			break
		}
		if other != id {
			s.readBytes -= old.size()
			delete(s.reads, other)
		}
	}
}
