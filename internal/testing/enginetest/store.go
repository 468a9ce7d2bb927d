package enginetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/journal"
	"ralph/internal/testing/tier"
)

// StoreFixture is an empty store of runs of one kind.
type StoreFixture[S any, E journal.Event, L engine.Lease[S, E]] struct {
	Store engine.Store[S, E, L]
	// First is the state of a new run.
	First func(id string) S
	ID    func(S) string
	// Next is an event that may happen to a run at any time, and the state after it.
	Next func(t *testing.T, s S) (S, E)
	// Closed is the state of a run that has ended and waits for no person, Passed of one
	// whose work waits to be accepted, Failed of one that may be retried.
	Closed, Passed, Failed func(S) S
	// InPlan is a new run that belongs to the run of a plan, with its request; Driven is one
	// whose agent drives it, nil where there is none of the kind.
	InPlan func(id, plan string) (S, []byte)
	Driven func(id string) S
	// Again: a run that has ended may run again, so the newest is the one that changed last.
	Again bool
	// Same compares two states.
	Same func(a, b S) bool
}

// RunStore holds a store to what engines need of it. open is called for each test.
func RunStore[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, open func(t *testing.T) StoreFixture[S, E, L]) {
	for name, test := range map[string]func(*testing.T, StoreFixture[S, E, L]){
		"a new run can be read":              createdAndRead[S, E, L],
		"an unknown run is not found":        unknownRun[S, E, L],
		"a prefix stands for one run":        resolves[S, E, L],
		"a commit is durable and numbered":   committed[S, E, L],
		"one owner":                          oneOwnerOfRun[S, E, L],
		"a take-over fences":                 fences[S, E, L],
		"of many that acquire one does":      oneAcquires[S, E, L],
		"a message waits until it is taken":  messageWaits[S, E, L],
		"a message wakes the owner":          messageWakes[S, E, L],
		"lists show what the filter selects": storeLists[S, E, L],
		"lists begin with the newest":        newestFirst[S, E, L],
		"only an ended run is archived":      endedIsArchived[S, E, L],
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// create records a run, whose lease ends with the test.
func (f StoreFixture[S, E, L]) create(t *testing.T, id string, spec []byte) L {
	t.Helper()
	return f.record(t, f.First(id), spec)
}

func (f StoreFixture[S, E, L]) record(t *testing.T, first S, spec []byte) L {
	t.Helper()
	l, err := f.Store.Create(t.Context(), first, spec)
	ok(t, err)
	t.Cleanup(func() { ok(t, l.Release(context.Background())) })
	return l
}

func (f StoreFixture[S, E, L]) acquire(t *testing.T, id string, takeOver bool) L {
	t.Helper()
	l, err := f.Store.Acquire(t.Context(), id, nil, takeOver)
	ok(t, err)
	t.Cleanup(func() { ok(t, l.Release(context.Background())) })
	return l
}

func (f StoreFixture[S, E, L]) step(t *testing.T, l L, took ...int64) error {
	t.Helper()
	next, e := f.Next(t, l.State())
	return l.Commit(t.Context(), next, []E{e}, took...)
}

func createdAndRead[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	l := f.create(t, "run", []byte(`{"asked":"for"}`))
	before := l.Seq()
	r, err := f.Store.Read(t.Context(), "run")
	ok(t, err)
	if !f.Same(r.State, f.First("run")) || !r.Live || r.Archived || r.Owner == "" || r.Epoch != l.Epoch() || r.Seq != before || l.ID() != "run" {
		t.Errorf("%+v", r)
	}
	if _, err := f.Store.Create(t.Context(), f.First("run"), nil); !errors.Is(err, engine.ErrExists) {
		t.Errorf("once more: %v", err)
	}
	ok(t, errors.Join(l.Release(t.Context()), l.Release(t.Context())))
	if r, err := f.Store.Read(t.Context(), "run"); err != nil || r.Live {
		t.Errorf("released: live %v, %v", r.Live, err)
	}
	if err := f.step(t, l); err == nil {
		t.Error("it was committed after the release")
	}
	if _, err := f.Store.Create(t.Context(), f.First("../bad"), nil); err == nil {
		t.Error("an id that is no id was taken")
	}
}

func woken(t *testing.T, wake <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), tier.Hang)
	defer cancel()
	select {
	case <-wake:
	case <-ctx.Done():
		t.Error("the owner was not woken")
	}
}

func unknownRun[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	ctx := t.Context()
	f.create(t, "some", nil)
	for verb, err := range map[string]error{
		"read":    errorOf(f.Store.Read(ctx, "nothing")),
		"acquire": errorOf(f.Store.Acquire(ctx, "nothing", nil, true)),
		"resolve": errorOf(f.Store.Resolve(ctx, "nothing")),
		"events":  errorOf(f.Store.Events(ctx, "nothing", 0)),
		"send":    f.Store.Send(ctx, "nothing", journal.Message{Kind: "abort"}),
		"archive": f.Store.Archive(ctx, "nothing"),
	} {
		if !errors.Is(err, engine.ErrNotFound) {
			t.Errorf("%s: %v", verb, err)
		}
	}
}

