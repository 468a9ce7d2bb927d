package plan

import (
	"errors"
	"testing"
	"time"

	"ralph/internal/journal"
	"ralph/internal/loop"
)

// reviewing is a plan of one task whose work waits for a review, or where the
// whole does.
func reviewing(t *testing.T, whole bool) State {
	t.Helper()
	s := Begin("p", "/p.md", "", "b", "c0", Rules{Parallel: 1, PerTask: 2, OnFailure: Skip, Chunks: true, Review: true})
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	events := []Event{
		Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "d", Status: Pending}}},
		Opened{Stamp: at},
		Started{Stamp: at, Task: "a", Loop: "l", From: "c0", Most: 1},
		Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusPassed, Commit: "c1", Attempts: 1},
	}
	if whole {
		events = append(events, ReviewEnded{Stamp: at, Review: Review{Task: "a", Pass: true}},
			LandBegan{Stamp: at, Task: "a", Onto: "c0"}, Landed{Stamp: at, Task: "a", Commit: "c1"}, Proof{Stamp: at, Passed: true})
	}
	for _, e := range events {
		var err error
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestNothingButYesIsYes: what reviewers left to a person is approved by one
// word only.
func TestNothingButYesIsYes(t *testing.T) {
	t.Parallel()
	for answer, approved := range map[string]bool{
		"accept": true, "1": true, " Accept ": true, "continue": true,
		"reject": false, "2": false, "work on it again": false, "no": false, "do not accept": false, "accepted?": false, "x": false,
	} {
		for _, whole := range []bool{false, true} {
			s := reviewing(t, whole)
			at := loop.Stamp{At: time.Unix(1e9, 0)}
			judged := ReviewEnded{Stamp: at, Review: Review{Task: "a", Pass: true, Recommendation: NeedsHuman, Commit: "c1"}}
			if whole {
				judged.Review.Task = ""
			}
			s, err := Apply(s, judged)
			if err != nil {
				t.Fatal(err)
			}
			if s.OpenQuestion() == nil || s.Status == loop.StatusPassed || s.Task("a").Status == Landing {
				t.Fatalf("whole %t: it went on without the person: %+v", whole, s)
			}
			next, err := Apply(s, Answered{Stamp: at, Text: answer, By: "me"})
			_, refused := errors.AsType[*journal.RefusedError](err)
			if err != nil && (!refused || !whole) {
				t.Fatal(err)
			}
			if refused {
				if s.OpenQuestion() == nil {
					t.Errorf("answer %q: refused, and the question is gone", answer)
				}
				continue
			}
			s = next
			got := s.Task("a").Status == Landing
			if whole {
				got = s.Status == loop.StatusPassed
			}
			if got != approved {
				t.Errorf("whole %t, answer %q: approved %t, want %t (%s %s)", whole, answer, got, approved, s.Status, s.Task("a").Status)
			}
		}
	}
}

// TestNoIsNo: the answer that an unattended run gives when it is to fail never
// lets anything through.
func TestNoIsNo(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "/p.md", "", "b", "c0", Rules{Parallel: 1, PerTask: 2, OnFailure: Skip, Approve: true})
	for _, e := range []Event{
		Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "d", Status: Pending}}},
		Opened{Stamp: at},
		Planning{Stamp: at, Task: "a", Loop: "l", From: "c0", Most: 1},
		Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusPassed, Commit: "c1", Attempts: 1},
	} {
		var err error
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	q := s.OpenQuestion()
	if q == nil || q.No == "" {
		t.Fatalf("no answer decides against: %+v", q)
	}
	s, err := Apply(s, Answered{Stamp: at, Text: q.No, By: "policy"})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Task("a"); a.Status != Failed || a.Agreed != "" {
		t.Errorf("%+v", a)
	}
}

// TestAFailureIsAskedEachTime: a task that is tried again and fails again is put
// to the person again.
func TestAFailureIsAskedEachTime(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := Begin("p", "/p.md", "", "b", "c0", Rules{Parallel: 1, PerTask: 2, OnFailure: Ask, Attempts: 9})
	g, err := Plan{Tasks: []Task{{ID: "a", Title: "a"}}}.Graph()
	if err != nil {
		t.Fatal(err)
	}
	apply := func(e Event) {
		t.Helper()
		var err error
		if s, err = Apply(s, e); err != nil {
			t.Fatal(err)
		}
	}
	apply(Read{Stamp: at, Tasks: []ReadTask{{ID: "a", Digest: "d", Status: Pending}}})
	apply(Opened{Stamp: at})
	for try := range 2 {
		apply(Started{Stamp: at, Task: "a", Loop: "l", From: "c0", Most: 1})
		apply(Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusFailed, Reason: loop.MaxAttempts})
		actions := Next(g, s, nil)
		if len(actions) != 1 || actions[0].Do != DoAsk {
			t.Fatalf("try %d: %+v", try, actions)
		}
		apply(Asked{at, FailureQuestion(*s.Task("a"))})
		apply(Answered{Stamp: at, Text: "retry"})
	}
}
