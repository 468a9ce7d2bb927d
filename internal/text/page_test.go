package text

import (
	"strings"
	"testing"
)

// Lines are cleaned, fit, and hang below their column; a word that is too long
// is broken.
func TestPageLine(t *testing.T) {
	t.Parallel()
	var p Page
	p.WriteString("key ")
	p.Line(4, "red\x1b[31m\n"+strings.Repeat("word ", 20)+strings.Repeat("x", 100))
	p.Head("PART")
	got := p.String()
	if strings.ContainsAny(got, "\x1b\r") {
		t.Errorf("a terminal would obey %q", got)
	}
	lines := strings.Split(got, "\n")
	if len(lines) != 7 || lines[4] != "" || lines[5] != "PART" {
		t.Fatalf("got %q", lines)
	}
	for i, l := range lines[:4] {
		if n := len([]rune(l)); n > Columns {
			t.Errorf("%d columns: %s", n, l)
		}
		if i > 0 && !strings.HasPrefix(l, "    ") {
			t.Errorf("not hung: %q", l)
		}
	}
}
