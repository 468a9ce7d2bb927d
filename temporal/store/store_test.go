//go:build server

package store_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/temporal/entity"
	"ralph/temporal/store"
)

// TestHistoryIsCut commits through several executions of one entity: the lease holds,
// no event is lost, and a message waits through all of them.
func TestHistoryIsCut(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	l, err := s.Create(t.Context(), first("run"), []byte(`{"asked":"for"}`))
	ok(t, err)
	ok(t, s.Send(t.Context(), "run", journal.Message{Kind: "steer", Text: "wait"}))
	const commits = 40 // 5 events each
	for range commits {
		ok(t, steer(t.Context(), l))
	}
	if n := executions(t, p, "run"); n < 3 {
		t.Errorf("%d executions", n)
	}
	r, err := s.Read(t.Context(), "run")
	if err != nil || r.Epoch != 1 || r.Seq != commits || !r.Live || string(r.Spec) != `{"asked":"for"}` {
		t.Errorf("epoch %d, event %d, live %v, request %s, %v", r.Epoch, r.Seq, r.Live, r.Spec, err)
	}
	box, err := l.Inbox(t.Context())
	ok(t, err)
	if len(box) != 1 || box[0].Text != "wait" {
		t.Fatalf("%+v", box)
	}
	ok(t, steer(t.Context(), l, box[0].ID))
	if waits, err := s.Unread(t.Context(), "run"); err != nil || waits {
		t.Errorf("unread %v, %v", waits, err)
	}
	ok(t, l.Release(t.Context()))
	if r, err := s.Read(t.Context(), "run"); err != nil || r.Live {
		t.Errorf("released: live %v, %v", r.Live, err)
	}
}

// TestProgramHasAName: without one, each command would hash its whole file.
func TestProgramHasAName(t *testing.T) {
	t.Parallel()
	p := project()
	l, err := open(t, store.Loops(), p).Create(t.Context(), first("run"), []byte(`{}`))
	ok(t, err)
	ok(t, l.Release(t.Context()))
	var names []string
	for _, e := range histories(t, p, "run")[0].GetEvents() {
		if done := e.GetWorkflowTaskCompletedEventAttributes(); done != nil {
			names = append(names, cmp.Or(done.GetWorkerVersion().GetBuildId(), done.GetBinaryChecksum())) //nolint:staticcheck // the name is in one of the two
		}
	}
	if len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return !strings.HasPrefix(n, "ralph") }) {
		t.Errorf("histories name the program %q", names)
	}
}

// TestOldEvents reads events that the entity itself does not keep any more.
func TestOldEvents(t *testing.T) {
	t.Parallel()
	s := open(t, store.Loops(), project())
	l, err := s.Create(t.Context(), first("run"), nil)
	ok(t, err)
	long := strings.Repeat("x", entity.MaxJournal/8)
	const events = 30
	for range events {
		e := loop.Steered{Stamp: loop.Stamp{At: noon}, Text: long}
		ok(t, l.Commit(t.Context(), l.State(), []loop.Event{e}))
	}
	all, err := s.Events(t.Context(), "run", 0)
	if err != nil || len(all) != events {
		t.Fatalf("%d events, %v", len(all), err)
	}
	for i, e := range all {
		if e.Seq != int64(i)+1 || e.Decoded == nil {
			t.Errorf("event %d has number %d", i+1, e.Seq)
		}
	}
	if rest, err := s.Events(t.Context(), "run", events-1); err != nil || len(rest) != 1 {
		t.Errorf("%d events after the last but one, %v", len(rest), err)
	}
	ok(t, l.Release(t.Context()))
}

// TestTooLarge: what an entity cannot keep is refused, and does the run no harm.
func TestTooLarge(t *testing.T) {
	t.Parallel()
	s := open(t, store.Loops(), project())
	l, err := s.Create(t.Context(), first("run"), nil)
	ok(t, err)
	big := l.State()
	big.Task.Text = strings.Repeat("x", 3<<20)
	has(t, l.Commit(t.Context(), big, nil), "at most")
	has(t, s.Send(t.Context(), "run", journal.Message{Kind: "steer", Text: strings.Repeat("x", entity.MaxMessage+1)}), "at most")
	_, err = s.Create(t.Context(), func() loop.State { b := big; b.ID = "other"; return b }(), nil)
	has(t, err, "at most")
	large := make([]byte, entity.MaxState+1)
	_, err = s.Acquire(t.Context(), "run", large, true)
	has(t, err, "at most")
	ok(t, steer(t.Context(), l))
	ok(t, l.Release(t.Context()))
}

