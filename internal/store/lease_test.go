//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestCommitIsReadBack(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	l := create(t, s, "a")
	st := l.State()
	acquired := loop.Acquired{Stamp: loop.Stamp{At: clock()}, Owner: "me"}
	st, err := loop.Apply(st, acquired)
	must(t, err)
	must(t, l.Commit(t.Context(), st, []loop.Event{acquired}))

	other := openTest(t, dir, Options{ReadOnly: true})
	got, err := other.Read(t.Context(), "a")
	must(t, err)
	want := LoopRecord{State: st, Epoch: 1, Seq: 2, Owner: myself("test"), Live: true, Updated: got.Updated, Holds: true, Dir: filepath.Join(dir, "loops", "a")}
	if diff := cmp.Diff(want, got); diff != "" || got.Updated.IsZero() {
		t.Errorf("Load (-want +got):\n%s", diff)
	}
	events, err := other.Events(t.Context(), "a", 0, 0)
	must(t, err)
	var names []string
	for _, e := range events {
		decoded, err := loop.Decode(e.Name, e.Data)
		must(t, err)
		if !decoded.When().Equal(e.At) {
			t.Errorf("event %d at %v, recorded %v", e.Seq, decoded.When(), e.At)
		}
		names = append(names, e.Name)
	}
	if diff := cmp.Diff([]string{"created", "acquired"}, names); diff != "" {
		t.Error(diff)
	}
	if last, err := other.Events(t.Context(), "a", 1, 5); err != nil || len(last) != 1 || last[0].Seq != 2 {
		t.Errorf("Events after 1 = %v, %v", last, err)
	}
}

func TestAnOldEpochIsRefused(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	old := create(t, s, "a")
	if _, err := s.Acquire(t.Context(), "a", false); !as[*HeldError](err) {
		t.Fatalf("Acquire of a held loop: %v", err)
	}
	l, err := s.Acquire(t.Context(), "a", true)
	must(t, err)
	if l.Epoch() != 2 || old.Epoch() != 1 {
		t.Errorf("epochs %d and %d", old.Epoch(), l.Epoch())
	}
	for what, err := range map[string]error{
		"Commit": tick(t.Context(), old), "Owned": old.Owned(t.Context()),
		"Take": second(old.Trees().Take(t.Context(), "agent", "", "/w")), "Lock": old.Trees().Lock(t.Context(), "/r"),
	} {
		if !as[*FencedError](err) {
			t.Errorf("%s under an old epoch: %v", what, err)
		}
	}
	must(t, tick(t.Context(), l))
	must(t, old.Release(t.Context()))
	if r, err := s.Read(t.Context(), "a"); err != nil || !r.Live || r.State.Iteration != 1 || r.Seq != 2 {
		t.Errorf("after the old owner let go: %+v, %v", r, err)
	}
	must(t, l.Release(t.Context()))
	if r, err := s.Read(t.Context(), "a"); err != nil || r.Live || !r.Crashed {
		t.Errorf("after the new owner let go: %+v, %v", r, err)
	}
	if err := tick(t.Context(), l); !errors.Is(err, ErrReleased) {
		t.Errorf("Commit after Release: %v", err)
	}
}

func as[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func TestANewLoopIsNotTheOldOne(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	old := create(t, s, "a")
	must(t, endWith(t.Context(), old, loop.StatusPassed, loop.Green))
	if err := s.Archive(t.Context(), "a"); !as[*HeldError](err) {
		t.Errorf("Archive under its owner: %v", err)
	}
	must(t, old.Release(t.Context()))
	must(t, s.Archive(t.Context(), "a"))
	must(t, s.Archive(t.Context(), "a"))
	if _, err := s.Acquire(t.Context(), "a", true); !errors.Is(err, ErrArchived) {
		t.Errorf("Acquire of an archived loop: %v", err)
	}
	must(t, os.WriteFile(filepath.Join(dir, "archive", "a", "prompt.md"), nil, 0o600))
	if r, err := s.Read(t.Context(), "a"); err != nil || !r.Archived || r.Dir != filepath.Join(dir, "archive", "a") {
		t.Errorf("archived: %+v, %v", r, err)
	}
	must(t, s.Remove(t.Context(), "a"))
	for _, name := range []string{"archive/a", "loops/a", "trash"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); !os.IsNotExist(err) {
			t.Errorf("%s is still there: %v", name, err)
		}
	}
	create(t, s, "a")
	old.released = false
	if err := tick(t.Context(), old); !as[*FencedError](err) {
		t.Errorf("the former loop's owner wrote into the new one: %v", err)
	}
	if _, err := old.Inbox(t.Context()); !as[*FencedError](err) {
		t.Errorf("looking for messages, it was not told: %v", err)
	}
}

