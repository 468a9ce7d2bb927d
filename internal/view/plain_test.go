package view

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestPlainCountsTheRunThatFailed: of a gate that failed with the base's judge files, the tests
// of that run are counted, which its reason is about.
func TestPlainCountsTheRunThatFailed(t *testing.T) {
	t.Parallel()
	r := loop.Result{
		Gate: "tests", Verdict: loop.Failed, Reason: "1 of 2 tests failed; …", Tests: &loop.Tests{Run: 1},
		Judging: &loop.Judging{Verdict: loop.Failed, Tests: &loop.Tests{Run: 2, Failed: 1}},
	}
	line := plainLine(time.Unix(0, 0), loop.State{}, gateFields(loop.State{}, r))
	if !strings.Contains(line, " judges=base failing=1 tests=2 ") {
		t.Error(line)
	}
	if r.Judging.Tests = nil; strings.Contains(plainLine(time.Unix(0, 0), loop.State{}, gateFields(loop.State{}, r)), "tests=1") {
		t.Error("the tests of the other run are counted")
	}
}

// TestAnAgentThatAsksHasNotFailed: it ends with the exit code of its ralph ask or ralph dispute.
func TestAnAgentThatAsksHasNotFailed(t *testing.T) {
	t.Parallel()
	ended := loop.AgentEnded{Outcome: loop.Outcome{End: loop.EndFailed, Message: "exit code 3: Stored as q1"}}
	question, dispute := loop.Question{ID: "q1", Text: "which?"}, loop.Question{ID: "q1", Text: "no", Dispute: &loop.Dispute{}}
	ruled := dispute
	ruled.Answered = true
	for name, c := range map[string]struct {
		q           []loop.Question
		disputed    bool
		plain, logs string
	}{
		"a question":         {[]loop.Question{question}, false, "end=asked ", "asked a question"},
		"a dispute":          {[]loop.Question{dispute}, true, "end=disputed ", "disputed"},
		"decided by a rule":  {[]loop.Question{ruled}, true, "end=disputed ", "disputed"},
		"neither, an error":  {nil, false, "end=failed ", "failed: exit code 3"},
		"answered before it": {[]loop.Question{{Answered: true}}, false, "end=failed ", ""},
	} {
		s := loop.State{Questions: c.q, Recent: []loop.Attempt{{N: 1, Disputed: c.disputed}}}
		line := plainLine(time.Unix(0, 0), s, plainFields(s, s, ended))
		if !strings.Contains(line, c.plain) || strings.Contains(line, "Stored") == (c.plain != "end=failed ") {
			t.Errorf("%s: %s", name, line)
		}
		records := []PastEvent{{1, loop.AttemptBegan{Attempt: 1}}}
		for _, q := range c.q {
			records = append(records, PastEvent{2, loop.Asked{Question: q}})
		}
		var l Log
		if got := l.Lines(append(records, PastEvent{3, ended}), now, Palette{Width: 200}); c.logs != "" && !strings.Contains(got, "agent_ended    "+c.logs) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestSpacesOfCodeStay: code and tables that a person is shown keep their spaces.
func TestSpacesOfCodeStay(t *testing.T) {
	t.Parallel()
	i := exhausted()
	const code = `pad("a") is "a   |"`
	i.State.Task.Criteria, i.State.Guidance = []string{code}, []string{code}
	last := i.State.Last()
	last.Notes = []string{code}
	last.Results[0].Verdict, last.Results[0].Reason = loop.Failed, code
	if got := LoopOf(i, now).Show(now, Palette{}); strings.Count(got, code) != 4 {
		t.Errorf("%s", got)
	}
	want := "  | | a   | b |\n  |     def f():\n  |\n  |         return"
	if got := strings.Join(Document("| a   | b |\n    def f():\n\n\t\treturn", 40), "\n"); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
