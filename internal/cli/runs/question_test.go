package runs

import (
	"errors"
	"strings"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

var noon = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// TestAccepts: an option may be typed by its number or its text; another text is
// sent to a loop only when the user insists.
func TestAccepts(t *testing.T) {
	t.Parallel()
	q := Question{Loop: "fix", Question: loop.Question{ID: "q1", Text: "up or down?", Options: []string{"round up", "round down"}}}
	for typed, want := range map[string]string{"1": "round up", " round down ": "round down"} {
		if got, why, _ := q.Accepts(typed); got != want || why != "" {
			t.Errorf("%q: %q %q", typed, got, why)
		}
	}
	if got, why, other := q.Accepts("half"); got != "half" || why == "" || !other {
		t.Errorf("another text: %q %q %v", got, why, other)
	}
	if got, _, _ := q.Accepts("  "); got != "" {
		t.Errorf("an empty answer: %q", got)
	}
	if !strings.Contains(q.Line(), "up or down? [round up, round down]") || !strings.Contains(q.AnswerCommand(), "ralph answer fix") {
		t.Errorf("%q, %q", q.Line(), q.AnswerCommand())
	}
}

func TestDue(t *testing.T) {
	t.Parallel()
	if got := due(nil, plan.State{}, nil); !got.IsZero() {
		t.Errorf("nothing waits, and is due %s", got)
	}
	asks := []Question{{Question: loop.Question{Deadline: noon.Add(2 * time.Hour)}}, {Question: loop.Question{}}}
	limited := map[string]loop.State{"a": {Status: loop.Waiting, Reason: loop.ForLimit, Wake: noon.Add(time.Hour)}, "b": {Status: loop.Running, Wake: noon}}
	if got := due(asks, plan.State{}, limited); !got.Equal(noon.Add(time.Hour)) {
		t.Errorf("the first is due at %s", got)
	}
}

func TestAlreadyAnswered(t *testing.T) {
	t.Parallel()
	for err, want := range map[error]bool{
		engine.ErrEnded: true, error(&engine.RefusedError{}): true, errors.New("disk full"): false,
	} {
		if AlreadyAnswered(err) != want {
			t.Errorf("%T: %v", err, !want)
		}
	}
}
