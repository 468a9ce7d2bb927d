package text

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrapWords(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"":                     nil,
		"ab cd":                {"ab cd"},
		"ab  cd e":             {"ab cd", "e"},
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
		if got := Head(s, n); len(got) > max(n, 3) {
			t.Errorf("head: %d bytes of %d: %q", len(got), n, got)
		}
	})
}
