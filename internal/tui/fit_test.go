package tui

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// evil is what must not reach a screen as it is.
const evil = "\x1b[2J\x1b]0;owned\a\u202Egnp.exe\u200B\x00\xff\x9b31m\u009b31m漢字漢字 👩\u200D🔬👍🏽🇩🇪❤\ufe0f \te\u0301\u0301\u0301\u0301\u0301\u0301\r\nx\x7f\u2028"

func TestCells(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][2]string{
		"plain":                     {"plain", "plain"},
		"tab\there":                 {"tab    here", "tab    here"},
		"漢字":                        {"漢字", "????"},
		"é · … ● ✓ →":               {"é · … ● ✓ →", "? - ... * + ->"},
		"🇩🇪":                        {"DE", "DE"},
		"👍🏽":                        {"👍", "??"},
		"👩\u200D🔬":                  {"👩🔬", "????"},
		"❤\ufe0f":                   {"❤", "?"},
		"e\u0301\u0301\u0301\u0301": {"e\u0301\u0301\u0301", "e"},
		"a\nb\rc":                   {"a b c", "a b c"},
		"\x1b[31mred\x1b[0m\x00":    {"red", "red"},
	} {
		if got := cells(in, false); got != want[0] {
			t.Errorf("%q: got %q, want %q", in, got, want[0])
		}
		if got := cells(in, true); got != want[1] {
			t.Errorf("%q in ASCII: got %q, want %q", in, got, want[1])
		}
	}
}

func TestFitAndClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in        string
		w         int
		fit, clip string
	}{
		{"", 0, "", ""},
		{"abc", 0, "", ""},
		{"abc", 1, "a", "…"},
		{"abc", 3, "abc", "abc"},
		{"漢字", 3, "漢", "漢…"},
		{"ab cd", 4, "ab c", "ab…"},
	} {
		if got := fit(c.in, c.w); got != c.fit {
			t.Errorf("fit(%q, %d) = %q, want %q", c.in, c.w, got, c.fit)
		}
		if got := clip(c.in, c.w, false); got != c.clip {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.w, got, c.clip)
		}
	}
	if got := fit("\x1b[31mabc\x1b[0m", 2); got != "\x1b[31mab\x1b[0m" {
		t.Errorf("colours do not end where the text is cut: %q", got)
	}
	if got := fit("a\x1b[2Jb\x1b]0;x\a", 20); got != "a[2Jb]0;x" {
		t.Errorf("got %q", got)
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in      string
		w, hang int
		want    []string
	}{
		{"", 5, 0, []string{""}},
		{"ab cd ef", 5, 0, []string{"ab cd", "ef"}},
		{"ab cd ef", 20, 9, []string{"ab cd ef"}},
		{"abcdefgh", 3, 0, []string{"abc", "def", "gh"}},
		{"  ab cd ef gh", 8, 0, []string{"  ab cd", "  ef gh"}},
		{"ab cd ef gh ij", 8, 2, []string{"ab cd ef", "  gh ij"}},
		{"        deep text here", 10, 2, []string{"        de", "ep text", "here"}},
		{"漢字漢", 3, 0, []string{"漢", "字", "漢"}},
		{"漢", 1, 0, []string{"漢"}},
		{"\x1b[31mab cd\x1b[0m ef", 5, 0, []string{"\x1b[31mab cd\x1b[0m", "ef"}},
	} {
		if diff := cmp.Diff(c.want, wrap(c.in, c.w, c.hang)); diff != "" {
			t.Errorf("wrap(%q, %d, %d): %s", c.in, c.w, c.hang, diff)
		}
	}
}

// harmless says what is wrong with a line of the screen.
func harmless(line string, w int, ascii bool) string {
	if !utf8.ValidString(line) {
		return "invalid UTF-8"
	}
	if n := max(ansi.StringWidth(line), ansi.StringWidthWc(line), width(line)); n > w {
		return "too wide"
	}
	for len(line) > 0 {
		if k := colour(line); k > 0 {
			line = line[k:]
			continue
		}
		r, k := decode(line)
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || ascii && r > '~' {
			return "a character that is no cell: " + string(r)
		}
		line = line[k:]
	}
	return ""
}

func FuzzFit(f *testing.F) {
	f.Add(evil, 10)
	f.Add("\x1b[31m\x1b[", 3)
	f.Fuzz(func(t *testing.T, s string, w int) {
		w = min(max(w, 0), 300)
		for _, ascii := range []bool{false, true} {
			for _, line := range append(wrap(cells(s, ascii), w, 2), cells(s, ascii), "\x1b[1m"+cells(s, ascii)) {
				if wrong := harmless(fit(line, w), w, ascii); wrong != "" {
					t.Errorf("%q in %d: %s: %q", s, w, wrong, fit(line, w))
				}
			}
		}
	})
}

// TestEditor: a line keeps its cursor inside whatever is typed.
func TestEditor(t *testing.T) {
	t.Parallel()
	var e editor
	types := func(names ...string) {
		for _, n := range names {
			e.key(keyOf(n))
		}
	}
	types("a", "b", " ", "c", "left", "X", "home", "delete", "end", "backspace", "ctrl+b", "Y")
	if e.String() != "b YX" {
		t.Errorf("got %q", e.String())
	}
	types("end", " ", "w", "w", "ctrl+w", "ctrl+a", "right", "ctrl+k", "Z", "ctrl+u", "ctrl+x", "enter")
	if e.String() != "" || e.at != 0 {
		t.Errorf("got %q at %d", e.String(), e.at)
	}
	rapid.Check(t, func(t *rapid.T) {
		var e editor
		for range rapid.IntRange(0, 30).Draw(t, "keys") {
			if rapid.Bool().Draw(t, "paste") {
				e.insert(rapid.String().Draw(t, "text") + evil)
			}
			e.key(keyOf(rapid.SampledFrom([]string{"left", "right", "home", "end", "backspace", "delete", "ctrl+w", "ctrl+k", "x", "漢"}).Draw(t, "key")))
			w := rapid.IntRange(1, 40).Draw(t, "w")
			text, at := e.show(w, false)
			if wrong := harmless(text, w, false); wrong != "" || at < 0 || at >= max(w, 1)+1 || e.at < 0 || e.at > len(e.text) {
				t.Fatalf("%q at %d of %d: %s", text, at, w, wrong)
			}
		}
	})
}
