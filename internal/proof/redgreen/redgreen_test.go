package redgreen

import (
	"slices"
	"testing"

	"ralph/internal/loop"
)

func TestProductOfAbsolutePaths(t *testing.T) {
	t.Parallel()
	got := Product([]string{"/", "/a.go", "/x/tests/a.py", "//b.c"})
	if want := []string{"/", "/a.go", "//b.c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestCompare: a named test that fails without the work is red by assertion; what only
// does not build, load or exit alike is weaker.
func TestCompare(t *testing.T) {
	t.Parallel()
	zero, one := 0, 1
	with := loop.Result{Gate: "g", Verdict: loop.Passed, ExitCode: &zero, Tests: &loop.Tests{Run: 3}}
	failing := func(ids ...string) loop.Result {
		return loop.Result{Gate: "g", Verdict: loop.Failed, ExitCode: &one, Tests: &loop.Tests{Run: 3, Failed: len(ids), Failing: ids}}
	}
	saying := func(excerpt string, ids ...string) loop.Result {
		r := failing(ids...)
		r.Excerpt = excerpt
		return r
	}
	silent := failing()
	silent.Tests = nil
	for name, c := range map[string]struct {
		with, without loop.Result
		want          loop.Red
	}{
		"passes too":              {with, with, ""},
		"a test of Go":            {with, failing("example.test/p:TestMul"), loop.RedByAssertion},
		"a package of Go":         {with, failing("example.test/p"), loop.RedByBuild},
		"a test of pytest":        {with, failing("test_a.py::test_mul"), loop.RedByAssertion},
		"a file of pytest":        {with, failing("test_a.py"), loop.RedByBuild},
		"a test of unittest":      {with, failing("test_a.T.test_mul"), loop.RedByAssertion},
		"a module of unittest":    {with, failing("unittest.loader._FailedTest.test_a"), loop.RedByBuild},
		"a test of node":          {with, failing("simple titles"), loop.RedByAssertion},
		"a program of TAP":        {with, failing("other titles"), loop.RedByBuild},
		"a test in a suite":       {with, failing("a.test.js > mul"), loop.RedByAssertion},
		"calls what is not there": {with, saying("ERROR: test_mul (test_a.T.test_mul)\nNameError: name 'mul' is not defined", "test_a.T.test_mul"), loop.RedByBuild},
		"is no function":          {with, saying("  error: 'TypeError: mul is not a function'", "a.test.js > mul"), loop.RedByBuild},
		"calls what does nothing": {with, saying("panicked at src/lib.rs:3:5:\n"+hollowed, "roman:tests::more"), loop.RedByBuild},
		"asserts beside that":     {with, saying(hollowed+"\nassertion `left == right` failed", "roman:tests::more"), loop.RedByAssertion},
		"one asserts":             {with, saying("NameError: name 'mul' is not defined\nE       assert 1 == 2", "test_a.py::test_mul", "test_a.py::test_add"), loop.RedByAssertion},
		"asserts with a frame":    {with, saying(">   assert mul(2) == 4\nE   NameError: name 'mul' is not defined", "test_a.py::test_mul"), loop.RedByBuild},
		"fails with the work too": {failing("p:TestMul"), failing("p:TestMul"), loop.RedByBuild},
		"no test names":           {silent, silent, loop.RedByExit},
		"timed out":               {with, loop.Result{Verdict: loop.Failed, TimedOut: true}, loop.RedByExit},
		"killed":                  {with, loop.Result{Verdict: loop.Failed, Signal: "killed"}, ""},
		"cannot start":            {with, loop.Result{Verdict: loop.Error, CannotStart: true}, ""},
	} {
		if got := Compare(c.with, c.without, map[string]int{"simple titles": 1}); got.Red != c.want || got.Why == "" {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
}
