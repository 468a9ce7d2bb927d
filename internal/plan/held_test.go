package plan

import (
	"errors"
	"slices"
	"testing"
	"time"

	"ralph/internal/journal"
	"ralph/internal/loop"
)

// atReview is a plan of one task that has landed and been proved.
func atReview(t *testing.T) (*Graph, State) {
	t.Helper()
	g, err := Plan{Tasks: []Task{{ID: "a", Title: "a"}}}.Graph()
	if err != nil {
		t.Fatal(err)
	}
	return g, reviewing(t, true)
}

func only(t *testing.T, g *Graph, s State) Action {
	t.Helper()
	all := Next(g, s, nil)
	if len(all) != 1 {
		t.Fatalf("%d actions, want 1: %+v", len(all), all)
	}
	return all[0]
}

// Reviewers at their limit are waited for, however often, and asked at once when a
// person wants that.
func TestHeldReview(t *testing.T) {
	t.Parallel()
	g, s := atReview(t)
	noon := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	s = applied(t, s, ReviewHeld{Until: noon, Why: "limit"}, ReviewHeld{Until: noon.Add(time.Hour), Why: "limit"})
	if a := only(t, g, s); a.Do != DoReviewPlan || !a.After.Equal(noon.Add(time.Hour)) || s.Held.Times != 2 || len(s.OpenQuestions()) != 0 {
		t.Errorf("%+v, held %+v", a, s.Held)
	}
	if a := only(t, g, applied(t, s, Woken{})); a.Do != DoReviewPlan || !a.After.IsZero() {
		t.Errorf("woken: %+v", a)
	}
	paused := applied(t, s, PauseAsked{})
	if a := only(t, g, paused); a.Do != DoRest || a.Rest.Status != loop.Paused {
		t.Errorf("paused: %+v", a)
	}
	s = applied(t, s, ReviewEnded{Review: Review{Commit: "c1", Pass: true, Recommendation: Archive}})
	if s.Status != loop.StatusPassed || s.Held != (Held{}) {
		t.Errorf("%s, held %+v", s.Status, s.Held)
	}
	if _, err := Apply(s, ReviewHeld{Until: noon}); !errors.As(err, new(*journal.RefusedError)) {
		t.Errorf("a plan that ended waits for a review: %v", err)
	}
}

// Where nobody could review the whole, a person accepts that, has them asked once
// more, or rejects it; it is never called reviewed.
func TestNobodyReviewed(t *testing.T) {
	t.Parallel()
	g, s := atReview(t)
	none := ReviewEnded{Review: Review{Commit: "c1", TooFew: true, Unreviewed: true, Recommendation: NeedsHuman, Reason: "not logged in"}}
	s = applied(t, s, none)
	if q := s.OpenQuestion(); s.Status.Terminal() || q == nil || !slices.Equal(q.Options, []string{"accept", "review again", "reject"}) {
		t.Fatalf("%s: %+v", s.Status, q)
	}
	again := applied(t, s, Answered{Text: "2", By: "me"})
	if a := only(t, g, again); a.Do != DoReviewPlan || again.Review != nil {
		t.Errorf("asked again: %+v", a)
	}
	yes := applied(t, s, Answered{Text: "accept", By: "me"})
	if yes.Status != loop.StatusPassed || yes.Message != "every task is done and landed; unreviewed, accepted by me" || yes.Complete() {
		t.Errorf("%s: %s", yes.Status, yes.Message)
	}
	// Rejected and gone on with: it is looked at again, not passed for want of a look.
	no := applied(t, s, Answered{Text: "reject", By: "me"}, Resumed{})
	if no.Status != loop.Running || only(t, g, no).Do == DoRest {
		t.Errorf("%s: %+v", no.Status, Next(g, no, nil))
	}
}

// Where reviewers answered and want a person to decide, nobody is asked twice.
func TestNoSecondLook(t *testing.T) {
	t.Parallel()
	_, s := atReview(t)
	s = applied(t, s, ReviewEnded{Review: Review{Commit: "c1", Recommendation: NeedsHuman, Reason: "A or B?"}})
	if _, err := Apply(s, Answered{Text: "review again"}); err == nil {
		t.Error("reviewers who asked a person are asked again")
	}
}
