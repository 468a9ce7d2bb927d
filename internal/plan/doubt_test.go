package plan

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// doubted is a plan whose reviewers ask a person about task a, or the whole.
func doubted(t *testing.T, whole bool) State {
	t.Helper()
	s := reviewing(t, whole)
	r := Review{Task: "a", Pass: true, Reason: "magi approved", Recommendation: NeedsHuman, Commit: "c1", Asks: []string{"REST or gRPC? (wise/gaps)"}}
	if whole {
		r.Task = ""
	}
	s, err := Apply(s, ReviewEnded{Stamp: loop.Stamp{At: time.Unix(1e9, 0)}, Review: r})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestAQuestionTellsWhatIsAsked: in the words of who asks, and with what each
// answer does.
func TestAQuestionTellsWhatIsAsked(t *testing.T) {
	t.Parallel()
	for _, whole := range []bool{false, true} {
		s := doubted(t, whole)
		q := s.OpenQuestion()
		if !strings.Contains(q.Text, "REST or gRPC? (wise/gaps)") || q.No != sayReject {
			t.Errorf("%+v", q)
		}
	}
}

// TestWordsAreGuidance: what is none of the options is told to the next loop, and
// to those after it; it is no failure of the task.
func TestWordsAreGuidance(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := doubted(t, false)
	for n, words := range []string{"gRPC, with TLS", "and no reflection", sayAgain, "3x"} {
		var err error
		if s, err = Apply(s, Answered{Stamp: at, Text: words, By: "me"}); err != nil {
			t.Fatal(err)
		}
		a := s.Task("a")
		if a.Status != Pending || a.Fails != 0 || !strings.HasPrefix(a.Told, "gRPC, with TLS") {
			t.Fatalf("%d: %+v", n, a)
		}
		for _, e := range []Event{
			Started{Stamp: at, Task: "a", Loop: "l", From: "c1", Most: 1},
			Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusPassed, Commit: "c2", Attempts: 1},
			ReviewEnded{Stamp: at, Review: Review{Task: "a", Pass: true, Recommendation: NeedsHuman}},
		} {
			if s, err = Apply(s, e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if told := s.Task("a").Told; told != "gRPC, with TLS\nand no reflection\n3x" {
		t.Errorf("%q", told)
	}
}

// TestNothingToChange: a chunk that is worked on again and changes nothing, with
// green gates, is no failure to repeat: a person decides about the work there is.
func TestNothingToChange(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := applied(t, doubted(t, false), Answered{Stamp: at, Text: "postgres will do"},
		Started{Stamp: at, Task: "a", Loop: "l", From: "c1", Most: 1},
		Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusFailed, Reason: loop.MaxAttempts, Commit: "c1", Attempts: 1, Unchanged: true})
	q := s.OpenQuestion()
	if q == nil || !strings.Contains(q.Text, "changed nothing") || s.Task("a").Fails > 1 {
		t.Fatalf("%+v, %+v", q, s.Task("a"))
	}
	if s = applied(t, s, Answered{Stamp: at, Text: "accept", By: "me"}); s.Task("a").Status != Landing || s.Task("a").Commit != "c1" {
		t.Errorf("%+v", s.Task("a"))
	}
	if s = applied(t, s, LandBegan{Stamp: at, Task: "a", Onto: s.Tip}, Landed{Stamp: at, Task: "a", Commit: "c9"}); s.Task("a").Status != Done {
		t.Errorf("%+v", s.Task("a"))
	}
}

// TestRejectFails: the answer that decides against fails the task at once, and
// its commit is kept.
func TestRejectFails(t *testing.T) {
	t.Parallel()
	s := doubted(t, false)
	s, err := Apply(s, Answered{Stamp: loop.Stamp{At: time.Unix(1e9, 0)}, Text: s.OpenQuestion().No, By: "policy"})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.Task("a"); a.Status != Failed || a.Reason != Rejected || a.Left() != "c1" || !strings.Contains(a.Message, "rejected by policy") {
		t.Errorf("%+v", a)
	}
}

// TestRedWorkCannotBeAccepted: a chunk with red gates is not offered, and no
// answer lands it.
func TestRedWorkCannotBeAccepted(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := reviewing(t, false)
	s.Task("a").Passed = false
	s, err := Apply(s, ReviewEnded{Stamp: at, Review: Review{Task: "a", Pass: true, Recommendation: NeedsHuman}})
	if err != nil {
		t.Fatal(err)
	}
	if q := s.OpenQuestion(); strings.Join(q.Options, ",") != sayAgain+","+sayReject {
		t.Errorf("%+v", q)
	}
	for _, words := range []string{sayAccept, sayGoOn, "1"} {
		next, err := Apply(s, Answered{Stamp: at, Text: words, By: "me"})
		if err != nil || next.Task("a").Status != Pending || next.Task("a").Told != "" {
			t.Errorf("%s: %v %+v", words, err, next.Task("a"))
		}
	}
}
