package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	common "go.temporal.io/api/common/v1"
	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflowservice/v1"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/temporal/entity"
)

// A process that is frozen or about to end swallows a query that the server gave it. A try
// outlasts stickyFor, so that another process may answer it; all of them take a minute.
const (
	tries   = 6
	eachTry = 2 * stickyFor
)

// untilAnswered asks until there is an answer, for a minute.
func untilAnswered(ctx context.Context, ask func(context.Context) error) (err error) {
	pause := 200 * time.Millisecond
	for range tries {
		err = within(ctx, eachTry, ask)
		// This process serves entities itself, and the server has not heard of it yet.
		_, unserved := errors.AsType[*serviceerror.FailedPrecondition](err)
		// The handlers of entities do not fail. The process that answered replayed a history
		// without the events of a task that the server took back, and has forgotten it now:
		// github.com/temporalio/temporal/pull/6295.
		_, misread := errors.AsType[*serviceerror.QueryFailed](err)
		if ctx.Err() != nil || !unserved && !misread && !unanswered(err) {
			return err
		}
		if unserved || misread {
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
			pause *= 2
		}
	}
	return err
}

func within(ctx context.Context, limit time.Duration, ask func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return ask(ctx)
}

// query asks an entity without changing its history.
func (s *Store[S, E]) query(ctx context.Context, id, name string, out any) error {
	v, err := s.client.QueryWorkflow(ctx, s.workflowID(id), "", name)
	if err != nil {
		return err
	}
	return v.Get(out)
}

// run reads a run, unless this process has read it since it changed.
func (s *Store[S, E]) run(ctx context.Context, id string) (run current, err error) {
	err = untilAnswered(ctx, func(ctx context.Context) error {
		at, beat, err := s.about(ctx, id)
		if err != nil {
			return err
		}
		var known bool
		run.Beat = beat
		if run.Run, known = s.read(id, at); known {
			return nil
		}
		if err := s.query(ctx, id, entity.ReadQuery, &run.Run); err != nil {
			return err
		}
		s.keep(id, at, run.Run)
		return nil
	})
	return run, s.situation(id, "read", err)
}

// Read returns one run, as of the last commit.
func (s *Store[S, E]) Read(ctx context.Context, id string) (engine.Stored[S], error) {
	run, err := s.run(ctx, id)
	if err != nil {
		return engine.Stored[S]{}, err
	}
	return stored[S](run)
}

func stored[S any](run current) (engine.Stored[S], error) {
	out := engine.Stored[S]{
		Spec: run.Spec, Epoch: run.Epoch, Seq: run.Seq, Owner: run.Owner.Name, Process: run.Owner.Process,
		Live: run.Live, Archived: run.Archived, Updated: run.Updated,
	}
	if run.Live {
		out.Awaits = run.Awaits
	}
	var err error
	if out.State, out.Newer, err = decode[S](run.State); err != nil {
		return out, fmt.Errorf("%w: the state of %s cannot be read: %w", engine.ErrDamaged, run.ID, err)
	}
	return out, nil
}

// decode reads a state. Newer names a field that this version does not know, and would lose
// if it wrote the state.
func decode[S any](data []byte) (s S, newer string, err error) {
	strict := json.NewDecoder(bytes.NewReader(data))
	strict.DisallowUnknownFields()
	unknown := strict.Decode(&s)
	if unknown == nil {
		return s, "", nil
	}
	var known S
	if err := json.Unmarshal(data, &known); err != nil {
		return known, "", err
	}
	return known, strings.TrimPrefix(unknown.Error(), "json: "), nil
}

// Resolve returns the id that a prefix stands for.
func (s *Store[S, E]) Resolve(ctx context.Context, prefix string) (string, error) {
	all, err := s.indexed(ctx, s.kind.name, true)
	if err != nil {
		return "", err
	}
	var listed, archived []string
	for _, x := range all {
		if x.archived {
			archived = append(archived, x.id)
		} else {
			listed = append(listed, x.id)
		}
	}
	return engine.ResolvePrefix(prefix, listed, archived)
}

