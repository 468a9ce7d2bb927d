package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// A version is news where the agent ran; one that could not start has told none.
func TestUntestedVersions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		out  loop.Outcome
		want string
	}{
		{loop.Outcome{End: loop.EndPermanent, Message: "not found", Untested: true, Tested: "2.1"}, ""},
		{loop.Outcome{End: loop.EndFailed, Untested: true, Tested: "2.1"}, ""},
		{loop.Outcome{End: loop.EndFailed, Untested: true, Tested: "2.1", Version: "9.9"}, "claude 9.9 is not one"},
		{loop.Outcome{End: loop.EndDone, Untested: true, Tested: "2.1"}, "claude of an unknown version is not one"},
	} {
		s := loop.State{Recent: []loop.Attempt{{N: 1, Agent: tt.out}}}
		s.Agent = loop.Agent{Name: "claude", Use: "claude"}
		got := strings.Join(aboutAgent(s, Facts{}), "\n")
		if tt.want == "" && strings.Contains(got, "version") || !strings.Contains(got, tt.want) {
			t.Errorf("%s %q: %s", tt.out.End, tt.out.Version, got)
		}
	}
}

// TestSaidOnce: what holds for several attempts is one line, and a permitted file is
// named at the attempt that changed it.
func TestSaidOnce(t *testing.T) {
	t.Parallel()
	var s loop.State
	for n := range 4 {
		a := loop.Attempt{N: n + 1, Verdict: loop.Failed, Changed: n == 0, Agent: loop.Outcome{End: loop.EndDone}}
		a.Results = []loop.Result{{Gate: "tests", Verdict: loop.Passed, Permitted: []string{"a_test.go"}}}
		s.Recent = append(s.Recent, a)
	}
	s.Recent[3].Results[0].Permitted = []string{"a_test.go", "b_test.go"}
	got := lookTwice(s, Facts{})
	if d := cmp.Diff([]string{
		"attempt 1 changed files that judge it, as permitted: a_test.go",
		"attempts 2–4 claimed to be done without any change; not accepted",
		"attempt 4 changed files that judge it, as permitted: b_test.go",
	}, got[:min(3, len(got))]); d != "" {
		t.Error(d)
	}
}

// TestEarlierAttempts: a caller that did not read the history says so, and one that
// did shows the notes of all attempts.
func TestEarlierAttempts(t *testing.T) {
	t.Parallel()
	var all []loop.Attempt
	for n := range 25 {
		all = append(all, loop.Attempt{N: n + 1, Verdict: loop.Failed, Changed: true, Notes: []string{fmt.Sprintf("note %d", n+1)}})
	}
	s := loop.State{Recent: all[15:], Tally: &loop.Tally{Judged: 25}}
	s.ID = "long"
	newest := strings.Join(lookTwice(s, Facts{}), "\n")
	if !strings.Contains(newest, "before these: 15 attempts, shown by ralph show long") || strings.Contains(newest, "note 15") {
		t.Error(newest)
	}
	whole := strings.Join(lookTwice(s, Facts{History: all}), "\n")
	if strings.Contains(whole, "before these") || !strings.Contains(whole, "attempt 1 note 1\n") || !strings.Contains(whole, "note 25") {
		t.Error(whole)
	}
	end := s
	end.Status, end.Reason = loop.StatusFailed, loop.AgentError
	for _, c := range []struct {
		f             Facts
		shows, misses string
	}{{Facts{}, "before these: 15 attempts", "note 15"}, {Facts{History: all}, "attempt 1 note 1\n", "before these"}} {
		got := strings.Join(Lines(s, Item{end, c.f}, loop.Steered{Stamp: loop.Stamp{At: now}}, now, Palette{}), "\n")
		if !strings.Contains(got, c.shows) || strings.Contains(got, c.misses) {
			t.Error(got)
		}
	}
}