// TestRepeats: a request whose answer was lost is sent again under another name, as
// after the history was cut in between. It has its effect once.
func TestRepeats(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	l, err := s.Create(t.Context(), first("run"), nil)
	ok(t, err)
	ask := func(update, name string, in any) error {
		h, err := server.GetDefaultClient().UpdateWorkflow(t.Context(), client.UpdateWorkflowOptions{
			WorkflowID: "ralph/" + p + "/loop/run", UpdateName: update, UpdateID: name, Args: []any{in},
			WaitForStage: client.WorkflowUpdateStageCompleted,
		})
		if err == nil {
			err = h.Get(t.Context(), nil)
		}
		return err
	}
	commit := entity.Commit{
		Epoch: 1, Mark: entity.Mark{Number: 1, Digest: "d"}, State: []byte(`{"id":"run"}`),
		Events: []entity.Entry{{Seq: 1, Epoch: 1, Name: "steered", Data: []byte(`{}`)}},
	}
	message := entity.Message{Token: "t", Kind: "steer"}
	for _, name := range []string{"once", "again"} {
		ok(t, ask(entity.CommitUpdate, name+"-commit", commit))
		ok(t, ask(entity.SendUpdate, name+"-send", message))
	}
	commit.Mark.Digest = "other"
	has(t, ask(entity.CommitUpdate, "other", commit), "continues from")
	has(t, steer(t.Context(), l), "continues from") // the lease did not make that commit
	r, err := s.Read(t.Context(), "run")
	box, boxErr := l.Inbox(t.Context())
	if err != nil || boxErr != nil || r.Seq != 1 || len(box) != 1 {
		t.Errorf("event %d, inbox %+v, %v, %v", r.Seq, box, err, boxErr)
	}
	ok(t, l.Release(t.Context()))
}

// TestArchived: an archived run can be read, and nothing else.
func TestArchived(t *testing.T) {
	t.Parallel()
	s := open(t, store.Loops(), project())
	l, err := s.Create(t.Context(), first("run"), nil)
	ok(t, err)
	if err := s.Archive(t.Context(), "run"); !errors.Is(err, engine.ErrNotEnded) {
		t.Errorf("archived while it runs: %v", err)
	}
	ended := l.State()
	ended.Status = loop.StatusPassed
	ok(t, l.Commit(t.Context(), ended, nil))
	if err := s.Archive(t.Context(), "run"); !errors.Is(err, engine.ErrRunning) {
		t.Errorf("archived while it is owned: %v", err)
	}
	ok(t, l.Release(t.Context()))
	for range 2 {
		ok(t, s.Archive(t.Context(), "run"))
	}
	if r, err := s.Read(t.Context(), "run"); err != nil || !r.Archived || r.State.Status != loop.StatusPassed {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := s.Acquire(t.Context(), "run", nil, true); err == nil {
		t.Error("it was acquired")
	}
	if _, err := s.Create(t.Context(), first("run"), nil); !errors.Is(err, engine.ErrExists) {
		t.Errorf("another one of its name: %v", err)
	}
}

// TestNewerRecord: a run whose state has what this version does not know is shown, and is
// not acquired: its next commit would lose that. Nobody has it then.
func TestNewerRecord(t *testing.T) {
	t.Parallel()
	p := project()
	s := open(t, store.Loops(), p)
	state, err := json.Marshal(first("run"))
	ok(t, err)
	run := entity.Run{ID: "run", State: append([]byte(`{"later":1,`), state[1:]...), Released: true}
	_, err = server.GetDefaultClient().ExecuteWorkflow(t.Context(), client.StartWorkflowOptions{ID: "ralph/" + p + "/loop/run", TaskQueue: entity.Queue}, entity.WorkflowName, run)
	ok(t, err)
	if _, err := s.Acquire(t.Context(), "run", nil, false); !errors.Is(err, engine.ErrNewer) {
		t.Errorf("acquired: %v", err)
	}
	r, err := s.Read(t.Context(), "run")
	if err != nil || r.Newer != `unknown field "later"` || r.State.ID != "run" || r.Live {
		t.Errorf("%+v, %v", r, err)
	}
}
