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
