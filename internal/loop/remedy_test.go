package loop

import (
	"strings"
	"testing"
)

// TestAgentsHearNoFlags: only a person has flags and the plan. What an agent hears names what
// an agent can do.
func TestAgentsHearNoFlags(t *testing.T) {
	t.Parallel()
	s := State{Recent: []Attempt{{N: 1}}}
	unproved := s.failure(&Proof{Why: "nothing is red", UndoneCount: 1})
	s.Task.Plan = &InPlan{}
	inPlan := s.failure(&Proof{Why: "nothing is red", UndoneCount: 1})
	if !strings.Contains(unproved, "--kind") || strings.Contains(inPlan, "--kind") || !strings.Contains(inPlan, "**Kind:** docs") {
		t.Errorf("for people: %s; %s", unproved, inPlan)
	}
	for _, c := range []struct{ people, want string }{
		{unproved, "ralph dispute proof"},
		{inPlan, "ralph dispute proof"},
		{"it failed (" + RemedyJudges + ")", "leave these files as they are"},
		{"it failed (" + RemedyNew + ")", "the tests of the base must pass without them"},
		{"it wrote a.py (" + RemedyWrites + "); more", "let nothing write these files"},
		{"1 test is lost (" + RemedyLost + ")", "keep these tests"},
		{"it failed" + s.Remedy(RemedyJudges), "leave these files as they are"},
		{"it failed" + s.Remedy(RemedyNew), "the tests of the base must pass without them"},
		{"it wrote a.py" + s.Remedy(RemedyWrites) + "; more", "let nothing write these files"},
		{"1 test is lost" + s.Remedy(RemedyLost), "keep these tests"},
	} {
		s.Recent[0] = Attempt{N: 1, Error: c.people, FailedGate: "tests", Results: []Result{{Gate: "tests", Reason: c.people}}}
		a := s.ForAgents().Recent[0]
		for _, got := range []string{a.Error, a.Results[0].Reason} {
			if !strings.Contains(got, c.want) || strings.Contains(got, "--may-change") || strings.Contains(got, "--kind") || strings.Contains(got, "**") {
				t.Errorf("%q: an agent hears %q, want %q", c.people, got, c.want)
			}
			if strings.Contains(c.people, "--may-change") && !strings.Contains(got, "ralph dispute tests --file PATH") {
				t.Errorf("%q: the gate to dispute is not named: %q", c.people, got)
			}
		}
		if s.Recent[0].Error != c.people || s.Recent[0].Results[0].Reason != c.people {
			t.Error("the record of people has changed")
		}
	}
}

// TestUnprovedAdvice: a task that is about tests alone is not told to change the product.
func TestUnprovedAdvice(t *testing.T) {
	t.Parallel()
	for why, want := range map[string]string{
		NothingChanged:        "nothing is changed; make the change that the task asks for, and add a test that fails without it",
		OnlyTests:             "nothing proves this change: " + OnlyTests + "; where the task asks for a change of the product, make it, and add a test that fails without it (" + remedyProof + ")",
		"no gate runs tests":  "nothing proves this change: no gate runs tests; add a test that fails without it (" + remedyProof + ")",
		"gate a passes, too.": "nothing proves this change: gate a passes, too.; add a test that fails without it (" + remedyProof + ")",
	} {
		if got := new(State).failure(&Proof{Why: why}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
