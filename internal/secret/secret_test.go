package secret

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Secrets are put together here: a scanner of this repository is not to find them.
var (
	aws    = "AKIA" + "Z7QX4LNVB2RTMC5D"
	github = "ghp_" + "R4nD0mQx7LmZ2vKpY9tBs6WcHu3JfEaG1iNo"
	slack  = "xoxb-" + "483920174652-583920174653-Qm7Rz2LpXv9TkBs4WcHu6JfE"
	key    = "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIEpAIBAAKCAQEA7bq\nzzzz+/0987\n-----END RSA PRIVATE " + "KEY-----\n"
)

// TestRulesCompile: every rule of the set is usable, and a keyword of it stands in
// lower case, without which the rule would never be tried.
func TestRulesCompile(t *testing.T) {
	t.Parallel()
	set := rules()
	if len(set.rules) < 200 {
		t.Fatalf("only %d rules", len(set.rules))
	}
	for _, r := range set.rules {
		if _, err := regexp.Compile(r.Pattern); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		for _, x := range r.Except {
			if _, err := regexp.Compile(x); err != nil {
				t.Errorf("%s: %v", r.ID, err)
			}
		}
		if len(r.Keywords) == 0 || slices.ContainsFunc(r.Keywords, func(k string) bool { return k == "" || k != strings.ToLower(k) }) {
			t.Errorf("%s: keywords %q", r.ID, r.Keywords)
		}
	}
}

func TestMask(t *testing.T) {
	t.Parallel()
	m := New("hunter2hunter2", "short", "hunter2hunter2-longer")
	for _, row := range [][2]string{
		{"", ""},
		{"nothing here\n", "nothing here\n"},
		{"pw=hunter2hunter2-longer, hunter2hunter2;", "pw=" + Masked + ", " + Masked + ";"},
		{"short words stay", "short words stay"},
		{"aws " + aws + " x", "aws " + Masked + " x"},
		{"AKIAIOSFODNN7EXAMPLE is the documentation's", "AKIAIOSFODNN7EXAMPLE is the documentation's"},
		{"a " + github + "\nb " + slack + "\n", "a " + Masked + "\nb " + Masked + "\n"},
		{"x\n" + key + "y\n", "x\n" + strings.SplitAfter(key, "\n")[0] + Masked + "\n" + Masked + "\n" + strings.SplitAfter(key, "\n")[3] + "y\n"},
	} {
		if d := cmp.Diff(row[1], m.Mask(row[0])); d != "" {
			t.Errorf("%q: %s", row[0], d)
		}
	}
	if got := (*Masker)(nil).Mask(github); got != Masked {
		t.Errorf("without values: %q", got)
	}
}

// TestOrdinaryOutputStays: what programs print every day is not masked.
func TestOrdinaryOutputStays(t *testing.T) {
	t.Parallel()
	text := `--- FAIL: TestToken (0.00s)
    token_test.go:12: token = "abc", want "secret"; key length 32
commit 02eaadb1c0ffee02eaadb1c0ffee02eaadb1c0ff
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
npm ERR! code ELIFECYCLE auth required, api key missing
  "integrity": "sha512-v2kDEe57lecTulaDIuNTPy3Ry4gLGJ6Z1O3vE1krgXZNrsQ+LFTGHVxVjcXPs17LhbZVGedAJv8XZ1tvj5FvSg=="
550e8400-e29b-41d4-a716-446655440000
goroutine 1 [running]: main.main() /home/nina/x.go:3 +0x1d
`
	if d := cmp.Diff(text, New().Mask(text)); d != "" {
		t.Error(d)
	}
}

// TestStreamIsMaskedAsAWhole: however a stream is cut into writes, what comes out is
// the masked text.
func TestStreamIsMaskedAsAWhole(t *testing.T) {
	t.Parallel()
	m := New("a value of a variable")
	parts := []string{aws, github, slack, key, "a value of a variable", "text ", "\n", "x=", "\"", " ", "é", strings.Repeat("z", 300)}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 30).Draw(t, "text"), " ")
		checkPieces(t, m, text)
	})
}

