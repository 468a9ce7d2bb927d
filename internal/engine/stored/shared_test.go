package stored_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/journal"
	"ralph/internal/loop"
	"ralph/internal/testing/enginetest"
)

// server is a store in memory that stands for one on another machine.
type server struct {
	*enginetest.Memory[loop.State, loop.Event, engine.LoopLease]
}

type serverLease = engine.Lease[loop.State, loop.Event]

func (s server) Create(ctx context.Context, first loop.State, spec []byte) (serverLease, error) {
	return s.Memory.Create(ctx, first, spec)
}

func (s server) Acquire(ctx context.Context, id string, spec []byte, takeOver bool) (serverLease, error) {
	return s.Memory.Acquire(ctx, id, spec, takeOver)
}

// machine is a machine with a database of its own.
func machine(t *testing.T, s server) stored.Shared {
	t.Helper()
	return stored.Shared{Server: s, Loops: stored.LoopsOf(open(t))}
}

// TestSharedLoops holds loops of a server, with their copies, to the contract of a store.
func TestSharedLoops(t *testing.T) {
	t.Parallel()
	enginetest.RunLoopStore(t, func(t *testing.T) engine.Store[loop.State, loop.Event, stored.LoopLease] {
		return machine(t, server{enginetest.NewLoops()})
	})
}

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func at() loop.Stamp { return loop.Stamp{At: noon} }

func first() loop.State {
	spec := enginetest.Played("a")
	spec.Budget = loop.Amounts{Attempts: 2}
	return loop.New(spec, noon)
}