func TestAStoppedOwnerCannotWriteWhenItWakes(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	c := spawn(t, "hold", dir, "a")
	c.want("held 2")
	must(t, c.p.Signal(syscall.SIGSTOP))
	if r, err := s.Read(t.Context(), "a"); err != nil || !r.Live {
		t.Fatalf("a stopped owner is alive: %+v, %v", r, err)
	}
	l, err := s.Acquire(t.Context(), "a", true)
	must(t, err)
	must(t, tick(t.Context(), l))
	must(t, c.p.Signal(syscall.SIGCONT))
	c.say("commit")
	c.want("fenced")
	c.say("wake")
	c.want("fenced")
	c.kill()
	if r, err := s.Read(t.Context(), "a"); err != nil || !r.Live || r.Seq != 2 {
		t.Errorf("the new owner: %+v, %v", r, err)
	}
	must(t, l.Release(t.Context()))
}

func TestLivenessAfterKill(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	c := spawn(t, "hold", dir, "a")
	c.want("held 2")
	r, err := s.Read(t.Context(), "a")
	must(t, err)
	if !r.Live || r.Crashed || r.Owner.PID != c.p.Pid || r.Owner.Name != "hold" {
		t.Errorf("while it lives: %+v", r)
	}
	c.kill()
	if r, err = s.Read(t.Context(), "a"); err != nil || r.Live || !r.Crashed {
		t.Errorf("after kill -9: %+v, %v", r, err)
	}
	l, err := s.Acquire(t.Context(), "a", false)
	must(t, err)
	must(t, tick(t.Context(), l))
	must(t, l.Release(t.Context()))
}

func TestWhatCountsAsCrashed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		mode   loop.Mode
		status loop.Status
		reason loop.Reason
		want   bool
	}{
		{loop.Supervised, loop.Pending, "", true},
		{loop.Supervised, loop.Running, "", true},
		{loop.Supervised, loop.Waiting, loop.ForLimit, true},
		{loop.Supervised, loop.Waiting, loop.ForLock, true},
		{loop.Supervised, loop.Waiting, loop.ForHuman, false},
		{loop.Supervised, loop.Paused, "", false},
		{loop.Supervised, loop.StatusPassed, loop.Green, false},
		{loop.Supervised, loop.Aborted, loop.Manual, false},
		{loop.AgentDriven, loop.Running, "", false},
	}
	for _, tt := range tests {
		e := Entry{Mode: tt.mode, Status: tt.status, Reason: tt.reason}
		if got := e.crashed(); got != tt.want {
			t.Errorf("%s %s/%s without an owner: crashed = %v", tt.mode, tt.status, tt.reason, got)
		}
		if e.Live = true; e.crashed() {
			t.Errorf("%s %s/%s with an owner is crashed", tt.mode, tt.status, tt.reason)
		}
	}
}

