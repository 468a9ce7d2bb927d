package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/testing/prooftest"
)

// TestUnraised: an error that the task asks for must stand in a file that the work changes.
func TestUnraised(t *testing.T) {
	t.Parallel()
	const half = "def discount(percent):\n    return percent\n"
	for _, c := range []struct {
		task   string
		work   prooftest.Tree
		wanted string
	}{
		{"Add discount(percent). percent outside of 0..100 raises ValueError.", prooftest.Tree{"a.py": half}, "ValueError"},
		{"`discount(percent)`: 0 ≤ percent ≤ 100, otherwise ValueError", prooftest.Tree{"a.py": half}, "ValueError"},
		{"Add release(n) (ValueError for n < 1).", prooftest.Tree{"a.py": half}, "ValueError"},
		{"Raise a ValueError with the message 'no numbers'.", prooftest.Tree{"a.py": half}, "ValueError"},
		{"raise a `shop.BadPercent` or throw new RangeError", prooftest.Tree{"a.py": half}, "RangeError"},
		{"percent outside of 0..100 throws RangeError", prooftest.Tree{"a.js": "export const f = 1\n"}, "RangeError"},
		{"Find returns ErrNotFound for unknown names", prooftest.Tree{"a.go": "package a\n"}, "ErrNotFound"},
		{"mean([]) crashes with ZeroDivisionError. Find out why: raise a ValueError.", prooftest.Tree{"a.py": half}, "ValueError"},
		{"percent outside of 0..100 raises ValueError.", prooftest.Tree{"a.py": half + "    raise ValueError\n"}, ""},
		{"percent outside of 0..100 raises ValueError.", prooftest.Tree{"a.py": half, "test_a.py": "with raises(ValueError):\n    discount(101)\n"}, ""},
		{"percent outside of 0..100 raises ValueError.", prooftest.Tree{"test_a.py": "def test_a():\n    pass\n"}, ""},
		{"Say in README.md that discount raises ValueError.", prooftest.Tree{"README.md": "It does.\n"}, ""},
		{"Unknown posts raise KeyError as now.", prooftest.Tree{"a.py": half}, ""},
		{"discount() raises ValueError as before; add tax().", prooftest.Tree{"a.py": half}, ""},
		{"discount() must not raise ValueError.", prooftest.Tree{"a.py": half}, ""},
		{"words(None) fails and raises AttributeError; it must be empty.", prooftest.Tree{"a.py": half}, ""},
	} {
		k, s := change("pytest", prooftest.Tree{"a.py": "x = 1\n", "b.py": "raise ValueError\n"}, c.work)
		found, err := unraised(proof.Index(k.Base), proof.Index(k.Work), c.task, s.Read)
		want := "[]"
		if c.wanted != "" {
			want = "[" + c.wanted + " " + raisedNowhere + "]"
		}
		if got := fmt.Sprint(found); got != want || err != nil {
			t.Errorf("%s: %s %v, want %s", c.task, got, err, want)
		}
	}
}
