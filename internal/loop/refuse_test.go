package loop

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// suspecting is a world whose agent steers its tests in the first attempts.
func suspecting(t *testing.T, attempts int, refuse ...ConcernCode) *world {
	w := newWorld(t, func(s *Spec) { s.Refuse = refuse })
	clean := w.commit
	w.commit = func(n int) Committed {
		e := clean(n)
		if n <= attempts {
			e.Suspects = []string{"a.go:1 ends the process"}
		}
		return e
	}
	return w
}

// TestRefuse: work that passed all else fails for what the loop refuses, and no other.
func TestRefuse(t *testing.T) {
	t.Parallel()
	s := suspecting(t, 1, ConcernSuspect).ends(StatusPassed, Green, 2)
	if a := s.Recent[0]; a.FailedGate != "suspect" || a.Verdict != Failed || !strings.Contains(a.Error, "a.go:1 ends the process") || a.Fingerprint == "" {
		t.Errorf("%+v", a)
	}
	suspecting(t, 1).ends(StatusPassed, Green, 1)
	suspecting(t, 1, ConcernObeyed, ConcernJudges).ends(StatusPassed, Green, 1)
	suspecting(t, 9, ConcernSuspect).ends(StatusFailed, Stuck, 5)
}

// TestRefuseAfterGates: a gate that fails is the failure, whatever else the work is refused for.
func TestRefuseAfterGates(t *testing.T) {
	t.Parallel()
	w := suspecting(t, 9, ConcernSuspect)
	w.gate = onBase(failing("base"), failing("work"))
	s := w.ends(StatusFailed, Stuck, 5)
	if a := s.Last(); a.FailedGate != "tests" {
		t.Errorf("%+v", a)
	}
}

// TestRefusalHidesHiddenGates: what a hidden gate found out is not told to agents.
func TestRefusalHidesHiddenGates(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(s *Spec) {
		s.Gates = append(s.Gates, Gate{Name: "secret", Kind: KindTests, Level: Hard, Hidden: true})
		s.Refuse = []ConcernCode{ConcernJudges, ConcernSuspect}
	})
	w.gate = func(a Action) Result {
		r := onBase(failing("base"), passing())(a)
		if a.Gate.Hidden && !a.OnBase {
			r.Hidden, r.Canary, r.Weak, r.Permitted = true, CanaryReported, "roman answers the inputs of its tests and no others", []string{"roman.json"}
		}
		return r
	}
	s := w.ends(StatusFailed, Stuck, 5)
	if a := s.Last(); a.FailedGate != "judges" || len(a.Refused) != 2 || strings.Contains(fmt.Sprint(a.Error, a.Refused), "roman") || !strings.Contains(a.Error, "a hidden gate found it (secret)") {
		t.Errorf("%+v", a)
	}
}

// TestRefusalDisputed: a person decides about a refusal as about a gate.
func TestRefusalDisputed(t *testing.T) {
	t.Parallel()
	disputing := func() *world {
		w := suspecting(t, 9, ConcernObeyed, ConcernSuspect)
		w.agent = func(a Action) Outcome {
			if a.Attempt == 2 && len(w.s.Disputes) == 0 {
				return Outcome{End: EndDone, Dispute: w.s.DisputeIn("RALPH-DISPUTE: suspect: the task asks for a launcher")}
			}
			return Outcome{End: EndDone}
		}
		w.untilHuman()
		if q := w.s.Open(); !strings.Contains(q.Text, "a launcher") || !strings.Contains(q.Text, "Attempt 1: ") || !slices.Equal(q.Options, []string{SayUphold, SayDismiss}) {
			t.Fatalf("%+v", q)
		}
		return w
	}
	w := disputing()
	w.refuses(Answered{Stamp: w.stamp(), Text: "uphold tests/**", By: "ann"})
	w.do(Answered{Stamp: w.stamp(), Text: "uphold", By: "ann"})
	s := w.ends(StatusPassed, Green, 2)
	if !slices.Equal(s.Refuse, []ConcernCode{ConcernObeyed}) || len(s.MayChange) > 0 || !slices.ContainsFunc(s.Concerns(), func(c Concern) bool { return c.Code == ConcernSuspect }) {
		t.Errorf("%v %v %v", s.Refuse, s.MayChange, s.Concerns())
	}
	w = disputing()
	w.do(Answered{Stamp: w.stamp(), Text: "dismiss", By: "ann"})
	if s := w.ends(StatusFailed, Stuck, 5); len(s.Refuse) != 2 {
		t.Error(s.Refuse)
	}
}

