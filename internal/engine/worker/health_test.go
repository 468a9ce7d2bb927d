package worker

import (
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/review"
	"ralph/internal/store/limits"
)

// TestReviewersHealth: what a reviewer meets at its provider is known to every loop,
// and a reviewer is not asked before its provider may serve.
func TestReviewersHealth(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 23, 1, 0, 0, 0, time.UTC)
	book := limits.New(t.TempDir(), func() time.Time { return now }, false)
	defer book.Close()
	w := &Worker{Accounts: Accounts{Book: book, Warn: func(err error) { t.Error(err) }}}
	reviewer := loop.Agent{Name: "critic", Use: "command", Argv: []string{"critic"}}
	at := func(run string) (d review.Desk) {
		w.Attend(&d, run, loop.DefaultLimits(), false)
		return d
	}
	a, b := at("a"), at("b")
	if until, _ := a.Ready(t.Context(), reviewer); !until.IsZero() {
		t.Fatalf("held until %v before anything happened", until)
	}
	reset := now.Add(time.Hour)
	a.Ended(t.Context(), reviewer, loop.Outcome{End: loop.EndLimit, ResetAt: reset, Message: "5-hour limit"})
	if until, why := b.Ready(t.Context(), reviewer); until.Before(reset) || why != "5-hour limit" {
		t.Fatalf("another run may ask at %v (%s)", until, why)
	}
	if known, err := book.Look(t.Context(), limits.Account(w.Quota(reviewer))); err != nil || known == nil || known.Health != loop.Limited {
		t.Fatalf("agents of the account see %+v, %v", known, err)
	}
	now = now.Add(2 * time.Hour)
	if until, _ := b.Ready(t.Context(), reviewer); !until.IsZero() {
		t.Fatalf("held until %v after the reset", until)
	}
	b.Ended(t.Context(), reviewer, loop.Outcome{End: loop.EndInterrupted})
	if known, _ := book.Look(t.Context(), limits.Account(w.Quota(reviewer))); known == nil {
		t.Fatal("a killed reviewer proves nothing about its provider")
	}
	if until, _ := b.Ready(t.Context(), reviewer); !until.IsZero() {
		t.Fatalf("the one that tries first waits until %v", until)
	}
	b.Ended(t.Context(), reviewer, loop.Outcome{End: loop.EndDone})
	if known, err := book.Look(t.Context(), limits.Account(w.Quota(reviewer))); err != nil || known != nil {
		t.Fatalf("after an answer: %+v, %v", known, err)
	}
}