// begun are the events up to the end of the first attempt.
func begun() []loop.Event {
	return append(enginetest.Begun(at()), enginetest.Attempt(at(), 1, loop.Failed)...)
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestTwoMachines: a loop continues on another machine with its whole record, what it
// used included, and the former owner can commit nothing more.
func TestTwoMachines(t *testing.T) {
	t.Parallel()
	s := server{enginetest.NewLoops()}
	one, two := machine(t, s), machine(t, s)
	var fetched string
	two.Fetch = func(_ context.Context, s loop.State, _ string) error { fetched = s.Commit; return nil }
	old, err := one.Create(t.Context(), first(), nil)
	ok(t, err)
	ok(t, enginetest.Play(t, old, begun()...))

	now, err := two.Acquire(t.Context(), "a", nil, true)
	ok(t, err)
	if got := now.State(); got.Iteration != 1 || got.Commit != "c1" || fetched != "c1" {
		t.Errorf("attempt %d on %q, fetched %q", got.Iteration, got.Commit, fetched)
	}
	if err := enginetest.Play(t, old, loop.Steered{Stamp: at(), Text: "more"}); !errors.Is(err, engine.ErrFenced) {
		t.Errorf("the former owner: %v", err)
	}
	spent, err := now.Balances(t.Context(), "")
	if err != nil || len(spent) != 1 || spent[0].Used.Attempts != 1 {
		t.Errorf("the budget of the loop: %+v, %v", spent, err)
	}
	ok(t, enginetest.Play(t, now, enginetest.Attempt(at(), 2, loop.Failed)...))
	ok(t, now.Release(t.Context()))
	ok(t, old.Release(t.Context()))

	again, err := one.Acquire(t.Context(), "a", nil, false)
	ok(t, err)
	defer func() { ok(t, again.Release(t.Context())) }()
	if got := again.State(); got.Iteration != 2 || got.Commit != "c2" {
		t.Errorf("back on the first machine: attempt %d on %q", got.Iteration, got.Commit)
	}
	all, err := one.Events(t.Context(), "a", 0)
	if err != nil || int64(len(all)) != again.Seq() || all[0].Name != "created" {
		t.Errorf("%d events of %d, %v", len(all), again.Seq(), err)
	}
}

// TestPublishedBeforeRecorded: what cannot be published is not recorded.
func TestPublishedBeforeRecorded(t *testing.T) {
	t.Parallel()
	s := server{enginetest.NewLoops()}
	m := machine(t, s)
	refused := errors.New("the remote refuses")
	m.Publish = func(_ context.Context, p stored.Publication[loop.State, loop.Event]) error {
		if p.Next.Commit != p.Before.Commit {
			return refused
		}
		return nil
	}
	l, err := m.Create(t.Context(), first(), nil)
	ok(t, err)
	defer func() { ok(t, l.Release(t.Context())) }()
	events := begun()
	ok(t, enginetest.Play(t, l, events[:5]...))
	if err := enginetest.Play(t, l, events[5]); !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if r, err := s.Read(t.Context(), "a"); err != nil || r.State.Commit != "" || r.Seq != 5 {
		t.Errorf("recorded: %q after %d events, %v", r.State.Commit, r.Seq, err)
	}
}

// TestMessagesOfBoth: an owner hears what is sent on the server and on its machine, and
// takes each once.
func TestMessagesOfBoth(t *testing.T) {
	t.Parallel()
	s := server{enginetest.NewLoops()}
	m := machine(t, s)
	l, err := m.Create(t.Context(), first(), nil)
	ok(t, err)
	defer func() { ok(t, l.Release(t.Context())) }()
	ok(t, m.Send(t.Context(), "a", journal.Message{Kind: "steer", Text: "here"}))
	<-l.Wake()
	ok(t, s.Send(t.Context(), "a", journal.Message{Kind: "steer", Text: "there"}))
	<-l.Wake()
	box, err := l.Inbox(t.Context())
	ok(t, err)
	if len(box) != 2 || l.Found(box[0]) || l.Found(box[1]) {
		t.Fatalf("%+v", box)
	}
	ok(t, l.Commit(t.Context(), l.State(), nil, box[0].ID, box[1].ID))
	if waits, err := m.Unread(t.Context(), "a"); err != nil || waits {
		t.Errorf("unread: %v, %v", waits, err)
	}
}

// TestRefresh: a machine without the lease follows the record.
func TestRefresh(t *testing.T) {
	t.Parallel()
	s := server{enginetest.NewLoops()}
	one, two := machine(t, s), machine(t, s)
	l, err := one.Create(t.Context(), first(), nil)
	ok(t, err)
	defer func() { ok(t, l.Release(t.Context())) }()
	for _, e := range begun() {
		ok(t, enginetest.Play(t, l, e))
		r, err := s.Read(t.Context(), "a")
		ok(t, err)
		ok(t, two.Refresh(t.Context(), r))
		if have, err := two.Read(t.Context(), "a"); err != nil || have.Seq != l.Seq() || have.State.Step != l.State().Step {
			t.Fatalf("after %s: event %d of %d, step %s, %v", e.Name(), have.Seq, l.Seq(), have.State.Step, err)
		}
	}
}

// TestArchivedElsewhere: a loop that one machine archived is hidden on the others, also on
// one that had no copy, and stays so.
func TestArchivedElsewhere(t *testing.T) {
	t.Parallel()
	s := server{enginetest.NewLoops()}
	one, two, three := machine(t, s), machine(t, s), machine(t, s)
	l, err := one.Create(t.Context(), first(), nil)
	ok(t, err)
	r, err := s.Read(t.Context(), "a")
	ok(t, err)
	ok(t, two.Refresh(t.Context(), r))
	ok(t, enginetest.Play(t, l, loop.AbortAsked{Stamp: at()}))
	if now := l.State().Status; !now.Terminal() {
		t.Fatalf("the loop is %s", now)
	}
	ok(t, l.Release(t.Context()))
	ok(t, one.Archive(t.Context(), "a"))
	for name, m := range map[string]stored.Shared{"with a copy": two, "without": three} {
		for range 2 {
			r, err := s.Read(t.Context(), "a")
			ok(t, err)
			ok(t, m.Refresh(t.Context(), r))
		}
		if have, err := m.Read(t.Context(), "a"); err != nil || !have.Archived || !have.State.Status.Terminal() {
			t.Errorf("%s: archived %v, %s, %v", name, have.Archived, have.State.Status, err)
		}
	}
}
