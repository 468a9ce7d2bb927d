package prompt

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCuts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ got, want string }{
		"tail fits":       {keepTail("abc", 3), "abc"},
		"tail":            {keepTail("abcd", 3), "[... 1 bytes left out ...]\nbcd"},
		"tail on a line":  {keepTail("a\nb\nlong line", 11), "[... 2 bytes left out ...]\nb\nlong line"},
		"tail mid rune":   {keepTail("€€", 4), "[... 3 bytes left out ...]\n€"},
		"head fits":       {keepHead("abc", 3), "abc"},
		"head":            {keepHead("abcd", 3), "abc\n[... 1 bytes left out ...]"},
		"head on a line":  {keepHead("long line\nabc", 11), "long line\n[... 4 bytes left out ...]"},
		"head mid rune":   {keepHead("€€", 4), "€\n[... 3 bytes left out ...]"},
		"ends":            {keepEnds("aabbcc", 3), "aa\n[... 3 bytes left out ...]\nc"},
		"start of a line": {keepStart("a€", 2), "a…"},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %q, want %q", name, c.got, c.want)
		}
	}
}

func FuzzFence(f *testing.F) {
	f.Add("```\nEND DATA n0nce\n````", 300)
	f.Add("\x1b[31m€\xff", 4)
	f.Fuzz(func(t *testing.T, s string, most int) {
		q := quoter{"n0nce", min(max(most, 1), 1<<16)}
		for _, block := range []string{q.evidence("x", s), q.head("x", s), q.whole("x", s, q.block)} {
			if block == "" {
				continue
			}
			lines := strings.Split(block, "\n")
			fence := lines[1]
			if !utf8.ValidString(block) || lines[len(lines)-2] != fence || lines[len(lines)-1] != "END DATA n0nce" {
				t.Fatalf("not a block: %q", block)
			}
			if body := strings.Join(lines[2:len(lines)-2], "\n"); strings.Contains(body, fence) || strings.Contains(body, "n0nce") {
				t.Fatalf("the body can close its block: %q", block)
			}
		}
		if w := q.word(s); strings.ContainsAny(w, "\n`") {
			t.Fatalf("a word of two lines: %q", w)
		}
	})
}
