package command

import "testing"

// TestFold: lines of a terminal are folded between words, and commands stay whole.
func TestFold(t *testing.T) {
	t.Parallel()
	for _, row := range [][2]string{
		{"", ""},
		{"short", "short"},
		{"exactly twenty signs", "exactly twenty signs"},
		{"a line of more than twenty signs, folded twice", "a line of more\n  than twenty signs,\n  folded twice"},
		{"  try: make room, and run the command again", "  try: make room,\n    and run the\n    command again"},
		{"  try: ralph run plan.md --dry-run --until 'go test ./...'", "  try: ralph run plan.md --dry-run --until 'go test ./...'"},
		{"  ralph resume make-the-tests-green", "  ralph resume make-the-tests-green"},
		{"look at what it did before: ralph show make-it --diff", "look at what it did before: ralph show make-it --diff"},
		{"\x1b[31ma line with colours is longer\x1b[m", "\x1b[31ma line with colours is longer\x1b[m"},
		{"a  b  a row with more columns", "a  b  a row with\n      more columns"},
		{"  ab  a row with a column", "  ab  a row with a\n      column"},
		{"a   /a/path/that/is/longer", "a\n  /a/path/that/is/longer"},
		{"two lines\n/a/path/that/is/longer/than/the/line and more", "two lines\n/a/path/that/is/longer/than/the/line\n  and more"},
	} {
		if got := fold(row[0], 20); got != row[1] {
			t.Errorf("%q:\n got %q\nwant %q", row[0], got, row[1])
		}
	}
}
