package secret

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// unseen are parts of a text that take no place on a screen.
var unseen = []string{"\x1b[0m", "\x1b[1;38;5;9m", "\x1b]0;a title\a", "\x1b]8;;https://x\x1b\\", "\u200b", "\u00ad", "\x00", "\b", "\r", "\u009b31m"}

// TestMaskSeesThroughInvisibleParts: what is inside of a secret and takes no place does
// not hide it, and what is around it stays.
func TestMaskSeesThroughInvisibleParts(t *testing.T) {
	t.Parallel()
	m := New("hunter2hunter2")
	for _, whole := range []string{"hunter2hunter2", github, aws} {
		for _, u := range unseen {
			for _, in := range []string{
				whole[:4] + u + whole[4:],
				whole[:1] + u + u + whole[1:9] + u + whole[9:],
				strings.Join(strings.Split(whole, ""), u),
			} {
				text := "ä " + u + " k: " + in + u + " end\nnext " + u + in + "\r\n"
				want := "ä " + u + " k: " + Masked + u + " end\nnext " + u + Masked + "\r\n"
				if d := cmp.Diff(want, m.Mask(text)); d != "" {
					t.Errorf("%q: %s", text, d)
				}
			}
		}
	}
	if got := New("hun\u200bter2hunter2").Mask("hunter2hunter2 hun\u200bter2hunter2"); got != Masked+" "+Masked {
		t.Errorf("a value with an invisible character: %q", got)
	}
	if got := m.Mask("\x1b]0;" + github + "\a " + github + "\x00" + github); strings.Contains(got, "ghp_") {
		t.Errorf("whole in an invisible part, or beside one: %q", got)
	}
}

func TestMaskSeesKeysThroughInvisibleParts(t *testing.T) {
	t.Parallel()
	coloured := strings.NewReplacer("BEGIN", "BE\x1b[31mGIN", "PRIVATE", "PRI\x1b[0mVATE", "END", "E\u200bND").Replace(key)
	got := New().Mask("x\n" + coloured + "\x1b[1mafter\n")
	if strings.Contains(got, "MIIE") || strings.Contains(got, "zzzz") || !strings.HasSuffix(got, "\x1b[1mafter\n") {
		t.Errorf("%q", got)
	}
	one := strings.ReplaceAll(strings.Replace(key, "PRIVATE", "PRI\x1b[0mVATE", 1), "\n", `\n`)
	if got := New().Mask(one); strings.Contains(got, "MIIE") {
		t.Errorf("%q", got)
	}
}

// TestStreamWithInvisibleParts: however a stream is cut into writes, what comes out is
// the masked text.
func TestStreamWithInvisibleParts(t *testing.T) {
	t.Parallel()
	m := New("a value of a variable")
	parts := append([]string{aws, github[:9], github[9:], "a value", " of a variable", "text ", "\n", "\r\n", "=", "é"}, unseen...)
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "text"), "")
		kept := checkPieces(t, m, text)
		if shown := visible(kept); strings.Contains(shown, "a value of a variable") {
			t.Fatalf("%q is not masked", shown)
		}
	})
}

// TestALongLineWithInvisibleParts: a line of megabytes is bounded in memory, and is cut
// neither in a secret nor in a sequence.
func TestALongLineWithInvisibleParts(t *testing.T) {
	t.Parallel()
	for shift := 0; shift < 90; shift += 7 {
		var out bytes.Buffer
		w := New("the-value-of-it").Writer(&out)
		piece := strings.Repeat("z", 1000+shift)
		for i := range 300 {
			fmt.Fprintf(w, "%s the-\x1b[1;31mvalue\x1b[0m\x1b]0;title\a-of-it %s\u200b%s ", piece, github[:12], github[12:])
			if len(w.held) > longLine+overlap+4096 {
				t.Fatalf("write %d: %d bytes are held", i, len(w.held))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if s := visible(out.String()); strings.Contains(s, "value") || strings.Contains(s, "ghp_") || strings.Count(s, Masked) != 600 {
			t.Fatalf("shift %d: %d of 600 are masked", shift, strings.Count(s, Masked))
		}
	}
}

// TestAddedBehindInvisibleParts: a commit is searched in the same way.
func TestAddedBehindInvisibleParts(t *testing.T) {
	t.Parallel()
	m := New("my-own-value-x")
	split := github[:7] + "\u200b" + github[7:]
	patch := "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,1 +1,3 @@\n-was = '" + aws + "'\n+is = 'AKIA\x00" + aws[4:] + "'\n+k = '" + split + "'\n+v = my-\x1b[0mown-value-x\n"
	var got []string
	for _, f := range m.Introduced(m.Added(patch), patch) {
		got = append(got, f.String())
	}
	if d := cmp.Diff([]string{"github-pat in x:2", "value in x:3"}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"github-pat"}, m.Kinds("a message\nwith "+split)); d != "" {
		t.Error(d)
	}
}

func BenchmarkWriterColoured(b *testing.B) {
	text := []byte(strings.Repeat("\x1b[32m=== RUN\x1b[0m   TestSomething/with_a_name\n    file_test.go:12: expected 12, got 13 (key: value)\n", 700))
	w := New("a-value-that-is-secret").Writer(io.Discard)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = w.Write(text)
	}
}
