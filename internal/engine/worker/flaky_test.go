package worker_test

import (
	"errors"
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

// TestFlakyWithBaseJudges: what holds for a flaky gate holds for its run with the judge files of
// the base, too, and no new test is accused.
func TestFlakyWithBaseJudges(t *testing.T) {
	t.Parallel()
	const how = "red, then green on the same commit"
	for name, c := range map[string]struct {
		flaky        loop.Flaky
		verdict      loop.Verdict
		marked, says string
	}{
		"retries":    {loop.Flaky{Retries: 2}, loop.Failed, how, "flaky: " + how + "; exit code 1"},
		"quarantine": {loop.Flaky{Retries: 1, QuarantineUntil: "9999-12-31", Owner: "nina"}, loop.Passed, how, "flaky: " + how + "; in quarantine until 9999-12-31 (owner: nina); exit code 1"},
		"once":       {loop.Flaky{}, loop.Failed, "", "exit code 1; it fails without the new tests, which ralph left out: test_new.py (" + loop.RemedyNew + ")"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(tree string) error {
				return errors.Join(writes("shop.py", "RATE = 19\n")(tree), writes("test_new.py", "def test_new(): pass\n")(tree))
			})
			must(t, writes("test_old.py", "def test_old(): pass\n")(b.spec.Root))
			b.git(t, "add", "-A")
			b.git(t, "commit", "-qm", "second")
			head, err := b.Repo.Head(t.Context())
			must(t, err)
			g := &b.spec.Gates[0]
			b.spec.Base = head.Commit
			g.Flaky, g.Run = c.flaky, `case $(ls | tr '\n' ' ') in *shop.py*test_new.py*) ;; *shop.py*) mkdir `+t.TempDir()+`/a && exit 1 ;; esac; exit 0`
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofNone, 1
			s := b.drive(t)
			if r := s.Last().Results[0]; r.Verdict != c.verdict || r.Flaky != c.marked || r.Reason != c.says || r.Judging == nil || r.Judging.Verdict != c.verdict {
				t.Errorf("%s %q: %q\nwant %s: %q; %+v", r.Verdict, r.Flaky, r.Reason, c.verdict, c.says, r.Judging)
			}
		})
	}
}