func committed[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	l := f.create(t, "run", nil)
	first := l.Seq()
	for range 3 {
		ok(t, f.step(t, l))
	}
	want := l.State()
	r, err := f.Store.Read(t.Context(), "run")
	ok(t, err)
	if !f.Same(r.State, want) || r.Seq != first+3 || l.Seq() != r.Seq {
		t.Errorf("seq %d and %d, state %+v, want %+v", r.Seq, l.Seq(), r.State, want)
	}
	all, err := f.Store.Events(t.Context(), "run", 0)
	ok(t, err)
	for i, e := range all {
		if e.Seq != int64(i)+1 || e.Epoch != l.Epoch() || e.Name == "" || len(e.Data) == 0 {
			t.Errorf("event %d: %+v", i+1, e)
		}
		if event, decoded := e.Decoded.(E); !decoded || event.Name() != e.Name {
			t.Errorf("event %d is decoded as %T", i+1, e.Decoded)
		}
	}
	if rest, err := f.Store.Events(t.Context(), "run", r.Seq-1); err != nil || int64(len(all)) != r.Seq || len(rest) != 1 {
		t.Errorf("%d events, %d after the last but one, %v", len(all), len(rest), err)
	}
	ok(t, l.Release(t.Context()))
	if again := f.acquire(t, "run", false); !f.Same(again.State(), want) || again.Seq() != r.Seq || again.Epoch() <= l.Epoch() {
		t.Errorf("acquired again: epoch %d after %d, seq %d", again.Epoch(), l.Epoch(), again.Seq())
	}
}

func oneOwnerOfRun[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	l := f.create(t, "run", nil)
	if _, err := f.Store.Acquire(t.Context(), "run", nil, false); !errors.Is(err, engine.ErrRunning) {
		t.Errorf("a second owner: %v", err)
	}
	ok(t, l.Owned(t.Context()))
	ok(t, f.step(t, l))
}

func fences[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	old := f.create(t, "run", nil)
	wake := old.Wake()
	now := f.acquire(t, "run", true)
	for verb, err := range map[string]error{
		"owned":  old.Owned(t.Context()),
		"commit": f.step(t, old),
		"inbox":  errorOf(old.Inbox(t.Context())),
	} {
		if !errors.Is(err, engine.ErrFenced) {
			t.Errorf("%s: %v", verb, err)
		}
	}
	woken(t, wake)
	ok(t, f.step(t, now))
	ok(t, old.Release(t.Context()))
	if r, err := f.Store.Read(t.Context(), "run"); err != nil || !r.Live || r.Epoch != now.Epoch() {
		t.Errorf("the release of the former owner ended the lease: %+v, %v", r, err)
	}
}

func oneAcquires[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	ok(t, f.create(t, "run", nil).Release(t.Context()))
	var all sync.WaitGroup
	var mu sync.Mutex
	var won []L
	for range 8 {
		all.Go(func() {
			l, err := f.Store.Acquire(t.Context(), "run", nil, false)
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				won = append(won, l)
			case !errors.Is(err, engine.ErrRunning):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(won) != 1 {
		t.Errorf("%d have it", len(won))
	}
	for _, l := range won {
		ok(t, l.Release(t.Context()))
	}
}

func messageWaits[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	l := f.create(t, "run", nil)
	for n := range 3 {
		ok(t, f.Store.Send(t.Context(), "run", journal.Message{Kind: "steer", Text: fmt.Sprint(n), By: "test"}))
	}
	box, err := l.Inbox(t.Context())
	ok(t, err)
	if len(box) != 3 || box[0].Text != "0" || box[2].Text != "2" || box[0].By != "test" || box[0].At.IsZero() {
		t.Fatalf("%+v", box)
	}
	ok(t, f.step(t, l, box[0].ID, box[2].ID))
	ok(t, l.Release(t.Context()))
	if waits, err := f.Store.Unread(t.Context(), "run"); err != nil || !waits {
		t.Errorf("unread %v, %v", waits, err)
	}
	next := f.acquire(t, "run", false)
	left, err := next.Inbox(t.Context())
	ok(t, err)
	if len(left) != 1 || left[0].ID != box[1].ID {
		t.Fatalf("left: %+v", left)
	}
	ok(t, next.Commit(t.Context(), next.State(), nil, left[0].ID))
	if waits, err := f.Store.Unread(t.Context(), "run"); err != nil || waits {
		t.Errorf("taken, unread %v, %v", waits, err)
	}
	ok(t, f.Store.Send(t.Context(), "run", journal.Message{Kind: "steer", Text: "late"}))
	ok(t, next.Commit(t.Context(), f.Closed(next.State()), nil))
	if waits, err := f.Store.Unread(t.Context(), "run"); err != nil || waits {
		t.Errorf("ended, unread %v, %v", waits, err)
	}
}

func messageWakes[S any, E journal.Event, L engine.Lease[S, E]](t *testing.T, f StoreFixture[S, E, L]) {
	l := f.create(t, "run", nil)
	wake := l.Wake()
	ok(t, f.Store.Send(t.Context(), "run", journal.Message{Kind: "abort"}))
	woken(t, wake)
	if waits, err := f.Store.Unread(t.Context(), "run"); err != nil || !waits {
		t.Errorf("a message that woke was taken: %v, %v", waits, err)
	}
}
