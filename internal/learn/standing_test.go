package learn

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
)

var outcomes = []Outcome{"", OutcomeAccepted, OutcomeDriven, OutcomePassed, OutcomeFailed, OutcomeAborted, "unheard-of"}

// from is the source of a pattern that a loop with that outcome taught.
func from(o Outcome) []Source { return []Source{{Loop: "l", Attempt: 1, At: at(1), Outcome: o}} }

func TestOutcomeOf(t *testing.T) {
	t.Parallel()
	for want, s := range map[Outcome]loop.State{
		"":              {Status: loop.Running},
		OutcomeAborted:  {Status: loop.Aborted},
		OutcomeFailed:   {Status: loop.StatusFailed},
		OutcomePassed:   {Status: loop.StatusPassed},
		OutcomeDriven:   {Status: loop.StatusPassed, Spec: loop.Spec{Mode: loop.AgentDriven}},
		OutcomeAccepted: {Status: loop.StatusPassed, Accepted: "c1"},
	} {
		if got := OutcomeOf(s); got != want {
			t.Errorf("%s: %q, want %q", s.Status, got, want)
		}
	}
}

// TestAcceptedWorkOnly: no prompt shows what was not accepted, whoever promoted
// it, except what a person promoted of work that has nothing to accept.
func TestAcceptedWorkOnly(t *testing.T) {
	t.Parallel()
	q := Query{Fingerprints: []string{"aaaa0001"}}
	for _, o := range outcomes {
		for _, r := range []Review{Unreviewed, Promoted} {
			k := Known{Num: 1, Review: r, Decided: 1, Helped: 1, Pattern: Pattern{Kind: ErrorFix, Fingerprint: "aaaa0001", Sources: from(o)}}
			want := o == OutcomeAccepted || o == OutcomeDriven && r == Promoted
			if got := len(Match([]Known{k}, q)) == 1; got != want || len(Best([]Known{k}, false)) == 1 != want || (k.Withheld() == "") != want {
				t.Errorf("%q, %s: used %v (%q), want %v", o, r, got, k.Withheld(), want)
			}
		}
	}
	note := Known{Review: Unreviewed, Pattern: Pattern{Kind: Note, Text: "trust me", Sources: from(OutcomeAccepted)}}
	if note.Withheld() == "" {
		t.Error("the note of an agent counts before a person promoted it")
	}
	note.Review = Promoted
	if why := note.Withheld(); why != "" {
		t.Errorf("a promoted note: %s", why)
	}
}

// TestMergeKeepsAcceptedWork: a loop that was not accepted changes nothing of what
// accepted work taught, and the acceptance of a loop replaces what others wrote.
func TestMergeKeepsAcceptedWork(t *testing.T) {
	t.Parallel()
	p := func(loop string, o Outcome) Pattern {
		s := from(o)
		s[0].Loop = loop
		return Pattern{Kind: ErrorFix, Diff: loop, Words: []string{loop}, Sources: s}
	}
	for _, o := range outcomes {
		got := Merge(p("good", OutcomeAccepted), p("bad", o))
		if o != OutcomeAccepted && (got.Diff != "good" || slices.Contains(got.Words, "bad") || got.Sources[0].Loop != "good" || len(got.Sources) != 2) {
			t.Errorf("%q after an accepted one: %+v", o, got)
		}
		got = Merge(p("bad", o), p("good", OutcomeAccepted))
		if got.Diff != "good" || got.outcome() != OutcomeAccepted || o != OutcomeAccepted && slices.Contains(got.Words, "bad") {
			t.Errorf("an accepted one after %q: %+v", o, got)
		}
	}
	if got := Merge(p("seen", OutcomeDriven), p("later", OutcomeDriven)); got.Diff != "seen" {
		t.Errorf("what a person may have promoted was replaced: %+v", got)
	}
}

// TestMergeOfTheSameLoop: a loop that is accepted teaches once more, and is named
// and counted once.
func TestMergeOfTheSameLoop(t *testing.T) {
	t.Parallel()
	p := Pattern{Kind: Success, Attempts: Attempts{2, 2, 2}, Sources: from(OutcomePassed)}
	again := p
	again.Sources = from(OutcomeAccepted)
	got := Merge(p, again)
	if len(got.Sources) != 1 || got.outcome() != OutcomeAccepted || got.Attempts != (Attempts{2, 2, 2}) {
		t.Errorf("%+v", got)
	}
}

// TestJudgeFilesTeachNothing: neither names nor changes of tests and runner
// configuration are extracted, and a loop that changed only those teaches nothing.
func TestJudgeFilesTeachNothing(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/a_test.go b/a_test.go\n@@ -1 +1 @@\n-old\n+t.Skip()\ndiff --git a/a.go b/a.go\n@@ -1 +1 @@\n-old\n+new\n"
	files := Files{Patch: func(int) string { return patch }}
	red := failed("aaaa0001", wrongStatus, "a")
	work := func(names ...string) []Pattern {
		return extracted(begun("x").base(red).attempt(names, passed("tests")).ends(loop.StatusPassed, loop.Green), files)
	}
	all := work("a.go", "a_test.go")
	if len(all) != 2 || !strings.Contains(all[0].Diff, "+new") {
		t.Fatalf("%+v", all)
	}
	for _, p := range all {
		if !slices.Equal(p.Files, []string{"a.go"}) || strings.Contains(p.Diff, "Skip") || strings.Contains(p.Summary, "more") {
			t.Errorf("%+v", p)
		}
	}
	if all := work("a_test.go"); len(all) != 0 {
		t.Errorf("a change of tests teaches %+v", all)
	}
}