// An owner commits its end and lets go. A reader in between must not call that
// a crash.
func TestAnOrderlyEndNeverLooksLikeACrash(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	reader := openTest(t, dir, Options{ReadOnly: true})
	for _, id := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		l := create(t, s, id)
		done := make(chan struct{})
		go func() {
			defer close(done)
			if err := endWith(t.Context(), l, loop.StatusPassed, loop.Green); err != nil {
				t.Error(err)
			}
			if err := l.Release(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		for ended := false; !ended; {
			r, err := reader.Read(t.Context(), id)
			must(t, err)
			list, err := reader.Entries(t.Context(), Filter{Active: true})
			must(t, err)
			if r.Crashed || len(list) > 0 && list[0].Crashed {
				t.Fatal("an orderly end looked like a crash")
			}
			ended = r.State.Status.Terminal()
		}
		<-done
	}
}

func TestAClockSetBackAYearChangesNothing(t *testing.T) {
	t.Parallel()
	_, dir := fresh(t)
	now := clock()
	s := openTest(t, dir, Options{Now: func() time.Time { return now }})
	l := create(t, s, "a")
	now = now.AddDate(-1, 0, 0)
	must(t, tick(t.Context(), l))
	if _, err := s.Acquire(t.Context(), "a", false); !as[*HeldError](err) {
		t.Errorf("Acquire: %v", err)
	}
	create(t, s, "b")
	got, err := s.Entries(t.Context(), Filter{})
	must(t, err)
	if len(got) != 2 || got[0].ID != "b" {
		t.Errorf("newest first: %v", got)
	}
	if _, err := s.Create(t.Context(), newState("c"), Admission{Max: 2}); !as[*AdmissionError](err) {
		t.Errorf("Create: %v", err)
	}
}

func TestInboxAndWake(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	l := create(t, s, "a")
	sender := openTest(t, dir, Options{})
	must(t, sender.Send(t.Context(), "a", Message{Kind: "steer", Text: "early\x00\xff", By: "me"}))
	<-l.Wake() // sent before anybody listened
	must(t, sender.Send(t.Context(), "a", Message{Kind: "abort"}))
	<-l.Wake()
	box, err := l.Inbox(t.Context())
	must(t, err)
	if len(box) != 2 || box[0].Kind != "steer" || box[0].By != "me" || box[1].Kind != "abort" {
		t.Fatalf("Inbox = %+v", box)
	}
	must(t, l.Commit(t.Context(), l.State(), nil, box[0].ID))
	if box, err = l.Inbox(t.Context()); err != nil || len(box) != 1 || box[0].Kind != "abort" {
		t.Errorf("Inbox after taking one = %+v, %v", box, err)
	}
}

func TestWakeWithoutAnAnnouncement(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	s.poll = time.Millisecond
	l := create(t, s, "a")
	wake := l.Wake()
	db := s.db.Load()
	_, err := db.Exec(`INSERT INTO inbox (loop, at, kind, text, by) VALUES (1, 0, 'pause', '', '')`)
	must(t, err)
	<-wake
}

func TestTakeOverWakesTheOldOwner(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	c := spawn(t, "hold", dir, "a")
	c.want("held 2")
	c.say("wake")
	l, err := s.Acquire(t.Context(), "a", true)
	must(t, err)
	c.want("fenced")
	must(t, l.Release(t.Context()))
}

func TestCommitRefusesNonsense(t *testing.T) {
	t.Parallel()
	s, _ := fresh(t)
	l := create(t, s, "a")
	if err := l.Commit(t.Context(), newState("b"), nil); err == nil {
		t.Error("a state of another loop was taken")
	}
	l.seq = 7
	err := tick(t.Context(), l)
	if err == nil || as[*FencedError](err) {
		t.Errorf("a commit out of step: %v", err)
	}
}

func TestEndCountsOnce(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	for id, status := range map[string]loop.Status{"a": loop.StatusPassed, "b": loop.StatusFailed, "c": loop.Aborted, "d": loop.StatusPassed} {
		l := create(t, s, id)
		must(t, endWith(t.Context(), l, status, loop.Green))
		must(t, l.Commit(t.Context(), l.State(), nil))
	}
	var completed, failed, aborted int
	db := openTest(t, dir, Options{}).db.Load()
	must(t, db.QueryRow(`SELECT completed, failed, aborted FROM registry`).Scan(&completed, &failed, &aborted))
	if completed != 2 || failed != 1 || aborted != 1 {
		t.Errorf("counters %d, %d, %d", completed, failed, aborted)
	}
}

func TestFilesMayBeGone(t *testing.T) {
	t.Parallel()
	s, dir := fresh(t)
	must(t, create(t, s, "a").Release(t.Context()))
	must(t, os.RemoveAll(filepath.Join(dir, "loops")))
	l, err := s.Acquire(t.Context(), "a", false)
	must(t, err)
	if r, err := s.Read(t.Context(), "a"); err != nil || !r.Live {
		t.Errorf("Load: %+v, %v", r, err)
	}
	must(t, l.Release(t.Context()))
}
