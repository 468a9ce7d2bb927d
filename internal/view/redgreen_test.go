package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestEvidenceOfTheProof: all that a verdict stands on is shown: the tests of the base, and what
// failed without the work.
func TestEvidenceOfTheProof(t *testing.T) {
	t.Parallel()
	item := passed()
	base := tests("0a1b2c3d")
	base.Tests = &loop.Tests{Run: base.Tests.Run, NamesFile: "/x/attempts/000/gates/tests.tests.json"}
	item.State.Base, item.State.BaseResults = "0a1b2c3d", []loop.Result{base}
	a := &item.State.Recent[1]
	a.Results[0].Tests.NamesFile = "/x/attempts/002/gates/tests.tests.json"
	zero := 1
	a.Proof = &loop.Proof{
		Commit: a.Commit, Red: loop.RedByBuild, Gate: "tests", Tests: []string{"TestToken"}, Why: "it does not compile there", Weak: "no test pins them",
		Variant: "cafe00cafe00", Undone: []string{"token.go"}, UndoneCount: 1, Without: []loop.Result{{Gate: "tests", Verdict: loop.Failed, ExitCode: &zero, Reason: "exit code 1"}},
	}
	got := LoopOf(item, time.Now()).Evidence(time.Now(), Palette{})
	for _, want := range []string{
		"ratchet   none of the base's tests (", ") is lost without permission",
		"red-green  proved: red by build (weaker: ", "gate      tests", "why       it does not compile there", "red tests TestToken", "weak      no test pins them",
		"without   token.go", "judged    commit cafe00cafe00", "there     tests: failed: exit code 1",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	a.Results[0].Tests.NamesFile = ""
	if got := LoopOf(item, time.Now()).Evidence(time.Now(), Palette{}); !strings.Contains(got, "ratchet   unknown: the tests have no names") {
		t.Errorf("without names:\n%s", got)
	}
	a.Results[0].Tests.NamesFile, item.State.BaseResults[0].Tests.NamesFile = "tests.json", ""
	for verdict, want := range map[loop.Verdict]string{loop.Failed: "the base named no tests, where the gate failed: it may not have loaded them", loop.Passed: "the tests have no names on the base"} {
		item.State.BaseResults[0].Verdict = verdict
		if got := LoopOf(item, time.Now()).Evidence(time.Now(), Palette{}); !strings.Contains(got, "ratchet   unknown: "+want+"\n") {
			t.Errorf("names on the work only:\n%s", got)
		}
	}
}
