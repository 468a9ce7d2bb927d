package learn

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"ralph/internal/loop"
)

// anyResult is one of few, so that failures come back and go.
func anyResult(t *rapid.T, gate string) loop.Result {
	r := loop.Result{
		Gate: gate, Level: loop.Hard, Verdict: rapid.SampledFrom([]loop.Verdict{loop.Passed, loop.Failed, loop.Error, loop.Skipped}).Draw(t, "verdict"),
		Reason: rapid.StringN(0, 50, 5000).Draw(t, "reason"),
	}
	if r.Verdict != loop.Passed {
		r.Fingerprint = rapid.SampledFrom([]string{"", "aaaa0001", "bbbb0002", "cccc0003"}).Draw(t, "hash")
		r.Excerpt = rapid.StringN(0, 500, 20_000).Draw(t, "excerpt")
	}
	if rapid.Bool().Draw(t, "counted") {
		r.Tests = &loop.Tests{Run: loop.Count(rapid.IntRange(-1, 3).Draw(t, "run")), Failed: rapid.IntRange(0, 3).Draw(t, "failed"), Failing: rapid.SliceOfN(rapid.String(), 0, 9).Draw(t, "failing")}
	}
	if rapid.Bool().Draw(t, "measured") {
		r.Value = new(float64(rapid.IntRange(0, 3).Draw(t, "value")))
	}
	return r
}

func anyState() *rapid.Generator[loop.State] {
	return rapid.Custom(func(t *rapid.T) loop.State {
		s := begun("ralph-x")
		s.Task.Text = rapid.StringN(0, 200, 3000).Draw(t, "task")
		for range rapid.IntRange(0, 1).Draw(t, "base") {
			s.base(anyResult(t, "tests"), anyResult(t, "coverage"))
		}
		for range rapid.IntRange(0, 8).Draw(t, "attempts") {
			files := rapid.SliceOfN(rapid.StringN(1, 20, 500), 0, 60).Draw(t, "files")
			s.attempt(files, anyResult(t, "tests"), anyResult(t, "coverage"))
			s.Last().Approach.Shift = rapid.Bool().Draw(t, "shift")
			if rapid.IntRange(0, 5).Draw(t, "cut") == 0 {
				s.Last().Verdict = ""
			}
		}
		return s.ends(rapid.SampledFrom([]loop.Status{loop.StatusPassed, loop.StatusFailed, loop.Aborted, loop.Running}).Draw(t, "status"),
			rapid.SampledFrom([]loop.Reason{loop.Green, loop.Stuck, loop.Manual, loop.MaxAttempts}).Draw(t, "reason"))
	})
}

// TestAnyLoop: whatever happened, what is taken down is small, readable, about
// an ended loop, each thing once, and the same each time.
func TestAnyLoop(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anyState().Draw(t, "state")
		patch := "diff --git a/x b/x\n@@ -1 +1 @@\n+" + rapid.StringN(0, 900, 20_000).Draw(t, "patch")
		files := Files{Patch: func(int) string { return patch }}
		all := extracted(s, files)
		if d := cmp.Diff(all, extracted(s, files)); d != "" {
			t.Fatalf("not the same again: %s", d)
		}
		if len(all) > mostPatterns || len(all) > 0 && !s.Status.Terminal() {
			t.Fatalf("%d patterns of a loop that is %s", len(all), s.Status)
		}
		keys := map[string]bool{}
		for _, p := range all {
			data, err := json.Marshal(Merge(p, p))
			if err != nil || len(data) > 16<<10 || !utf8.Valid(data) || keys[p.Key()] {
				t.Fatalf("%d bytes, %v, seen %v: %s", len(data), err, keys[p.Key()], data)
			}
			keys[p.Key()] = true
			if p.Summary == "" || len(p.Summary) > mostSummary || p.Kind == ErrorFix && (p.Fingerprint == "" || len(p.Error) == 0) {
				t.Fatalf("%+v", p)
			}
		}
		if m := Remember(remembered(s), files); len(m.Taught) != len(all) || m.Failures == nil {
			t.Fatalf("the memory differs: %+v", m)
		}
	})
}
