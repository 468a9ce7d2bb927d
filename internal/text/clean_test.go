package text

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ in, want string }{
		"empty":               {"", ""},
		"plain":               {"a\tb\nc", "a\tb\nc"},
		"colour":              {"\x1b[1;31mred\x1b[0m", "red"},
		"eight-bit colour":    {"\u009b31mred", "red"},
		"title":               {"a\x1b]0;owned\ab", "ab"},
		"link":                {"\x1b]8;;http://evil\x1b\\text\x1b]8;;\x1b\\", "text"},
		"clipboard":           {"\x1b]52;c;ZXZpbA==\x07x", "x"},
		"endless string":      {"\x1b]0;hides this\nand this", "0;hides this\nand this"},
		"endless sequence":    {"\x1b[12", ""},
		"charset":             {"\x1b(Bok", "ok"},
		"keypad":              {"\x1b=ok", "ok"},
		"lone escape":         {"a\x1b", "a"},
		"escape and newline":  {"a\x1b\nb", "a\nb"},
		"right to left":       {"a\u202Eb\u2066c", "abc"},
		"zero width and tags": {"a\u200Bb\U000E0041c\uFEFF", "abc"},
		"emoji joiner stays":  {"👩\u200D🔬", "👩\u200D🔬"},
		"carriage returns":    {"50%\r100%\r\ndone", "50%\n100%\ndone"},
		"bell and nul":        {"a\a\x00\bb", "ab"},
		"invalid":             {"a\xff\xfeb", "a\uFFFDb"},
		"separators":          {"a\u2028b", "a\nb"},
	} {
		if got := Clean(c.in); got != c.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", name, c.in, got, c.want)
		}
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	if got := Line(" a\n\tb\u2028 c\x1b[2J "); got != "a b c" {
		t.Errorf("got %q", got)
	}
}

func FuzzClean(f *testing.F) {
	f.Add("\x1b[31mx\x1b]0;t\a")
	f.Add("\x1b\x1b[[")
	f.Add("\xff\u009b\u202E")
	f.Fuzz(func(t *testing.T, s string) {
		got := Clean(s)
		if !utf8.ValidString(got) {
			t.Fatalf("invalid UTF-8: %q", got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool {
			return unicode.IsControl(r) && r != '\n' && r != '\t'
		}); i >= 0 {
			t.Fatalf("control character left: %q", got)
		}
		if again := Clean(got); again != got {
			t.Fatalf("not idempotent: %q, %q", got, again)
		}
	})
}

func TestSpacedLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"":                                 "",
		` squeeze("a  b") == "a b"` + "\n": `squeeze("a  b") == "a b"`,
		"a\tb \n\n  c\x1b[2J":              "a b c",
	} {
		if got := SpacedLine(in); got != want {
			t.Errorf("SpacedLine(%q) = %q, want %q", in, got, want)
		}
	}
}
