package view

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestRefusedDisputesStandOnce: the same dispute that is refused again and again is one
// line, and the note of each attempt does not repeat it.
func TestRefusedDisputesStandOnce(t *testing.T) {
	t.Parallel()
	s := loop.State{Status: loop.StatusFailed}
	for n := range 3 {
		s.Disputes = append(s.Disputes, loop.Dispute{Gate: "tests", Why: "it wants 3", Ruling: loop.Unheard})
		s.Recent = append(s.Recent, loop.Attempt{N: n + 1, Verdict: loop.Failed, Changed: true, Notes: []string{"the dispute of gate tests was refused: " + loop.ErrTooManyDisputes.Error()}})
	}
	got := lookTwice(s, Facts{})
	if want := []string{"the agent disputed gate tests: it wants 3 → refused: at most 2 disputes a loop (3 times)"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestDisputedAttempt: an attempt whose dispute is open is not counted, waits for an answer, and
// the exit code of ralph dispute is no failure of its agent. Once it is judged it counts.
func TestDisputedAttempt(t *testing.T) {
	t.Parallel()
	i := passed()
	s := &i.State
	s.Status, s.Reason, s.Step, s.Iteration = loop.Waiting, loop.ForHuman, loop.StepAgent, 1
	s.Recent = []loop.Attempt{{N: 1, Agent: loop.Outcome{End: loop.EndFailed, ExitCode: new(3), Message: "exit code 3: Stored as q1"}}}
	s.Disputes = []loop.Dispute{{Gate: "tests", Why: "it wants 3", Attempt: 1, Question: "q1"}}
	s.Questions = []loop.Question{{ID: "q1", Text: "The agent disputes gate tests: it wants 3", Dispute: new(s.Disputes[0])}}
	v := LoopOf(i, now)
	text := v.Show(now, Palette{Width: 80})
	for _, want := range []string{"\nattempts  0 of 5\n", "  1   disputed ", "waits for an answer"} {
		if !strings.Contains(text, want) {
			t.Errorf("show lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "exit code 3") || strings.Contains(text, "under way") {
		t.Errorf("show of a disputed attempt:\n%s", text)
	}
	if o := v.Object(); o.AttemptsMade != 0 || o.Iteration != 1 || v.Run.Progress != "0/5" || Summarize("", []Item{i}, nil, now).Iterations != 0 {
		t.Errorf("it is counted: %d, %s", o.AttemptsMade, v.Run.Progress)
	}
	s.Began = true // the agent has raised it, and is running
	if text = LoopOf(i, now).Show(now, Palette{Width: 80}); !strings.Contains(text, "under way") {
		t.Errorf("show of an attempt that disputes:\n%s", text)
	}
	s.Began, s.Recent[0].Verdict = false, loop.Failed
	if v := LoopOf(i, now); v.Made != 1 || strings.Contains(v.Show(now, Palette{Width: 80}), "waits for an answer") {
		t.Errorf("a judged attempt: %d", v.Made)
	}
}
