package redgreen

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

func TestProspect(t *testing.T) {
	t.Parallel()
	lint := loop.Gate{Name: "lint", Kind: loop.KindLint, Level: loop.Hard, Run: "lint"}
	check := loop.Gate{Name: "check", Kind: loop.KindCommand, Level: loop.Hard, Run: "check"}
	soft := loop.Gate{Name: "tests", Kind: loop.KindTests, Level: loop.Soft, Run: "test"}
	green := func(gate string, tests *loop.Tests) loop.Result {
		return loop.Result{Gate: gate, Verdict: loop.Passed, Tests: tests}
	}
	for _, c := range []struct {
		name  string
		state loop.State
		want  string // "" is no sentence
	}{
		{"lint only, before the base", loop.State{Spec: loop.Spec{Gates: []loop.Gate{lint, soft}}}, "No hard gate runs tests: work passes only if"},
		{"lint only, green", loop.State{Spec: loop.Spec{Gates: []loop.Gate{lint}}, BaseResults: []loop.Result{green("lint", nil)}, BaseGreen: true}, "cannot pass"},
		{"lint only, red", loop.State{Spec: loop.Spec{Gates: []loop.Gate{lint}}, BaseResults: []loop.Result{{Gate: "lint", Verdict: loop.Failed}}}, ""},
		{"a command, before the base", loop.State{Spec: loop.Spec{Gates: []loop.Gate{check}}}, ""},
		{"a command, green", loop.State{Spec: loop.Spec{Gates: []loop.Gate{check}}, BaseResults: []loop.Result{green("check", nil)}, BaseGreen: true}, "name no tests"},
		{"tests, green", loop.State{Spec: loop.Spec{Gates: []loop.Gate{check}}, BaseResults: []loop.Result{green("check", &loop.Tests{Run: 2})}, BaseGreen: true}, ""},
		{"no tests", loop.State{Spec: loop.Spec{Gates: []loop.Gate{check}}, BaseResults: []loop.Result{{Gate: "check", Verdict: loop.Failed, Tests: &loop.Tests{}}}}, "The base has no tests"},
		{"no tests, and lint is red", loop.State{Spec: loop.Spec{Gates: []loop.Gate{check, lint}}, BaseResults: []loop.Result{{Gate: "check", Verdict: loop.Failed, Tests: &loop.Tests{}}, {Gate: "lint", Verdict: loop.Failed}}}, ""},
		{"an unknown number", loop.State{Spec: loop.Spec{Gates: []loop.Gate{check}}, BaseResults: []loop.Result{{Gate: "check", Verdict: loop.Failed, Tests: &loop.Tests{Run: loop.Unknown}}}}, ""},
		{"documents", loop.State{Spec: loop.Spec{Gates: []loop.Gate{lint}, Task: loop.Task{Kind: loop.KindDocs}}}, ""},
	} {
		c.state.Proof = loop.ProofRequired
		got := strings.Join(Prospect(c.state), " ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, got, c.want)
		}
		if c.state.Proof = loop.ProofNone; Prospect(c.state) != nil {
			t.Errorf("%s: sentences although no proof is asked for", c.name)
		}
		if c.state.Proof = loop.ProofReview; c.want != "" && !strings.Contains(Prospect(c.state)[0], "unless the spec review") {
			t.Errorf("%s: the review that may stand for the proof is not named", c.name)
		}
	}
}
