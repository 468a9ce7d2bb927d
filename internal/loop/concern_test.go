package loop

import (
	"slices"
	"testing"
)

func TestConcerns(t *testing.T) {
	t.Parallel()
	for _, code := range ConcernCodes() {
		if code.Words() == string(code) {
			t.Errorf("%s has no words", code)
		}
	}
	for name, c := range map[string]struct {
		change func(*State, *Attempt)
		want   []ConcernCode
	}{
		"proved":   {func(*State, *Attempt) {}, nil},
		"unproved": {func(_ *State, a *Attempt) { a.Proof = &Proof{Why: "kind docs"} }, []ConcernCode{ConcernUnproved}},
		"its author reviewed it": {func(_ *State, a *Attempt) {
			a.Results = append(a.Results, Result{Gate: "spec", Kind: KindReview, Verdict: Passed, Weak: "only its author's own agent approved it"})
			a.Proof = &Proof{Review: "spec"}
		}, []ConcernCode{ConcernReview}},
		"its author reviewed it, too": {func(_ *State, a *Attempt) {
			a.Results = append(a.Results, Result{Gate: "spec", Kind: KindReview, Verdict: Passed, Weak: "only its author's own agent approved it"})
		}, nil},
		"of an older version":            {func(s *State, a *Attempt) { s.Proof, a.Proof = "", nil }, nil},
		"a check was left out":           {func(s *State, _ *Attempt) { s.Task.Plan = &InPlan{Unchecked: []string{"make check"}} }, []ConcernCode{ConcernUnchecked}},
		"judges changed with permission": {func(_ *State, a *Attempt) { a.Results[0].Permitted = []string{"a_test.go"} }, []ConcernCode{ConcernJudges}},
		"judges set aside":               {func(_ *State, a *Attempt) { a.Results[0].Judging = &Judging{SetAside: []string{"a_test.go"}} }, []ConcernCode{ConcernJudges}},
		"a secret":                       {func(_ *State, a *Attempt) { a.Secrets = []string{"value in conf:1"} }, []ConcernCode{ConcernSecrets}},
		"suspect code":                   {func(_ *State, a *Attempt) { a.Suspects = []string{"a.go:1 ends the process"} }, []ConcernCode{ConcernSuspect}},
		"what later sessions obey":       {func(_ *State, a *Attempt) { a.Obeyed = []string{"CLAUDE.md"} }, []ConcernCode{ConcernObeyed}},
		"a soft gate failed": {func(_ *State, a *Attempt) {
			a.Results = append(a.Results, Result{Gate: "lint", Level: Soft, Verdict: Failed})
		}, []ConcernCode{ConcernSoft}},
		"history":            {func(_ *State, a *Attempt) { a.Rewritten = true }, []ConcernCode{ConcernRewritten}},
		"repositories in it": {func(_ *State, a *Attempt) { a.Nested = []string{"lib"} }, []ConcernCode{ConcernNested}},
		"the agent's tree":   {func(_ *State, a *Attempt) { a.Results[0].Where = "agent" }, []ConcernCode{ConcernTree}},
		"no canary was seen": {func(_ *State, a *Attempt) {
			a.Results[0].Canary, a.Results[0].CanaryWhy = CanaryUnknown, "the runner does not report it on the base"
		}, []ConcernCode{ConcernCanary}},
		"tests are skipped that the base did not get to": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed}}, &Tests{Skipped: 1}
		}, []ConcernCode{ConcernSkipped}},
		"tests are skipped beside those that failed on the base": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Failed: 1}}}, &Tests{Skipped: 1}
		}, nil},
		"names of the base cannot be read": {func(s *State, a *Attempt) {
			s.BaseResults = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Failed: 1, NamesUnread: true}}}
		}, []ConcernCode{ConcernNames}},
		"fewer tests ran that have no names": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Run: 3, Failed: 1}}}, &Tests{Run: 2}
		}, []ConcernCode{ConcernNames}},
		"fewer ran, of which some have names": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Run: 3, Failed: 1, NamesFile: "x", NamesPartial: true}}}, &Tests{Run: 2}
		}, []ConcernCode{ConcernNames}},
		"fewer without the new ones": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Run: 3, Failed: 1}}}, &Tests{Run: 3}
			a.Results[0].Judging = &Judging{Verdict: Passed, Tests: &Tests{Run: 2}}
		}, []ConcernCode{ConcernNames}},
		"half of them": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Run: 2, Failed: 1}}}, &Tests{Run: 1}
		}, []ConcernCode{ConcernNames}},
		"as many as ran once": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Run: 6, Failed: 2}}}, &Tests{Run: 3}
		}, nil},
		"fewer that have names": {func(s *State, a *Attempt) {
			s.BaseResults, a.Results[0].Tests = []Result{{Gate: a.Results[0].Gate, Verdict: Failed, Tests: &Tests{Run: 3, Failed: 1, NamesFile: "n"}}}, &Tests{Run: 2, NamesFile: "m"}
		}, nil},
		"in quarantine": {func(_ *State, a *Attempt) { a.Results[0].Flaky = "red, then green on the same commit" }, []ConcernCode{ConcernFlaky}},
		"a copy, no sandbox": {func(s *State, a *Attempt) {
			a.Results[0].Room, a.Results[0].Sandbox = RoomCopy, HeldNone
			s.BaseResults = []Result{{Gate: "tests", Room: RoomOverlay, Sandbox: HeldNone}}
		}, []ConcernCode{ConcernRoom}},
		"nothing else here": {func(s *State, a *Attempt) {
			a.Results[0].Room, a.Results[0].Sandbox = RoomCopy, HeldNone
			s.BaseResults = []Result{{Gate: "tests", Room: RoomCopy, Sandbox: HeldNone}}
		}, nil},
		"a copy, held":       {func(_ *State, a *Attempt) { a.Results[0].Room, a.Results[0].Sandbox = RoomCopy, HeldLandlock }, nil},
		"layers, no sandbox": {func(_ *State, a *Attempt) { a.Results[0].Room, a.Results[0].Sandbox = RoomOverlay, HeldNone }, nil},
		"failed":             {func(s *State, a *Attempt) { s.Status, a.Proof = StatusFailed, nil }, nil},
	} {
		s := State{Spec: Spec{Proof: ProofRequired}, Status: StatusPassed, Reason: Green}
		s.Recent = []Attempt{{N: 1, Results: []Result{{Gate: "tests", Verdict: Passed}}, Proof: &Proof{Red: RedByBuild}}}
		c.change(&s, s.Last())
		var got []ConcernCode
		for _, one := range s.Concerns() {
			if !slices.Contains(ConcernCodes(), one.Code) {
				t.Errorf("%s: %s is not in the table", name, one.Code)
			}
			got = append(got, one.Code)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// TestNestedRepositories: a person is told what is missing in the work, where it is and what
// to do about it.
func TestNestedRepositories(t *testing.T) {
	t.Parallel()
	s := State{}
	s.ID, s.Worktree = "z10", "/trees/agent-1"
	const want = "these folders are git repositories of their own, so their files are not part of the work: lib, tools/x; copy what you need of them out of /trees/agent-1"
	if got := s.besides([]string{"lib", "tools/x"}); got != want+", which is kept until ralph clean --drop z10" {
		t.Error(got)
	}
	s.InPlace = true
	if got := s.besides([]string{"lib", "tools/x"}); got != want {
		t.Error(got)
	}
}