// indexed is a run as the server's list has it. The entity of an archived one has ended.
// Shown is nil where a version that showed nothing runs it, or its first owner has it.
type indexed struct {
	id       string
	archived bool
	shown    *entity.Shown
}

// rests reports whether no process has a run: what is shown of it is exact then.
func (x indexed) rests() bool { return x.shown != nil && !x.shown.Live }

// over reports whether a run has ended, and no process has it: it changes only where a
// person does something about it, or runs its plan again.
func (x indexed) over() bool { return x.rests() && x.shown.Ended }

// shown decodes the memo of an entity; one that cannot be read shows nothing.
func (s *Store[S, E]) shown(m *common.Memo) *entity.Shown {
	field, ok := m.GetFields()[entity.Memo]
	if !ok {
		return nil
	}
	var out entity.Shown
	if data, _ := s.o.Key.converters(); data.FromPayload(field, &out) != nil {
		return nil
	}
	return &out
}

func (s *Store[S, E]) indexed(ctx context.Context, kind string, archived bool) (out []indexed, err error) {
	prefix := s.prefix(kind)
	which := "ExecutionStatus = 'Running'"
	if archived {
		which = "(" + which + " OR ExecutionStatus = 'Completed')"
	}
	ask := &workflowservice.ListWorkflowExecutionsRequest{
		Query: fmt.Sprintf("WorkflowType = '%s' AND WorkflowId STARTS_WITH '%s' AND %s", entity.WorkflowName, prefix, which),
	}
	for {
		got, err := s.page(ctx, ask)
		if err != nil {
			return nil, fmt.Errorf("list the %ss: %w", kind, silent(err))
		}
		for _, x := range got.GetExecutions() {
			// The server may read a character of the prefix as a wildcard.
			if id, ours := strings.CutPrefix(x.GetExecution().GetWorkflowId(), prefix); ours {
				out = append(out, indexed{id, x.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED, s.shown(x.GetMemo())})
			}
		}
		if ask.NextPageToken = got.GetNextPageToken(); len(ask.NextPageToken) == 0 {
			return newest(out), nil
		}
	}
}

// newest leaves one of the executions of each run. A run that was archived and acquired again
// has several: the one that has not ended counts.
func newest(all []indexed) []indexed {
	at := make(map[string]int, len(all))
	out := all[:0]
	for _, x := range all {
		if n, twice := at[x.id]; twice {
			if out[n].archived {
				out[n] = x
			}
			continue
		}
		at[x.id] = len(out)
		out = append(out, x)
	}
	return out
}

// Send puts a message into a run's inbox.
func (s *Store[S, E]) Send(ctx context.Context, id string, m journal.Message) error {
	sent := entity.Message{Token: newToken(), Kind: m.Kind, Text: m.Text, By: m.By}
	if err := sent.Fits(); err != nil {
		return s.situation(id, "send", err)
	}
	return s.update(ctx, id, entity.SendUpdate, "send-"+sent.Token, sent, nil)
}

// Unread reports whether a message waits for the owner of a run that has not ended.
func (s *Store[S, E]) Unread(ctx context.Context, id string) (bool, error) {
	run, err := s.run(ctx, id)
	if err != nil || len(run.Inbox) == 0 {
		return false, err
	}
	r, err := stored[S](run)
	return err == nil && !s.kind.ended(r.State), err
}

// Archive hides a run that has ended, and ends its entity.
func (s *Store[S, E]) Archive(ctx context.Context, id string) error {
	r, err := s.Read(ctx, id)
	switch {
	case err != nil:
		return err
	case r.Archived:
		return nil
	case !s.kind.ended(r.State):
		return fmt.Errorf("archive %s %s: %w", s.kind.name, id, engine.ErrNotEnded)
	}
	err = s.update(ctx, id, entity.ArchiveUpdate, fmt.Sprintf("archive-%d", r.Epoch), entity.Release{Epoch: r.Epoch}, nil)
	if errors.Is(err, engine.ErrNotFound) { // another process archived it meanwhile
		return nil
	}
	return err
}
