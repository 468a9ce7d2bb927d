package loop

import "testing"

// TestSettledBy: work of the same task that was accepted settles what failed of it.
func TestSettledBy(t *testing.T) {
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
		if got := c.s.SettledBy(done); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
