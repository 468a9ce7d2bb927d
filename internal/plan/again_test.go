package plan

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestReviewedAgain: when a person has dealt with the last of what the reviewers
// found, the next run asks them again, and the plan can be put away.
func TestReviewedAgain(t *testing.T) {
	t.Parallel()
	at := loop.Stamp{At: time.Unix(1e9, 0)}
	p := Plan{Tasks: []Task{{ID: "a", Title: "a"}}}
	g, err := p.Graph()
	if err != nil {
		t.Fatal(err)
	}
	s := applied(t, reviewing(t, true), ReviewEnded{
		Stamp: at, Review: Review{Pass: true, Recommendation: Continue, Commit: "c1"},
		Findings: []Finding{{Kind: Gap, Text: "no tests"}, {Kind: EdgeCase, Text: "an empty file"}},
	})
	if s.Status != loop.StatusPassed || s.Complete() {
		t.Fatalf("%+v", s)
	}
	for n, text := range []string{"no tests", "an empty file"} {
		s = applied(t, s, Resolved{Stamp: at, Text: text, By: "me"})
		if s.Review.Again != (n == 1) || s.Status != loop.StatusPassed {
			t.Errorf("%s: %+v", text, s.Review)
		}
		again := applied(t, s, Resumed{Stamp: at})
		if ended := again.Status == loop.StatusPassed; ended != (n == 0) {
			t.Errorf("%s: it is %s", text, again.Status)
		}
	}
	s = applied(t, s, Resumed{Stamp: at}, Opened{Stamp: at})
	if all := Next(g, s, nil); len(all) != 1 || all[0].Do != DoReviewPlan {
		t.Fatalf("%+v", all)
	}
	s = applied(t, s, ReviewEnded{Stamp: at, Review: Review{Pass: true, Recommendation: Archive, Commit: "c1"}})
	if !s.Complete() {
		t.Errorf("%+v", s.Review)
	}
}
