package plan

import (
	"testing"

	"ralph/internal/loop"
)

// TestSuits: an agent that only answers does texts, and nothing that needs a tree.
func TestSuits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		use  string
		task Task
		want bool
	}{
		{"claude", Task{}, true},
		{"claude", Task{Kind: KindText}, true},
		{"api", Task{}, false},
		{"api", Task{Kind: KindCode}, false},
		{"api", Task{Kind: KindText}, true},
		{"api", Task{SubPlan: "other.md"}, true},
	} {
		if got := c.task.Suits(loop.Agent{Use: c.use}); got != c.want {
			t.Errorf("%s, %+v: %v", c.use, c.task, got)
		}
	}
}
