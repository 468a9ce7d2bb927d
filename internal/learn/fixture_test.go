package learn

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data) + "\n"
}

func at(minute int) time.Time { return time.Date(2026, 11, 20, 12, minute, 0, 0, time.UTC) }

// story builds the record of a loop, attempt by attempt.
type story struct{ loop.State }

func begun(id string) *story {
	s := loop.New(loop.Spec{
		ID: id, Task: loop.Task{ID: "reject-expired", Text: "Reject expired tokens with 401 in internal/auth/token.go"},
		Agent: loop.Agent{Name: "claude", Use: "command"},
		Gates: []loop.Gate{
			{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "go test ./..."},
			{Name: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Run: "go test -cover ./...", Threshold: new(80.0)},
		},
		Limits: loop.DefaultLimits(), Root: "/r", Base: "b0", Branch: "ralph/" + id,
	}, at(0))
	return &story{s}
}

func (s *story) base(results ...loop.Result) *story {
	s.BaseResults = results
	return s
}

// attempt adds a judged attempt. Without files it changed nothing.
func (s *story) attempt(files []string, results ...loop.Result) *story {
	n := len(s.Recent) + 1
	a := loop.Attempt{
		N: n, StartedAt: at(n), EndedAt: at(n + 1), Changed: len(files) > 0, Files: files,
		Results: results, Verdict: loop.Passed,
	}
	for _, r := range results {
		if r.Verdict != loop.Passed && a.FailedGate == "" {
			a.Verdict, a.FailedGate, a.Fingerprint, a.Error = loop.Failed, r.Gate, r.Fingerprint, r.Reason
		}
	}
	s.Recent, s.Iteration = append(s.Recent, a), n
	return s
}

func (s *story) shifted() *story {
	s.Last().Approach.Shift = true
	return s
}

func (s *story) ends(status loop.Status, reason loop.Reason) loop.State {
	s.Status, s.Reason, s.Step, s.EndedAt = status, reason, loop.StepDone, at(30)
	return s.State
}

func failed(hash, excerpt string, tests ...string) loop.Result {
	r := loop.Result{
		Gate: "tests", Kind: loop.KindTests, Level: loop.Hard, Verdict: loop.Failed, Reason: "tests failed",
		Fingerprint: hash, Excerpt: excerpt,
	}
	if len(tests) > 0 { // else nothing could be built
		r.Tests = &loop.Tests{Run: 20, Failed: len(tests), Failing: tests}
	}
	return r
}

func passed(gate string) loop.Result {
	return loop.Result{Gate: gate, Kind: loop.KindTests, Level: loop.Hard, Verdict: loop.Passed, Reason: "20 tests passed"}
}

func covered(value float64) loop.Result {
	r := loop.Result{
		Gate: "coverage", Kind: loop.KindCoverage, Level: loop.Hard, Verdict: loop.Failed, Value: &value, Threshold: new(80.0),
		Reason: fmt.Sprintf("coverage %g %% < 80 %%", value), Fingerprint: fmt.Sprintf("c0%06x", int(value*100)), Excerpt: "coverage: too low",
	}
	if value >= 80 {
		r.Verdict, r.Fingerprint = loop.Passed, ""
	}
	return r
}

const (
	wrongStatus = "=== RUN   TestReject\n    token_test.go:42: expected 401, got 200\n--- FAIL: TestReject (0.00s)\nFAIL\n"
	noClock     = "# shop/internal/auth\ninternal/auth/token.go:7:2: undefined: Clock\n"
)

var auth = []string{"internal/auth/token.go", "internal/auth/token_test.go"}

// patches of the attempts of a story.
func patches(n int) string {
	return fmt.Sprintf(`diff --git a/go.sum b/go.sum
index 1..2 100644
--- a/go.sum
+++ b/go.sum
@@ -1 +1 @@
-old
+new
diff --git a/docs/notes.md b/docs/notes.md
index 1..2 100644
--- a/docs/notes.md
+++ b/docs/notes.md
@@ -1 +1 @@
-a
+b
diff --git a/internal/auth/token.go b/internal/auth/token.go
index 1..2 100644
--- a/internal/auth/token.go
+++ b/internal/auth/token.go
@@ -40,3 +40,3 @@ func check() {
-	if exp < now {
+	if exp <= now { // attempt %d
`, n)
}

var left = Files{Patch: patches}

// known are patterns as memory has them.
func known(patterns ...Pattern) []Known {
	var out []Known
	for i, p := range patterns {
		out = append(out, Known{Num: int64(i + 1), Pattern: p, Review: Unreviewed, Seen: 1, Updated: at(30)})
	}
	return out
}

// remembered returns a loop that remembers all of its attempts.
func remembered(s loop.State) loop.Whole { return loop.Whole{State: s, Attempts: s.Recent} }

func extracted(s loop.State, files Files) []Pattern { return history(remembered(s), files).extract() }