// TestRefusalCodes: each is a concern, and no other is taken.
func TestRefusalCodes(t *testing.T) {
	t.Parallel()
	for _, c := range RefusalCodes() {
		if !slices.Contains(ConcernCodes(), c) {
			t.Error(c)
		}
	}
	if err := CheckRefuse([]ConcernCode{ConcernEvidence}); err == nil || CheckRefuse(RefusalCodes()) != nil {
		t.Error(err)
	}
	w := suspecting(t, 1)
	if w.s.Refuse = []ConcernCode{"some"}; w.s.Validate() == nil {
		t.Error("an unknown concern was taken")
	}
	if err := w.s.CheckDispute(Dispute{Gate: "suspect", Why: "x"}); err == nil {
		t.Error("a refusal was disputed that there is not")
	}
	w.s.Refuse = []ConcernCode{ConcernSuspect}
	if err := w.s.CheckDispute(Dispute{Gate: "suspect", Why: "x", Files: []string{"a.go"}}); err == nil {
		t.Error("a dispute of a refusal named files")
	}
	if w.s.Gates[0].Name = "suspect"; w.s.Validate() == nil {
		t.Error("a gate has the name of what is refused")
	}
}

// TestRefusedAlike: the same finding in another line is the same failure, another one is not.
func TestRefusedAlike(t *testing.T) {
	t.Parallel()
	print := func(what string) string {
		var a Attempt
		a.refuse([]Concern{{ConcernSuspect, what}})
		return a.Fingerprint
	}
	if print("a.go:1 ends the process") != print("a.go:17 ends the process") || print("a.go:1 ends the process") == print("a.go:1 looks at the clock") {
		t.Error(print("a.go:1 ends the process"))
	}
}

// TestFindings: what was found is the concern of its kind, of the work and of each gate, but of
// soft ones, and an attempt fails for it as its loop refuses.
func TestFindings(t *testing.T) {
	a := &Attempt{
		Suspects: []string{"a.go:1 ends the process"},
		Findings: Findings{ConcernTampers: {"same.go:6 changes how tests compare"}, ConcernUndone: {"slug.go:2 is not implemented"}},
		Results: []Result{
			{Gate: "tests", Level: Hard, Verdict: Passed, Canary: CanaryReported, Weak: "f answers its tests", Findings: Findings{ConcernWeak: {"it skips 1 test more than on the base"}}},
			{Gate: "lint", Level: Soft, Verdict: Passed, Findings: Findings{ConcernWeak: {"x"}}},
		},
		Proof: &Proof{Red: RedByAssertion, Weak: "gate tests passes, too"},
	}
	s := &State{}
	var got []string
	for _, c := range s.concernsAbout(a) {
		got = append(got, string(c.Code)+": "+c.What)
	}
	want := []string{
		"weak: gate tests is green, but it skips 1 test more than on the base",
		"weak: its new tests prove little: gate tests passes, too",
		"undone: it does not do what its task says: slug.go:2 is not implemented",
		"tampers: it interferes with the tests or gates that judge it: same.go:6 changes how tests compare",
		"suspect: new code could make the gates pass although the task is not done: a.go:1 ends the process",
		"suspect: gate tests is green, but f answers its tests",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	s.Refuse = DefaultRefusals()
	if refused := s.refusals(a); len(refused) != 4 || refused[0].Code != ConcernWeak {
		t.Errorf("%v", refused)
	}
}
