package testout

import (
	"slices"
	"strings"
	"testing"
)

// TestStopped: a runner that ended before its tests did tells no number of them, and a package
// that ran is not one that does not build.
func TestStopped(t *testing.T) {
	t.Parallel()
	event := func(action, test, output string) string {
		e := `{"Action":"` + action + `","Package":"p"`
		if test != "" {
			e += `,"Test":"` + test + `"`
		}
		if output != "" {
			e += `,"Output":"` + output + `\n"`
		}
		return e + "}\n"
	}
	failed := event("run", "TestA", "") + event("output", "TestA", "    a_test.go:3: got 1") + event("fail", "TestA", "")
	end := event("output", "", `FAIL\tp\t0.1s`) + event("fail", "", "")
	const timeout = "panic: test timed out after 5s\n\trunning tests:\n\t\tTestA (5s)\n\t\tTestA/sub (4.9s)\n\ngoroutine 9 [running]:\nFAIL\tp\t5.0s\nFAIL\n"
	for name, c := range map[string]struct {
		in      string
		stopped bool
		failing []string
		broken  []string
	}{
		"go json":                  {in: failed + event("output", "", "FAIL") + end, failing: []string{"p:TestA"}},
		"go json, panic":           {in: failed + end, stopped: true, failing: []string{"p:TestA"}},
		"go json, deadline":        {in: event("run", "TestA", "") + event("output", "TestA", "panic: test timed out after 1s") + end, stopped: true, failing: []string{"p:TestA"}},
		"go json, os.Exit(0)":      {in: event("run", "TestA", "") + event("pass", "", ""), stopped: true, failing: []string{"p:TestA"}},
		"go json, before tests":    {in: event("output", "", "panic: no database") + end, stopped: true, failing: []string{"p"}},
		"go json, set-up failed":   {in: event("output", "", `FAIL\tp [setup failed]`) + event("fail", "", ""), failing: []string{"p"}, broken: []string{"p"}},
		"go":                       {in: "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tp\t0.1s\nFAIL\n", failing: []string{"p:TestA"}},
		"go, panic":                {in: "--- FAIL: TestA (0.00s)\npanic: x [recovered, repanicked]\n\ngoroutine 5 [running]:\nFAIL\tp\t0.1s\nFAIL\n", stopped: true, failing: []string{"p:TestA"}},
		"go, deadline":             {in: timeout, stopped: true, failing: []string{"p:TestA/sub"}},
		"go -v, deadline":          {in: "=== RUN   TestA\n=== RUN   TestA/sub\n" + timeout, stopped: true, failing: []string{"p:TestA/sub"}},
		"go -v, os.Exit":           {in: "=== RUN   TestZ\n--- PASS: TestZ (0.00s)\n=== RUN   TestA\nexit status 3\nFAIL\tp\t0.1s\n", stopped: true, failing: []string{"p:TestA"}},
		"go, os.Exit":              {in: "exit status 3\nFAIL\tp\t0.1s\nFAIL\n", stopped: true, failing: []string{"p"}},
		"go, does not build":       {in: "# p\n./a.go:1:1: x\nFAIL\tp [build failed]\nFAIL\n", failing: []string{"p"}, broken: []string{"p"}},
		"pytest -x":                {in: "=== short test summary info ===\nFAILED a.py::test_a - assert 0\n!!!!!!!!!!!!!! stopping after 1 failures !!!!!!!!!!!!!!\n1 failed, 1 passed in 0.02s\n", stopped: true, failing: []string{"a.py::test_a"}},
		"pytest, its tests print":  {in: "!!! a !!!x\n=== short test summary info ===\nFAILED a.py::test_a - assert 0\n1 failed in 0.02s\n", failing: []string{"a.py::test_a"}},
		"cargo":                    {in: "running 1 test\ntest a ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\nerror: test failed, to rerun pass `--lib`\n", stopped: true, failing: []string{"a"}},
		"cargo --no-fail-fast":     {in: "running 1 test\ntest a ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\nerror: test failed, to rerun pass `--lib`\nrunning 1 test\ntest b ... ok\ntest result: ok. 1 passed; 0 failed; 0 ignored\nerror: 1 target failed:\n    `--lib`\n", failing: []string{"a"}},
		"tap, bail out":            {in: "1..3\nnot ok 1 - a\nBail out! no disk\n", stopped: true, failing: []string{"a"}},
		"tap, fewer than its plan": {in: "1..3\nnot ok 1 - a\n", stopped: true, failing: []string{"a"}},
	} {
		r, ok := Parse([]byte(c.in))
		if !ok || r.Stopped != c.stopped || c.stopped && !r.AtLeast || !slices.Equal(r.Names(), c.failing) || !slices.Equal(r.Broken, c.broken) {
			t.Errorf("%s: %t %+v, want %+v", name, ok, r, c)
		}
		if strings.Contains(name, "json") && c.broken == nil && len(r.Cases) == 0 && !strings.Contains(name, "before") {
			t.Errorf("%s: the tests that ran have no names: %+v", name, r)
		}
	}
}
