package view

import (
	"strings"
	"testing"
)

// TestListOfAFullDisk: a list says first that a disk is full, and then not that nothing
// needs a person.
func TestListOfAFullDisk(t *testing.T) {
	t.Parallel()
	for name, items := range map[string][]Item{"no run": nil, "runs": everyItem()[:1]} {
		got := List(items, nil, "/mnt/small\x1b[31m", false, 0, now, Palette{})
		if !strings.HasPrefix(got, "! A disk is full: runs wait, or are interrupted, until there is room.\n  /mnt/small") {
			t.Errorf("%s:\n%s", name, got)
		}
		if strings.Contains(got, "Nothing needs you") || strings.ContainsRune(got, 0x1b) {
			t.Errorf("%s:\n%q", name, got)
		}
	}
}

// TestRowsOnAFullDisk: a run whose disk is full is not shown as at work; one that no process
// runs is.
func TestRowsOnAFullDisk(t *testing.T) {
	t.Parallel()
	const waits = "waits for room on the disk, now or after this step: agent at work"
	running, gone := atWork(), Item{State: atWork().State}
	for full, want := range map[string]string{"/mnt/small": waits, "": "agent at work"} {
		items := []Item{running, gone}
		plans := []PlanItem{{Loops: []Item{running}}}
		OnFullDisk(items, plans, full)
		for name, i := range map[string]Item{"alone": items[0], "of a plan": plans[0].Loops[0]} {
			if got := i.working(); got != want {
				t.Errorf("%s, full %q: %s", name, full, got)
			}
		}
		if got := items[1].working(); got != "agent at work" {
			t.Errorf("not live, full %q: %s", full, got)
		}
	}
}
