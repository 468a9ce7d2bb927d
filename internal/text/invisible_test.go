package text

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// without returns s without its invisible parts.
func without(s string) string {
	var b strings.Builder
	at := 0
	for start, end := range Invisible(s) {
		b.WriteString(s[at:start])
		at = end
	}
	return b.String() + s[at:]
}

func TestInvisible(t *testing.T) {
	t.Parallel()
	for _, row := range [][2]string{
		{"", ""},
		{"plain\ttext\nof äöü 日本 €\r\n", "plain\ttext\nof äöü 日本 €\r\n"},
		{"a\x1b[31mb\x1b[0;1mc\u009b1md", "abcd"},
		{"a\x1b]0;title\ab\x1b]8;;x\x1b\\c\u009dx\u009cd", "abcd"},
		{"a\x1b]0;no end\nb\x1b]0;t\ac", "a0;no end\nbc"},
		{"a\x00b\bc\x7fd\re\u0085f", "abcdef"},
		{"a\u200bb\u200dc\ufeffd\u00ade\u2060f\ufe0fg\u034fh\U000e0041i", "abcdefghi"},
		{"a\xffb\xc2", "a\xffb\xc2"},
	} {
		if d := cmp.Diff(row[1], without(row[0])); d != "" {
			t.Errorf("%q: %s", row[0], d)
		}
	}
}

// TestEveryInvisibleCharacterIsFound: the table of first bytes leaves none out.
func TestEveryInvisibleCharacterIsFound(t *testing.T) {
	t.Parallel()
	for r := range utf8.MaxRune {
		if s := string(r); utf8.ValidRune(r) && invisible(r, "x") && !mayBeInvisible[s[0]] {
			t.Fatalf("%U", r)
		}
	}
}

// TestStringsWithoutAnEnd: a line full of beginnings is read once, not once for each.
func TestStringsWithoutAnEnd(t *testing.T) {
	t.Parallel()
	if got := without(strings.Repeat("\x1b]x", 1<<20)); len(got) != 1<<20 {
		t.Fatal(len(got))
	}
}

func FuzzInvisible(f *testing.F) {
	f.Add("a\x1b]0;t\x07b\u200b\r\n\x1b[1")
	f.Fuzz(func(t *testing.T, s string) {
		last := 0
		for start, end := range Invisible(s) {
			if start < last || end <= start || end > len(s) || strings.Contains(s[start:end], "\n") {
				t.Fatalf("%q: %d to %d after %d", s, start, end, last)
			}
			last = end
		}
	})
}
