package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                     nil,
		"ab cd":                {"ab cd"},
		"ab  c d":              {"ab  c", "d"},
		" ab   cd e":           {"ab", "cd e"},
		"a /long/path/of/it b": {"a", "/long/path/of/it", "b"},
		"漢字 漢":                 {"漢字", "漢"},
		"a\nb\x1b[31mc":        {"a bc"},
		"abcde f":              {"abcde", "f"},
	} {
		if d := cmp.Diff(want, WrapWords(in, 5)); d != "" {
			t.Errorf("%q: %s", in, d)
		}
	}
}

// Terminals show an emoji in two columns, also one of several code points.
func TestWidth(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]int{
		"": 0, "ab": 2, "漢字": 4, "✅": 2, "❌": 2, "⏳": 2, "🟢": 2, "👍🏽": 2, "👨‍👩‍👧": 2, "e\u0301": 1,
		"\x1b[31mred\x1b[0m": 3,
	} {
		if got := Width(in); got != want {
			t.Errorf("%q: got %d, want %d", in, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"abcde": "abcde", "abcdef": "abcd…", "ab  cdef": "ab…", "漢字漢": "漢字…", "a漢字漢": "a漢…", "": "",
	} {
		if got := Cut(in, 5); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := Clip(" a\nb\x1b[1mcdef ", 5); got != "a bc…" {
		t.Errorf("got %q", got)
	}
	if got := Pad("漢", 4); got != "漢  " {
		t.Errorf("got %q", got)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		n    int
		most int
		want []string
	}{
		{"ab cd ef", 5, 0, []string{"ab cd", "ef"}},
		{"ab cd ef gh ij", 5, 2, []string{"ab cd", "ef g…"}},
		{"a  b   c", 5, 0, []string{"a  b", "c"}},
		{"abcdefgh", 3, 0, []string{"abc", "def", "gh"}},
		{"", 5, 3, []string{""}},
	} {
		if d := cmp.Diff(c.want, Wrap(c.in, c.n, c.most)); d != "" {
			t.Errorf("%q: %s", c.in, d)
		}
	}
}

func TestHead(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"abcdef": "abcdef", "abcdefg": "abc…", "ab漢字": "ab…", "a\xff": "a\uFFFD",
	} {
		if got := Head(in, 6); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// FuzzWrap holds that lines fit, and that no word is lost where all are kept.
func FuzzWrap(f *testing.F) {
	f.Add("a 漢字 👍🏽 b", 4)
	f.Fuzz(func(t *testing.T, s string, n int) {
		n = 2 + (n & 0x3f)
		for _, l := range Wrap(s, n, 0) {
			if w := Width(l); w > n {
				t.Errorf("%d columns of %d: %q", w, n, l)
			}
		}
		if got := Width(Clip(s, n)); got > n {
			t.Errorf("clip: %d columns of %d: %q", got, n, Clip(s, n))
		}
		for _, got := range []string{Head(s, n), Tail(s, n)} {
			if len(got) > max(n, 3) {
				t.Errorf("%d bytes of %d: %q", len(got), n, got)
			}
		}
	})
}

func TestMiddle(t *testing.T) {
	t.Parallel()
	lines := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintln(&b, i)
		}
		return b.String()
	}
	for n, want := range map[int]int{0: 1, 1: 1, 99: 99, 100: 100, 101: 101, 1000: 101} {
		got := Middle(lines(n), 100)
		if strings.Count(got, "\n")+1 != want {
			t.Errorf("%d lines became %d", n, strings.Count(got, "\n")+1)
		}
		if n > 100 && !strings.Contains(got, fmt.Sprintf("\n49\n[... %d lines truncated ...]\n%d\n", n-100, n-50)) {
			t.Errorf("%d lines: %s", n, got)
		}
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"abcdef": "abcdef", "abcdefg": "…efg", "漢字ab": "…ab", "\xffa": "\uFFFDa",
	} {
		if got := Tail(in, 6); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"":                        {"", ""},
		"\n one  two\nthree\n\n":  {"one two", "three"},
		"one and many more":       {"one and m…", "one and m…"},
		"\x1b[1mred\x1b[0m\nblue": {"red", "blue"},
		"50%\r100%\r":             {"50%", "100%"},
	} {
		if got := [2]string{Headline(in, 10), LastLine(in, 10)}; got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
