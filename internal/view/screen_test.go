package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// TestScreenFolds: at a terminal of 80 columns no text of others is broken by the terminal, and
// what a program reads has it in one line.
func TestScreenFolds(t *testing.T) {
	t.Parallel()
	long := strings.TrimSpace(strings.Repeat("rounding of invoices ", 8))
	i := exhausted()
	i.State.Task.Text, i.State.Task.Criteria, i.State.Guidance = long+"\n\n    code   here", []string{long}, []string{long}
	i.State.Questions = []loop.Question{{Text: long, Answer: "yes", Answered: true}}
	last := i.State.Last()
	last.Notes = []string{long}
	last.Results[0].Verdict, last.Results[0].Reason = loop.Failed, long
	screen := LoopOf(i, now).Show(now, Palette{Width: 80})
	for line := range strings.Lines(screen) {
		if text.Width(strings.TrimSuffix(line, "\n")) > 80 && !strings.Contains(line, "ralph ") {
			t.Errorf("%d columns: %s", text.Width(line), line)
		}
	}
	if !strings.Contains(screen, "\n              code   here\n") {
		t.Errorf("the code of the task is not where it was: %s", screen)
	}
	if got := LoopOf(i, now).Show(now, Palette{}); strings.Count(got, long) != 6 {
		t.Errorf("a program reads %d of 6 texts: %s", strings.Count(got, long), got)
	}
}

// TestListShowsWhatIsToBeDecided: a list has the options of a question, the reason of a failure
// and the name of the branch, whole.
func TestListShowsWhatIsToBeDecided(t *testing.T) {
	t.Parallel()
	asks := asking()
	asks.State.Questions = []loop.Question{{
		ID: "q1", Text: "Which of these two ways shall I take: rounding half up, which the old invoices do, or banker's rounding, which the law asks for?",
		Options: []string{"half up as the old invoices do", "banker's rounding as the law asks"},
	}}
	failed := exhausted()
	failed.State.FailureRef = "wip/ralph-fail-add-six-which-gives-the-number-six-to-th-20261130-152108"
	failed.State.Message = "1 of 1 attempts used; last: the gates passed, but the work is refused (undone): it does not do what its task says: six() is in no file"
	got := List([]Item{asks, failed}, nil, "", false, 0, now, Palette{Width: 80})
	for _, want := range []string{"law asks]", "kept on\n", failed.State.FailureRef + "\n", "is in no file"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}
