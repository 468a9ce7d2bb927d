package view

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// TestMovedLoops: a loop that is being moved needs a person, who completes the move; one that
// was moved needs none here, failed nothing, and offers nothing but its place.
func TestMovedLoops(t *testing.T) {
	t.Parallel()
	server := loop.Home{Engine: "temporal://box:7233/shop?files=/mnt"}
	s := paused().State
	began := loop.MoveBegan{Stamp: loop.Stamp{At: now}, From: loop.Home{Engine: loop.LocalEngine, Place: "laptop:/src"}, To: server}
	leaving, err := loop.Apply(s, began)
	if err != nil {
		t.Fatal(err)
	}
	left, err := loop.Apply(leaving, loop.MovedAway{Stamp: began.Stamp})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		s                        loop.State
		group                    Group
		status, line, next, mark string
	}{
		"leaving": {leaving, GroupNeedsYou, "? moving", "it is being moved to temporal://box:7233/shop", "ralph move " + s.ID + " --to 'temporal://box:7233/shop?files=/mnt'", "ask"},
		"left":    {left, GroupEnded, "→ moved", "moved to temporal://box:7233/shop", "ralph show " + s.ID + " --engine 'temporal://box:7233/shop?files=/mnt'", "dim"},
	} {
		i := Item{State: c.s}
		r := i.Run(now)
		if r.Group != c.group || r.Next != c.next || r.Mark() != c.mark || r.Resumable() || r.Retriable() || r.Acceptable() {
			t.Errorf("%s: group %v, %s, %s", name, r.Group, r.Next, r.Mark())
		}
		text := LoopOf(i, now).Show(now, Palette{})
		if !strings.HasPrefix(text, c.status) || !strings.Contains(text, c.line) {
			t.Errorf("%s:\n%s", name, text)
		}
	}
	report := Summarize("shop", []Item{{State: left}, stuckLoop()}, nil, now)
	if report.Total != 1 || len(report.Failed) != 1 || report.Counts.Aborted != 0 {
		t.Errorf("the report counts %d loops, %d failed, %d aborted", report.Total, len(report.Failed), report.Counts.Aborted)
	}
}
