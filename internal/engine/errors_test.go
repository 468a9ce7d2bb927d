package engine

import (
	"errors"
	"strings"
	"testing"
)

// A refusal names paths, band and source, and what to do; insisting is no advice
// from 8 loops on, nor where it would not help.
func TestAdmissionError(t *testing.T) {
	t.Parallel()
	full := func(active int, parent string) *AdmissionError {
		return &AdmissionError{Active: strings.Fields(strings.Repeat("x ", active)), Parent: parent, Err: errors.New("full")}
	}
	for _, c := range []struct {
		e          *AdmissionError
		text, hint string
		force      bool
	}{
		{full(1, ""), "full (2 loops: trivial): x", "pause one", true},
		{full(4, ""), "full (5–7 loops: significant): x, x, x, x", "end one (ralph abort OTHER)", true},
		{full(6, ""), "full (5–7 loops: significant): ", "pause one", true},
		{full(7, ""), "full (8+ loops: excessive): ", "groups with a parent of their own: ralph advise", false},
		{full(20, ""), strings.Repeat("x, ", 9) + "x", "groups", false},
		{full(3, "orch"), "full: x, x, x", "pause one", false},
	} {
		if got := c.e.Error(); !strings.Contains(got, c.text) {
			t.Errorf("got %q, want %q", got, c.text)
		}
		hint := c.e.Hint()
		if !strings.Contains(hint, c.hint) || strings.Contains(hint, "--force") != c.force {
			t.Errorf("the hint for %d is %q", len(c.e.Active), hint)
		}
	}
}