// TestTheWholeHistoryIsShown: of a loop whose state has the newest attempts, every
// view shows what it would of a state that has all.
func TestTheWholeHistoryIsShown(t *testing.T) {
	t.Parallel()
	whole := stuckLoop().State
	for _, a := range stuckLoop().State.Recent {
		for n := range 3 {
			a.N = 100*(n+1) + a.N
			whole.Recent = append(whole.Recent, a)
		}
	}
	slices.SortFunc(whole.Recent, func(a, b loop.Attempt) int { return a.N - b.N })
	short := whole.Bounded()
	if len(short.Recent) >= len(whole.Recent) {
		t.Fatalf("nothing was forgotten of %d attempts", len(whole.Recent))
	}
	plain := Palette{}
	for name, shown := range map[string]func(Loop) string{
		"show":     func(l Loop) string { return l.Show(now, plain) },
		"table":    func(l Loop) string { return l.AttemptsTable(plain) },
		"evidence": func(l Loop) string { return l.Evidence(now, plain) },
		"object":   func(l Loop) string { return encode(t, l.Object()) },
		"attempts": func(l Loop) string { return encode(t, l.AttemptsObject()) },
	} {
		want, got := shown(LoopOf(Item{whole, Facts{}}, now)), shown(LoopOf(Item{short, Facts{History: whole.Recent}}, now))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	report := func(i Item) string { return Markdown(Summarize("shop", []Item{i}, nil, now), now) }
	if diff := cmp.Diff(report(Item{whole, Facts{}}), report(Item{short, Facts{History: whole.Recent}})); diff != "" {
		t.Errorf("report: %s", diff)
	}
}

// TestChangedJudgesAreNamedOnce: what a concern about the work names is not said again of
// the attempt that made it, nor of each of its gates.
func TestChangedJudgesAreNamedOnce(t *testing.T) {
	t.Parallel()
	changed := func(n int, note string) loop.Attempt {
		r := loop.Result{Gate: "tests", Verdict: loop.Passed, Permitted: []string{"a_test.go"}}
		other := r
		other.Gate = "vet"
		return loop.Attempt{N: n, Verdict: loop.Passed, Changed: true, Notes: []string{note}, Results: []loop.Result{r, other}}
	}
	s := loop.State{Status: loop.StatusPassed, Reason: loop.Green, Recent: []loop.Attempt{
		changed(1, loop.TestsChanged+"a_test.go"), changed(2, loop.TestsChanged+"a_test.go"),
	}}
	want := []string{
		"attempt 1 changed tests that were there before: a_test.go",
		"attempt 1 changed files that judge it, as permitted: a_test.go",
		"the work changes files that judge it, as permitted (a_test.go)",
	}
	about := func(l string) bool {
		return !strings.Contains(l, "judge it") && !strings.Contains(l, "tests that were")
	}
	if diff := cmp.Diff(want, slices.DeleteFunc(lookTwice(s, Facts{}), about)); diff != "" {
		t.Error(diff)
	}
}

// TestGuidanceThatCameTooLate: status, show and report name a person's words that no attempt
// had, with the retry that begins with them, until there is one.
func TestGuidanceThatCameTooLate(t *testing.T) {
	t.Parallel()
	i := exhausted()
	i.State.Guidance, i.State.NewGuidance = []string{"in time", "leave the\nlexer alone"}, 1
	want := "guidance came too late for an attempt: \"leave the lexer alone\"; its retry begins with it: ralph retry " + i.State.ID
	for name, text := range map[string]string{
		"status": strings.Join(i.Run(now).Details, "\n"), "show": strings.Join(LoopOf(i, now).LookTwice, "\n"),
		"report": fmt.Sprint(Summarize("", []Item{i}, nil, now).LookTwice),
	} {
		if !strings.Contains(text, want) || strings.Contains(text, "in time") {
			t.Errorf("%s: %s", name, text)
		}
	}
	i.State.RetriedBy = "again"
	runs := i
	runs.State.Status, runs.State.RetriedBy = loop.Running, ""
	for name, other := range map[string]Item{"retried": i, "running": runs} {
		if got := unheard(other.State); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	i.State.RetriedBy, i.State.Status = "", loop.StatusPassed
	if got := unheard(i.State); len(got) != 1 || strings.Contains(got[0], "retry") {
		t.Errorf("passed: %q", got)
	}
}
