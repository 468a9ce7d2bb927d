package view

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/text"
)

// TestFold: words stay whole, commands and output too, and tables fit.
func TestFold(t *testing.T) {
	t.Parallel()
	page := strings.Join([]string{
		"# Title",
		"- plan **Shop** failed: 3/5 tasks done",
		"  to try again: `ralph run plan.md --detach --trust-plan` now",
		"      output that is longer than the page is left alone",
		"| Task | Evidence of the gates | Cost |",
		"|---|---|---|",
		`| one | tests passed a\|b and a lot more | n/a |`,
		"",
	}, "\n")
	want := strings.Join([]string{
		"# Title",
		"- plan **Shop** failed: 3/5",
		"  tasks done",
		"  to try again:",
		"  `ralph run plan.md --detach --trust-plan`",
		"  now",
		"      output that is longer than the page is left alone",
		"| Task | Evidence of | Cost |",
		"|      | the gates   |      |",
		"| ---- | ----------- | ---- |",
		`| one  | tests       | n/a  |`,
		`|      | passed a\|b |      |`,
		`|      | and a lot   |      |`,
		`|      | more        |      |`,
		"",
	}, "\n")
	if diff := cmp.Diff(want, Fold(page, 29)); diff != "" {
		t.Error(diff)
	}
}

// TestFoldKeepsWhatFits: a page that fits is only aligned, and no word is lost.
func TestFoldKeepsWhatFits(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"", "a b\n\nc\n", "- `x y`, z\n"} {
		if got := Fold(page, 40); got != page {
			t.Errorf("%q became %q", page, got)
		}
	}
	long := strings.Repeat("word `some code` ", 40)
	got := Fold(long, 40)
	if strings.Join(strings.Fields(got), " ") != strings.TrimSpace(long) {
		t.Error(got)
	}
	for l := range strings.Lines(got) {
		if text.Width(strings.TrimRight(l, "\n")) > 40 {
			t.Errorf("too wide: %s", l)
		}
	}
}
