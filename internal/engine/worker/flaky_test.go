package worker_test

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// A gate that was red on the same files before, on the base or for an earlier attempt, is flaky
// when it is green: no luck passes.
func TestRedBefore(t *testing.T) {
	t.Parallel()
	idle := func(string) error { return nil }
	for name, c := range map[string]struct {
		run      string
		attempts []func(string) error
		want     string // the verdict of each attempt, and how it is flaky
	}{
		"as on the base": {
			run: "mkdir DIR/a && exit 1; exit 0", attempts: []func(string) error{idle, writes("other.txt", "x")},
			want: "failed (red, then green on the same commit), passed ()",
		},
		"as an attempt": {
			run: "grep -qx 3 answer.txt || exit 1; mkdir DIR/a && exit 1; exit 0", attempts: []func(string) error{writes("answer.txt", "3\n"), idle, idle, writes("other.txt", "x")},
			want: "failed (), failed (red, then green on the same commit), failed (red, then green on the same commit), passed ()",
		},
		"back again": {
			run: "grep -qx 3 answer.txt || exit 1; mkdir DIR/a && exit 1; exit 0", attempts: []func(string) error{writes("answer.txt", "3\n"), writes("answer.txt", "4\n"), writes("answer.txt", "3\n"), writes("other.txt", "x")},
			want: "failed (), failed (), failed (red, then green on the same commit), passed ()",
		},
		"red and red": {
			run: "grep -qx 3 answer.txt", attempts: []func(string) error{idle, writes("answer.txt", "3\n")},
			want: "failed (), passed ()",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, c.attempts...)
			b.spec.Gates[0].Run, b.spec.Proof = strings.ReplaceAll(c.run, "DIR", t.TempDir()), loop.ProofNone
			s, got := b.drive(t), ""
			for i, a := range s.Recent {
				if i > 0 {
					got += ", "
				}
				got += fmt.Sprintf("%s (%s)", a.Verdict, a.Results[0].Flaky)
			}
			if got != c.want {
				t.Errorf("the attempts are %s, want %s", got, c.want)
			}
		})
	}
}
