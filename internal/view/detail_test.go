package view

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestTaskDetail: what follows the kind of a task does not repeat it.
func TestTaskDetail(t *testing.T) {
	t.Parallel()
	for about, want := range map[string]string{
		" asks: Which one?": "Which one?", " waits for a person": "waits for a person", ": landing": "landing", "": "",
	} {
		if got := (Task{Kind: "asks", About: about}).Detail(); got != want {
			t.Errorf("%q: got %q, want %q", about, got, want)
		}
	}
}

// TestOneLine: the lines of a dispute can be told apart in a list.
func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := joinLines("it wants 11\nThe gate: exit code 1\n\ndismiss: the gate stands.\n"), "it wants 11 · The gate: exit code 1 · dismiss: the gate stands."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAttemptThatWasNotJudged: an attempt without a verdict is under way only as long as its
// loop is.
func TestAttemptThatWasNotJudged(t *testing.T) {
	t.Parallel()
	a := loop.Attempt{N: 1}
	for status, want := range map[loop.Status]string{
		loop.Running: "under way", loop.Waiting: "under way", loop.Paused: "under way",
		loop.Aborted: "unjudged", loop.StatusFailed: "unjudged",
	} {
		l := Loop{Run: Run{Status: status}}
		if got := l.resultCell(a, Palette{}); strings.TrimSpace(got) != want {
			t.Errorf("%s: the story has %q, want %q", status, got, want)
		}
		if got := l.attemptRow(a).Result; got != want {
			t.Errorf("%s: the page has %q, want %q", status, got, want)
		}
	}
}

// TestStoryOfManyAttempts: a story has the newest attempts and names the command for the others.
func TestStoryOfManyAttempts(t *testing.T) {
	t.Parallel()
	for n, earlier := range map[int]string{1: "", mostAttempts: "", mostAttempts + 1: "1 attempt before these: ralph show long --attempts\n", 10_000: "9950 attempts before these: ralph show long --attempts\n"} {
		l := Loop{Run: Run{ID: "long"}}
		for i := range n {
			l.Attempts = append(l.Attempts, loop.Attempt{N: i + 1})
		}
		if d := l.Detail(time.Now()); len(d.Attempts) != min(n, mostAttempts) || d.Before != strings.TrimSpace(earlier) || d.Attempts[len(d.Attempts)-1].N != fmt.Sprint(n) {
			t.Errorf("%d attempts: a page has %d rows, and before them %q", n, len(d.Attempts), d.Before)
		}
		var b strings.Builder
		l.attempts(&b, Palette{})
		rows := strings.Count(b.String(), "under way")
		if !strings.HasPrefix(b.String(), "  "+earlier) || rows != min(n, mostAttempts) || !strings.Contains(b.String(), fmt.Sprintf("\n  %-3d", n)) {
			t.Errorf("%d attempts: %d rows, begins with %.80q", n, rows, b.String())
		}
	}
}

// TestOwnerThatIsGone: a loop that waits for a person without a process says so, and names the
// last one.
func TestOwnerThatIsGone(t *testing.T) {
	t.Parallel()
	i := asking()
	i.Facts.Owner = "nina (pid 12 on box)"
	for live, want := range map[bool]string{true: "owner     nina (pid 12 on box)\n", false: "owner     none now; last: nina (pid 12 on box)\n"} {
		i.Facts.Live = live
		if got := LoopOf(i, now).Show(now, Palette{}); !strings.Contains(got, want) {
			t.Errorf("live %v: %s", live, got)
		}
	}
}
