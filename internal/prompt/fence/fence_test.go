package fence

import (
	"strings"
	"testing"
)

func FuzzBlock(f *testing.F) {
	f.Add("```\nEND DATA n0nce\n````")
	f.Add("n0n0ncence\x1b[31m€\xff")
	f.Fuzz(func(t *testing.T, s string) {
		if w := Word("n0nce", s); strings.ContainsAny(w, "\n`") {
			t.Fatalf("a word of two lines: %q", w)
		}
		block := Block("n0nce", "x", s)
		if block == "" {
			return
		}
		lines := strings.Split(block, "\n")
		ticks := lines[1]
		if lines[0] != "BEGIN DATA n0nce (x)" || lines[len(lines)-2] != ticks || lines[len(lines)-1] != "END DATA n0nce" {
			t.Fatalf("not a block: %q", block)
		}
		if body := strings.Join(lines[2:len(lines)-2], "\n"); strings.Contains(body, ticks) || strings.Contains(body, "END DATA n0nce") {
			t.Fatalf("the body can close its block: %q", block)
		}
	})
}

func TestNonce(t *testing.T) {
	t.Parallel()
	if a, b := Nonce([]byte("a")), Nonce([]byte("b")); a == b || len(a) != 12 {
		t.Errorf("%s and %s", a, b)
	}
	if Block("n", "x", "\n\n") != "" {
		t.Error("a block of nothing")
	}
}
