package plan

import (
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestRejectedToItsLimit: work whose gates pass and whose reviewers reject it as often
// as a task may fail is a person's to decide, not failed.
func TestRejectedToItsLimit(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	worn := reviewing(t, false)
	no := ReviewEnded{Stamp: at, Review: Review{Task: "a", Commit: "c1", Reason: "too clever"}}
	for n := 1; worn.OpenQuestion() == nil; n++ {
		if n > worn.Rules.PerTask {
			t.Fatalf("rejected %d times, and nothing is asked: %+v", n, worn.Task("a"))
		}
		if worn = applied(t, worn, no); worn.OpenQuestion() == nil {
			worn = applied(t, worn, Started{Stamp: at, Task: "a", Loop: "l", From: "c1", Most: 1},
				Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusPassed, Commit: "c1", Attempts: 1})
		}
	}
	q := worn.OpenQuestion()
	if !strings.Contains(q.Text, "too clever") || !slices.Equal(q.Options, []string{sayAccept, sayAgain, sayReject}) || q.No != sayReject {
		t.Fatalf("%+v", q)
	}
	for answer, want := range map[string]Status{sayAccept: Landing, sayAgain: Pending, "simpler": Pending, sayReject: Failed} {
		s, err := Apply(worn, Answered{Stamp: at, Text: answer, By: "me"})
		if err != nil || s.Task("a").Status != want {
			t.Errorf("%s: %v, %+v", answer, err, s.Task("a"))
		}
	}
}

// TestApproachRejectedToItsLimit: the same for the way in which a task is to be done.
func TestApproachRejectedToItsLimit(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	s := reviewing(t, false)
	s.Rules.Approve, s.Rules.ByReview = true, true
	a := s.Task("a")
	a.Status, a.Loop, a.Fails = Approving, "l", s.Rules.PerTask-1
	s = applied(t, s, Stopped{Stamp: at, Task: "a", Loop: "l", Status: loop.StatusPassed, Attempts: 1, Output: "plan.md", Opinion: &Opinion{Why: "too vague"}})
	q := s.OpenQuestion()
	if q == nil || !strings.Contains(q.Text, "too vague") || s.Task("a").Status != Approving {
		t.Fatalf("%+v, %+v", q, s.Task("a"))
	}
	yes, better := applied(t, s, Answered{Stamp: at, Text: sayApprove, By: "me"}), applied(t, s, Answered{Stamp: at, Text: "name the files", By: "me"})
	if got := yes.Task("a"); got.Agreed != "l" || got.Status != Pending {
		t.Errorf("approved: %+v", got)
	}
	if got := better.Task("a"); got.Status != Pending || got.Fails != 0 {
		t.Errorf("with words of a person: %+v", got)
	}
}
