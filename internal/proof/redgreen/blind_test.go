package redgreen

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

func TestBlind(t *testing.T) {
	t.Parallel()
	conftest := "ImportError while loading conftest '/room/tests/conftest.py'.\ntests/conftest.py:6: in <module>\n    from invoicer import Invoice\nE   ModuleNotFoundError: No module named 'invoicer'"
	for _, c := range []struct {
		name   string
		result loop.Result
		want   string // "" is no sentence
	}{
		{"a module is missing", loop.Result{Verdict: loop.Failed, Tests: &loop.Tests{Run: loop.Unknown, Failing: []string{"pytest"}}, Excerpt: conftest}, "Gate tests cannot judge the base: ModuleNotFoundError: No module named 'invoicer'. Unless"},
		{"a wrong configuration", loop.Result{Verdict: loop.Error, Reason: "exit code 4, and no test results in the output", Excerpt: "ERROR: pyproject.toml: Cannot overwrite a value"}, "ERROR: pyproject.toml: Cannot overwrite a value. Unless"},
		{"no line tells", loop.Result{Verdict: loop.Error, Reason: "exit code 4, and no test results in the output"}, "exit code 4, and no test results in the output. Unless"},
		{"node", loop.Result{Verdict: loop.Failed, Excerpt: "node:internal/modules\n  throw err;\nError: Cannot find module './cart'\nRequire stack:"}, "Error: Cannot find module './cart'. Unless"},
		{"other tests ran", loop.Result{Verdict: loop.Failed, Tests: &loop.Tests{Run: 3, Failed: 1}, Excerpt: "FAIL a [build failed]"}, ""},
		{"a test fails", loop.Result{Verdict: loop.Failed, Tests: &loop.Tests{Run: 3, Failed: 1}, Excerpt: "AssertionError: 1 != 2"}, ""},
		{"a command fails", loop.Result{Verdict: loop.Failed, Excerpt: "price is wrong"}, ""},
		{"it passes", loop.Result{Verdict: loop.Passed, Excerpt: conftest}, ""},
		{"it is soft", loop.Result{Verdict: loop.Error, Level: loop.Soft, Excerpt: conftest}, ""},
		{"it timed out", loop.Result{Verdict: loop.Failed, TimedOut: true, Excerpt: conftest}, ""},
	} {
		c.result.Gate = "tests"
		got := strings.Join(Blind(loop.State{BaseResults: []loop.Result{c.result}}), " ")
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q in it", c.name, got, c.want)
		}
	}
}
