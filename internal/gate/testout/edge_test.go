package testout

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Outputs that must not be taken for a pass, or for results at all.
func TestEdges(t *testing.T) {
	t.Parallel()
	pass := `{"Action":"pass","Package":"p"}`
	for name, c := range map[string]struct {
		in         string
		ok         bool
		run, fail  int
		skip       int
		incomplete bool
	}{
		"nothing":                      {in: ""},
		"prose about tests":            {in: "All tests passed! 12 passed, 0 failed. ok\nDONE\n"},
		"binary":                       {in: "\x00\x01\xff\xfe\x1b[31m\n\x00"},
		"go json, empty package":       {in: `{"Action":"start","Package":"p"}` + "\n" + pass, ok: true},
		"go json, cut":                 {in: `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + `{"Action":"pa`, ok: true, incomplete: true},
		"go json, os.Exit in a test":   {in: `{"Action":"run","Package":"p","Test":"TestA"}` + "\n" + pass, ok: true, run: 1, fail: 1},
		"go json, package only":        {in: `{"Action":"fail","Package":"p"}`, ok: true, run: 1, fail: 1},
		"go json, other JSON":          {in: `{"level":"info","Action":"pass"}`},
		"go json, one line of garbage": {in: "garbage\n" + `{"Action":"run","Package":"p","Test":"T"}` + "\nx\n" + `{"Action":"pass","Package":"p","Test":"T"}` + "\n" + pass, ok: true, run: 1},
		"go, no tests to run":          {in: "ok  \tp\t0.1s [no tests to run]\n", ok: true},
		"go, no test files":            {in: "?   \tp\t[no test files]\n", ok: true},
		"go, cached":                   {in: "ok  \tp\t(cached)\n", ok: true, run: 1},
		"go, cut":                      {in: "--- FAIL: TestA (0.00s)\n    a_test.go:1: x\n", ok: true, incomplete: true},
		"go, setup failed":             {in: "FAIL\tp [setup failed]\nFAIL\n", ok: true, run: 1, fail: 1},
		"tap, empty":                   {in: "TAP version 13\n1..0\n", ok: true},
		"tap, version only":            {in: "TAP version 13\n", ok: true, incomplete: true},
		"tap, skip all":                {in: "1..0 # SKIP no db\n"},
		"tap, no plan":                 {in: "TAP version 13\nok 1 - a\n", ok: true, run: 1, incomplete: true},
		"tap, too few":                 {in: "1..3\nok 1 - a\nok 2 - b\n", ok: true, run: 2, incomplete: true},
		"tap, too many":                {in: "1..1\nok 1\nok 2\n", ok: true, run: 2, incomplete: true},
		"tap, bail out":                {in: "1..2\nok 1\nok 2\nBail out! no disk\n", ok: true, run: 2, incomplete: true},
		"tap, plan last":               {in: "ok 1\nok 2\n1..2\n", ok: true, run: 2},
		"tap, two documents":           {in: "TAP version 13\nok 1\n1..1\nTAP version 13\nnot ok 1 - b\n1..1\n", ok: true, run: 2, fail: 1},
		"tap, first document cut":      {in: "TAP version 13\nok 1\nTAP version 13\nok 1\n1..1\n", ok: true, run: 2, incomplete: true},
		"tap, failing parent only":     {in: "TAP version 14\n# Subtest: a\n    ok 1 - b\n    1..1\nnot ok 1 - a\n1..1\n", ok: true, run: 2, fail: 1},
		"tap, prove -v":                {in: "t/a.t ..\n1..2\nok 1 - a\nok 2 - b\nok\nt/b.t ..\nok 1 - c\n1..1\nok\nAll tests successful.\n", ok: true, run: 3},
		"tap, prove -v, one less":      {in: "t/a.t ..\n1..2\nok 1 - a\nok\n", ok: true, run: 2},
		"tap, huge plan":               {in: "1..99999999999999999999999\nok 1\n"},
		"pytest, none":                 {in: "===== no tests ran in 0.01s =====\n", ok: true},
		"pytest, quiet":                {in: "..\n2 passed in 0.01s\n", ok: true, run: 2},
		"pytest, minutes":              {in: "== 2 passed, 3 warnings in 61.20s (0:01:01) ==\n", ok: true, run: 2},
		"pytest, all deselected":       {in: "=== 4 deselected in 0.01s ===\n", ok: true},
		"pytest, conftest":             {in: "ImportError while loading conftest '/x/conftest.py'.\nE   ImportError: no\n", ok: true, run: 1, fail: 1},
		"pytest, errors behind tests":  {in: "=== short test summary info ===\nPASSED a.py::test_a\nPASSED a.py::test_c\nERROR a.py::test_a - RuntimeError: down\nERROR a.py::test_b - RuntimeError: down\nFAILED a.py::test_b - assert 0\n1 failed, 2 passed, 2 errors in 0.02s\n", ok: true, run: 3, fail: 2},
		"unittest, none":               {in: "Ran 0 tests in 0.000s\n\nNO TESTS RAN\n", ok: true},
		"unittest, ok":                 {in: "Ran 1 test in 0.000s\n\nOK\n", ok: true, run: 1},
		"unittest, cut":                {in: "Ran 3 tests in 0.000s\n", ok: true, incomplete: true},
		"unittest, skipped":            {in: "Ran 2 tests in 0.0s\n\nOK (skipped=2)\n", ok: true, skip: 2},
		"cargo, several":               {in: "running 1 test\ntest result: ok. 1 passed; 0 failed; 0 ignored\nrunning 0 tests\ntest result: ok. 0 passed; 0 failed; 0 ignored\n", ok: true, run: 1},
		"cargo, cut":                   {in: "running 2 tests\ntest a ... FAILED\n", ok: true, incomplete: true},
		"node spec, two":               {in: "ℹ tests 1\nℹ pass 1\nℹ fail 0\nℹ tests 2\nℹ pass 1\nℹ fail 0\nℹ cancelled 1\n", ok: true, run: 3, fail: 1},
		"jest, none":                   {in: "No tests found, exiting with code 1\n", ok: true},
		"vitest, files broken":         {in: " Test Files  1 failed (1)\n      Tests  no tests\n", ok: true, run: 1, fail: 1},
		"rspec, none":                  {in: "0 examples, 0 failures\n", ok: true},
		"phpunit":                      {in: "OK (3 tests, 5 assertions)\n", ok: true, run: 3},
		"phpunit, one test":            {in: "OK (1 test, 1 assertion)\n", ok: true, run: 1},
		"mocha, green":                 {in: "  3 passing (12ms)\n", ok: true, run: 3},
		"ctest":                        {in: "50% tests passed, 1 tests failed out of 2\n", ok: true, run: 2, fail: 1},
		"colours":                      {in: "\x1b[31m=== \x1b[1m1 failed\x1b[0m, 2 passed in 0.1s ===\x1b[0m\r\n", ok: true, run: 3, fail: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ok := Parse([]byte(c.in))
			if ok != c.ok || r.Run != c.run || r.Failed != c.fail || r.Skipped != c.skip || (r.Incomplete != "") != c.incomplete {
				t.Errorf("ok=%v %+v", ok, r)
			}
		})
	}
}

// A report that was changed from failed to passed still has its reason behind the
// name, which is not part of it.
func TestPytestPassWithReason(t *testing.T) {
	t.Parallel()
	r, _ := Parse([]byte("=== short test summary info ===\nPASSED a.py::t[x - y] - assert 1 == 2\nPASSED a.py::u - assert\n=== 2 passed in 0.01s ===\n"))
	if len(r.Cases) != 2 || r.Cases[0].ID != "a.py::t[x - y]" || r.Cases[1].ID != "a.py::u" {
		t.Errorf("%+v", r.Cases)
	}
}

// Verbose output names what it skips, also under xdist; the summary names places.
func TestPytestSkipped(t *testing.T) {
	t.Parallel()
	r, _ := Parse([]byte("a.py::one SKIPPED (no [thing] (x))      [ 20%]\na.py::two[a b] SKIPPED\n[gw0] [ 60%] SKIPPED a.py::three \na.py::four PASSED [100%]\n" +
		"=== short test summary info ===\nSKIPPED [3] a.py:2: a reason\nPASSED a.py::four\n=== 1 passed, 3 skipped in 0.01s ===\n"))
	want := []Case{{"a.py::four", Passed}, {"a.py::one", Skipped}, {"a.py::three", Skipped}, {"a.py::two[a b]", Skipped}}
	if !slices.Equal(r.Cases, want) {
		t.Errorf("%+v", r.Cases)
	}
}

func TestOnlyAllowedFormats(t *testing.T) {
	t.Parallel()
	in := []byte("ok  \tp\t0.1s\n=== 3 failed in 0.1s ===\n")
	if r, ok := Parse(in, GoTest); !ok || r.Failed != 0 {
		t.Errorf("gotest: %+v", r)
	}
	if r, ok := Parse(in, Pytest); !ok || r.Failed != 3 {
		t.Errorf("pytest: %+v", r)
	}
	if r, ok := Parse(in, TAP, Cargo); ok {
		t.Errorf("another format: %+v", r)
	}
	if r, ok := Parse([]byte("TAP version 13\n1..1\nok 1\n"), Node); !ok || r.Run != 1 {
		t.Errorf("node prints TAP: %+v", r)
	}
}

func TestManyFailuresAreCountedAndCapped(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("1..5000\n")
	for i := range 5000 {
		fmt.Fprintf(&b, "not ok %d - t%d\n", i+1, i)
	}
	r, _ := Parse([]byte(b.String()))
	if r.Failed != 5000 || len(r.Failures) != maxFailures || r.Incomplete != "" {
		t.Errorf("%d failed, %d named, %s", r.Failed, len(r.Failures), r.Incomplete)
	}
}

func TestJUnitEdges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in        string
		bad       bool
		run, fail int
	}{
		"nothing":              {in: "", bad: true},
		"other XML":            {in: "<coverage/>", bad: true},
		"empty":                {in: "<testsuites/>"},
		"one":                  {in: `<testsuite><testcase name="a"/></testsuite>`, run: 1},
		"cut":                  {in: `<testsuites><testsuite><testcase name="a"/>`, bad: true},
		"noise around":         {in: "log <x & y\n" + `<testsuite><testcase name="a"/></testsuite>` + "\nbye < &", run: 1},
		"two documents":        {in: `<testsuite><testcase name="a"/></testsuite><?xml version="1.0"?><testsuites><testsuite><testcase name="b"><error/></testcase></testsuite></testsuites>`, run: 2, fail: 1},
		"claims more":          {in: `<testsuite name="s" failures="2" errors="1"><testcase name="a"><failure/></testcase></testsuite>`, run: 2, fail: 2},
		"claims nested":        {in: `<testsuite failures="1"><testsuite failures="1"><testcase name="a"><failure/></testcase></testsuite></testsuite>`, run: 1, fail: 1},
		"claims nonsense":      {in: `<testsuite failures="-1" errors="x"><testcase name="a"/></testsuite>`, run: 1},
		"too deep":             {in: "<testsuites>" + strings.Repeat("<testsuite>", 200), bad: true},
		"entity bomb":          {in: `<!DOCTYPE x [<!ENTITY a "b">]><testsuite name="&a;"/>`, bad: true},
		"failure without test": {in: `<testsuite><failure/><testcase name="a"/></testsuite>`, run: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := JUnitXML([]byte(c.in))
			if (err != nil) != c.bad || r.Run != c.run || r.Failed != c.fail {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
	if _, err := JUnitXML(make([]byte, MaxJUnit+1)); err == nil {
		t.Error("a report of more than 64 MiB is read")
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	a := Report{Run: 2, Failed: 1, Failures: []Failure{{ID: "z"}}}
	b := Report{Format: JUnit, Run: 3, Failed: 1, Skipped: 1, Failures: []Failure{{ID: "b"}}, Incomplete: "cut"}
	got := a.Merge(b)
	if got.Run != 5 || got.Failed != 2 || got.Skipped != 1 || got.Incomplete != "cut" || strings.Join(got.Names(), " ") != "b z" {
		t.Errorf("%+v", got)
	}
}

// A test of pytest that fails as it is torn down has one name, though pytest counts its
// outcome and the error.
func TestPytestErrorsAreNoMoreTests(t *testing.T) {
	t.Parallel()
	r, _ := Parse([]byte("=== short test summary info ===\nPASSED a.py::test_a\nERROR a.py::test_a - down\nERROR a.py::test_b - down\nFAILED a.py::test_b - assert 0\n1 failed, 1 passed, 2 errors in 0.02s\n"))
	want := []Case{{"a.py::test_a", Failed}, {"a.py::test_b", Failed}}
	if !slices.Equal(r.Cases, want) || len(r.Failures) != 2 {
		t.Errorf("%v, failures %v", r.Cases, r.Failures)
	}
	r, _ = Parse([]byte(strings.Repeat("=== short test summary info ===\nPASSED a.py::test_a\n1 passed in 0.02s\n", 2)))
	if len(r.Cases) != 2 {
		t.Errorf("two runs: %v", r.Cases)
	}
}

// With -q cargo names the tests that fail at the end of each program, and no others.
func TestQuietCargo(t *testing.T) {
	t.Parallel()
	const run = "running 3 tests\n. 1/3\nsp --- FAILED\nm::double --- FAILED\n\nfailures:\n\n---- sp stdout ----\n    no name\n---- m::double stdout ----\nthread 'm::double' panicked at tests/d.rs:3:2:\nassertion `left == right` failed\n  left: 4\n right: 8\n\n\nfailures:\n    m::double\n    sp\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n"
	const doc = "running 1 test\nsrc/lib.rs - double (line 2) --- FAILED\nfailures:\n---- src/lib.rs - double (line 2) stdout ----\nerror: no\nfailures:\n    src/lib.rs - double (line 2)\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n"
	r, _ := Parse([]byte("running 2 tests\ni.\ntest result: ok. 1 passed; 0 failed; 1 ignored\n" + run + doc))
	want := []Failure{{ID: "m::double", Line: "thread 'm::double' panicked at tests/d.rs:3:2:", Format: Cargo}, {ID: "sp", Line: "no name", Format: Cargo}, {ID: "src/lib.rs - double", Line: "error: no", Format: Cargo}}
	for i := range want {
		if len(r.Failures) != len(want) || r.Failures[i].ID != want[i].ID || !strings.HasPrefix(r.Failures[i].Line, want[i].Line[:5]) {
			t.Fatalf("%+v", r.Failures)
		}
	}
	if r.Cases != nil || r.Run != 5 || r.Failed != 3 || r.Skipped != 1 {
		t.Errorf("%+v", r)
	}
	if r, _ := Parse([]byte(strings.Replace(run, "    sp\n", "", 1))); len(r.Failures) != 0 || r.Failed != 2 {
		t.Errorf("a list that is not whole: %+v", r)
	}
	if r, _ := Parse([]byte(doc)); len(r.Cases) != 1 {
		t.Errorf("every test is named: %+v", r)
	}
}

// Generated tests of unittest may have names that are no identifiers.
func TestUnusualNamesOfUnittest(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in     string
		want   []Case
		failed string
		unread bool
	}{
		"a space": {`test_full (m.T.test_full) ... ok
test_one half (m.T.test_one half) ... FAIL
test_a (b) (m.T.test_a (b)) ... skipped 'no'
test-ü ... x (m.T.test-ü ... x)
A description ... ok
test_sub it (m.T.test_sub it) ...
  test_sub it (m.T.test_sub it) (i=0) ... FAIL

======================================================================
FAIL: test_one half (m.T.test_one half)
----------------------------------------------------------------------
AssertionError: 9 != 10

----------------------------------------------------------------------
Ran 5 tests in 0.001s

FAILED (failures=2, skipped=1)
`, []Case{{"m.T.test-ü ... x", Passed}, {"m.T.test_a (b)", Skipped}, {"m.T.test_full", Passed}, {"m.T.test_one half", Failed}, {"m.T.test_sub it", Failed}}, "m.T.test_one half", false},
		"Python 3.10":   {"test_one half (m.T) ... ok\nRan 1 test in 0.001s\n\nOK\n", []Case{{"m.T.test_one half", Passed}}, "", false},
		"a line end":    {"test_a (m.T.test_a) ... ok\ntest_b\nc (m.T.test_b\nc) ... ok\nRan 2 tests in 0.001s\n\nOK\n", nil, "", true},
		"without names": {"..\nRan 2 tests in 0.001s\n\nOK\n", nil, "", false},
		"prose":         {"test of it (see a.b) here\n.\nRan 1 test in 0.001s\n\nOK\n", nil, "", false},
	} {
		r, ok := Parse([]byte(c.in))
		if !ok || !slices.Equal(r.Cases, c.want) || r.Unread != c.unread || c.failed != "" && !slices.Contains(r.Names(), c.failed) {
			t.Errorf("%s: %v, unread %v, failures %v", name, r.Cases, r.Unread, r.Failures)
		}
	}
}

// A class that could not be set up is no test, and the others keep their names.
func TestJUnitClassFailures(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "classMethod", "initializationError", "executionError"} {
		r, err := JUnitXML([]byte(`<testsuite name="c.A" failures="1"><testcase classname="c.A" name="` + name + `"><failure message="boom"/></testcase></testsuite><testsuite><testcase classname="c.B" name="b"/></testsuite>`))
		if err != nil || r.Failed != 1 || len(r.Broken) != 1 || len(r.Cases) != 1 || r.Cases[0].ID != "c.B:b" {
			t.Errorf("%q: %+v, %v", name, r, err)
		}
	}
}

// Names are taken from a report of as many tests as were printed.
func TestNamed(t *testing.T) {
	t.Parallel()
	by := Report{Run: 2, Cases: []Case{{ID: "A:a", Outcome: Passed}, {ID: "Error", Outcome: Failed}}}
	if r := (Report{Run: 2, Failed: 1}).Named(by); len(r.Cases) != 1 || r.Cases[0].ID != "A:a" || r.Unread || len(by.Cases) != 2 {
		t.Errorf("%+v", r)
	}
	if r := (Report{Run: 4, Cases: []Case{{ID: "go:a"}, {ID: "go:b"}, {ID: "go:c", Outcome: Skipped}}}).Named(by); len(r.Cases) != 4 || r.Unread {
		t.Errorf("of two runners, one of which names its tests: %+v", r)
	}
	if r := (Report{Run: 3}).Named(by); r.Cases != nil || !r.Unread {
		t.Errorf("%+v", r)
	}
	if r := (Report{Run: 3}).Named(Report{}); r.Cases != nil || r.Unread {
		t.Errorf("%+v", r)
	}
}
