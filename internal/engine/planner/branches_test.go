package planner

import "testing"

func TestCalledAfter(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		branch, id string
		want       bool
	}{
		{"ralph/one", "one", true},
		{"ralph/plan/task", "plan-task", true},
		{"ralph/plan/_landed", "plan", true},
		{"ralph/mine", "one", false},
		{"ralph/one-more", "one", false},
		{"ralph/", "one", false},
		{"wip/ralph-fail-fix-it-20261123-010203", "one", true},
	} {
		if got := calledAfter(tt.branch, tt.id); got != tt.want {
			t.Errorf("%s after %s: %v", tt.branch, tt.id, got)
		}
	}
}
