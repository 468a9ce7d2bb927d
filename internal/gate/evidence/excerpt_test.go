package evidence

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func numbered(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

func TestExcerptKeepsUpToAHundredLines(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 29, 30, 31, 99, 100} {
		in := numbered(n)
		if got := Excerpt([]byte(in)); got != strings.TrimSuffix(in, "\n") {
			t.Errorf("%d lines were changed:\n%s", n, got)
		}
	}
}

func TestExcerptCutsInTheMiddle(t *testing.T) {
	t.Parallel()
	for n, left := range map[int]int{101: 2, 102: 3, 5000: 4901} {
		lines := strings.Split(Excerpt([]byte(numbered(n))), "\n")
		if len(lines) != 100 {
			t.Fatalf("%d lines became %d", n, len(lines))
		}
		marker := fmt.Sprintf("[... %d lines truncated ...]", left)
		if lines[0] != "line 1" || lines[29] != "line 30" || lines[30] != marker {
			t.Errorf("head of %d: %q", n, lines[29:32])
		}
		if lines[31] != fmt.Sprintf("line %d", n-68) || lines[99] != fmt.Sprintf("line %d", n) {
			t.Errorf("tail of %d: %q … %q", n, lines[31], lines[99])
		}
	}
}

func TestExcerptCapsLongLines(t *testing.T) {
	t.Parallel()
	for _, n := range []int{longLine - 1, longLine, longLine + 1, 10_000, 3 << 20} {
		got := Excerpt([]byte("a" + strings.Repeat("x", n-2) + "z\nend"))
		first, end, _ := strings.Cut(got, "\n")
		if len(first) > longLine || end != "end" || first[0] != 'a' {
			t.Errorf("%d bytes became %d", n, len(first))
		}
		if cut := strings.Contains(first, "bytes truncated ...]"); cut != (n > longLine) {
			t.Errorf("%d bytes: marked = %v", n, cut)
		}
	}
}

func TestExcerptIsStableAndReadable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(rapid.String(), rapid.StringN(900, 1200, -1))
		in := strings.Join(rapid.SliceOfN(line, 0, 130).Draw(t, "lines"), "\n")
		once := Excerpt([]byte(in))
		if !utf8.ValidString(once) || strings.Count(once, "\n") >= excerptLines {
			t.Fatalf("bad excerpt %q", once)
		}
		if twice := Excerpt([]byte(once)); twice != once {
			t.Fatalf("cut again:\n%q\n%q", once, twice)
		}
	})
}