// TestALineWithoutAnEnd: a line of megabytes is bounded in memory, and a secret at
// every distance from the cuts is masked.
func TestALineWithoutAnEnd(t *testing.T) {
	t.Parallel()
	for shift := 0; shift < 60; shift += 7 {
		var out bytes.Buffer
		w := New("the-value-of-it").Writer(&out)
		piece := strings.Repeat("z", 1000+shift)
		for i := range 300 {
			fmt.Fprintf(w, "%s the-value-of-it %s ", piece, github)
			if len(w.held) > longLine+overlap+4096 {
				t.Fatalf("write %d: %d bytes are held", i, len(w.held))
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if s := out.String(); strings.Contains(s, "the-value") || strings.Contains(s, "ghp_") || strings.Count(s, Masked) != 600 {
			t.Fatalf("shift %d: %d of 600 are masked", shift, strings.Count(s, Masked))
		}
	}
}

func TestAdded(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/x.py b/x.py\n--- a/x.py\n+++ b/x.py\n@@ -1,3 +10,5 @@\n a\n-moved = '" + slack + "'\n+k = '" + aws + "'\n+moved_here = '" + slack + "'\n b = '" + github + "'\n+v = my-own-value-x\n" +
		"diff --git a/id b/id\n--- /dev/null\n+++ b/id\n@@ -0,0 +1,2 @@\n+-----BEGIN OPENSSH PRIVATE " + "KEY-----\n+b3Bl\n"
	var got []string
	m := New("my-own-value-x")
	for _, f := range m.Introduced(m.Added(patch), patch) {
		got = append(got, f.String())
	}
	if d := cmp.Diff([]string{"aws-access-token in x.py:11", "value in x.py:14", "private-key in id:1"}, got); d != "" {
		t.Error(d)
	}
}

// TestAddedInHistory: lines that look like a head of git's hide nothing, a merge has a
// column for each parent, and a later patch that removes a secret does not undo it.
func TestAddedInHistory(t *testing.T) {
	t.Parallel()
	patches := "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n--- y\n+++ " + aws + "\n+@@ -0,0 +1 @@\n\\ No newline at end of file\n" +
		"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +0,0 @@\n-++ " + aws + "\n-@@\n" +
		"diff --cc m\n--- a/m\n+++ b/m\n@@@ -1,1 -1,1 +1,3 @@@\n  same\n++" + github + "\n +" + slack + "\n"
	var got []string
	for _, f := range New().Introduced(New().Added(patches), "") {
		got = append(got, f.String())
	}
	if d := cmp.Diff([]string{"aws-access-token in x:1", "github-pat in m:2"}, got); d != "" {
		t.Error(d)
	}
}

func BenchmarkWriter(b *testing.B) {
	text := []byte(strings.Repeat("=== RUN   TestSomething/with_a_name\n    file_test.go:12: expected 12, got 13 (key: value)\n", 700))
	w := New("a-value-that-is-secret").Writer(io.Discard)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_, _ = w.Write(text)
	}
}

// TestKeywords: the automaton finds in each line what a search for each keyword finds.
func TestKeywords(t *testing.T) {
	t.Parallel()
	keywords := []string{"ab", "abc", "bca", "cc", "aab", "q~"}
	a := newAutomaton()
	for i, k := range keywords {
		a.add(k, i)
	}
	a.link()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		text := make([]byte, rng.IntN(40))
		for i := range text {
			text[i] = "abcABCq~\n"[rng.IntN(9)]
		}
		want := map[int][]int{}
		start := 0
		for line := range strings.SplitAfterSeq(string(text), "\n") {
			for i, k := range keywords {
				if strings.Contains(strings.ToLower(line), k) {
					want[start] = append(want[start], i)
				}
			}
			start += len(line)
		}
		got := map[int][]int{}
		a.lines(string(text), func(start, end int, hits []int) {
			if strings.Contains(string(text[start:end]), "\n") || end < len(text) && text[end] != '\n' {
				t.Fatalf("%q: %d to %d is no line", text, start, end)
			}
			got[start] = slices.Sorted(slices.Values(hits))
		})
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("%q: %s", text, d)
		}
	}
}

// checkPieces writes a text in pieces, and returns what is kept of it: as of the whole.
func checkPieces(t *rapid.T, m *Masker, text string) string {
	var out bytes.Buffer
	w := m.Writer(&out)
	for rest := text; rest != ""; {
		n := rapid.IntRange(1, min(len(rest), 40)).Draw(t, "write")
		if _, err := w.Write([]byte(rest[:n])); err != nil {
			t.Fatal(err)
		}
		rest = rest[n:]
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(m.Mask(text), out.String()); d != "" {
		t.Fatal(d)
	}
	return out.String()
}
