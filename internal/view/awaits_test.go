package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestAwaits: what a running loop waits for stands in the place of what it does, for people and
// for programs.
func TestAwaits(t *testing.T) {
	t.Parallel()
	const waits = "waits for the remote: it is away"
	i := Item{loop.State{Status: loop.Running, Step: loop.StepAgent}, Facts{Live: true, Awaits: waits}}
	if o := LoopOf(i, now).Object(); o.Awaits != waits {
		t.Errorf("as JSON: %q", o.Awaits)
	}
	if list := List([]Item{i}, nil, "", true, 0, now, Palette{}); !strings.Contains(list, waits) || strings.Contains(list, "agent at work") {
		t.Errorf("in a list: %s", list)
	}
}
