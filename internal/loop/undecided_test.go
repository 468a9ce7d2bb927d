package loop

import "testing"

// TestClosedBy: work of the same task that was accepted closes what failed of it.
func TestClosedBy(t *testing.T) {
	t.Parallel()
	one := func(id, task string, st Status) State {
		return State{Spec: Spec{ID: id, Task: Task{Text: task}}, Status: st, Reason: MaxAttempts}
	}
	done := one("done", "x", StatusPassed)
	retried := one("old", "x", StatusFailed)
	retried.RetriedBy = "other"
	for name, c := range map[string]struct {
		s    State
		want bool
	}{
		"failed":          {one("old", "x", StatusFailed), true},
		"of another task": {one("old", "y", StatusFailed), false},
		"itself":          {one("done", "x", StatusFailed), false},
		"running":         {one("old", "x", Running), false},
		"retried":         {retried, false},
	} {
		if got := c.s.ClosedBy(done); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestClosed: a loop that has ended is closed once its work is accepted or, where it has none,
// its task is retried.
func TestClosed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s    State
		want bool
	}{
		"running":     {State{Status: Running}, false},
		"to accept":   {State{Status: StatusPassed, Reason: Green}, false},
		"accepted":    {State{Status: StatusPassed, Reason: Green, Accepted: "c1"}, true},
		"failed":      {State{Status: StatusFailed, Reason: MaxAttempts}, false},
		"tried again": {State{Status: StatusFailed, Reason: MaxAttempts, RetriedBy: "b"}, true},
	} {
		if got := c.s.Closed(); got != c.want {
			t.Errorf("%s: closed is %v", name, got)
		}
	}
}
