package testout

import (
	"slices"
	"strings"
	"testing"
)

// Outputs of several runners, one after the other.
const (
	goPlain   = "=== RUN   TestA\n--- PASS: TestA (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nPASS\nok  \tx/level\t0.1s\n"
	goEvents  = `{"Action":"run","Package":"x/level","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"x/level","Test":"TestA"}` + "\n" + `{"Action":"pass","Package":"x/level"}` + "\n"
	pyRun     = "...      [100%]\n=== short test summary info ===\nPASSED a.py::one\nPASSED a.py::two\nPASSED a.py::three\n3 passed in 0.03s\n"
	cargoRun  = "running 2 tests\ntest m::a ... ok\ntest m::b ... FAILED\n\nfailures:\n\n---- m::b stdout ----\nassertion failed\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored\n"
	cargoDots = "running 4 tests\n....\ntest result: ok. 4 passed; 0 failed; 0 ignored; 0 measured\n"
	tapRun    = "TAP version 13\nok 1 - first\nok 2 - second\n1..2\n"
	jestRun   = "PASS ./a.test.js\n  s\n    ✓ name (3 ms)\n\nTests:       1 passed, 1 total\n"
	mochaRun  = "  s\n    ✔ other\n\n  1 passing (3ms)\n"
	unitRun   = "test_x (m.T.test_x) ... ok\n\n----------------------------------------------------------------------\nRan 1 test in 0.001s\n\nOK\n"
)

func TestSeveralRunners(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in                   string
		run, failed, skipped int
		names                string
		partial, unknown     bool
	}{
		"one":                      {in: pyRun, run: 3, names: "a.py::one a.py::three a.py::two"},
		"Go and pytest":            {in: "cd s\n" + goPlain + "cd c\n" + pyRun, run: 4, skipped: 1, names: "a.py::one a.py::three a.py::two x/level:TestA x/level:TestB"},
		"pytest and events of Go":  {in: pyRun + goEvents, run: 4, names: "a.py::one a.py::three a.py::two x/level:TestA"},
		"events and text of Go":    {in: goEvents + strings.ReplaceAll(goPlain, "x/", "y/"), run: 2, skipped: 1, names: "x/level:TestA y/level:TestA y/level:TestB"},
		"the same of Go twice":     {in: goEvents + goPlain, run: 1, skipped: 1, names: "x/level:TestA x/level:TestB"},
		"Go and TAP":               {in: goPlain + tapRun, run: 3, skipped: 1, names: "first second x/level:TestA x/level:TestB"},
		"cargo fails, then pytest": {in: cargoRun + pyRun, run: 5, failed: 1, names: "a.py::one a.py::three a.py::two m::a m::b"},
		"no names of one":          {in: cargoDots + pyRun, run: 7, names: "a.py::one a.py::three a.py::two", partial: true},
		"jest and Go":              {in: jestRun + goPlain, run: 2, skipped: 1, names: "a.test.js > s > name x/level:TestA x/level:TestB"},
		"mocha and pytest":         {in: mochaRun + pyRun, run: 4, names: "a.py::one a.py::three a.py::two s > other"},
		"unittest and pytest":      {in: unitRun + pyRun, run: 4, names: "a.py::one a.py::three a.py::two m.T.test_x"},
		"three":                    {in: unitRun + pyRun + goPlain, run: 5, skipped: 1, names: "a.py::one a.py::three a.py::two m.T.test_x x/level:TestA x/level:TestB"},
		"a package without tests":  {in: "?   \tx\t[no test files]\n" + pyRun, run: 3, names: "a.py::one a.py::three a.py::two"},
		"number unknown":           {in: "ok  \tx/level\t0.1s\n" + pyRun, run: 4, names: "a.py::one a.py::three a.py::two", partial: true, unknown: true},
		// What tests print is no runner's result.
		"printed by a test of Go": {in: "=== RUN   TestP\n== 1 failed in 0.1s ==\n--- PASS: TestP (0.00s)\n=== RUN   TestQ\n--- PASS: TestQ (0.00s)\nok  \tx\t0.1s\n", run: 2, names: "x:TestP x:TestQ"},
		"shown by pytest":         {in: "F..      [100%]\n=== FAILURES ===\n___ one ___\n" + "running 1 test\ntest z ... FAILED\ntest result: FAILED. 0 passed; 1 failed; 0 ignored\n=== short test summary info ===\nPASSED a.py::two\nPASSED a.py::three\nFAILED a.py::one - x\n1 failed, 2 passed in 0.03s\n", run: 3, failed: 1, names: "a.py::one a.py::three a.py::two"},
		"gotestsum":               {in: goPlain + "\nDONE 2 tests, 1 skipped in 0.1s\n", run: 1, skipped: 1, names: "x/level:TestA x/level:TestB"},
		"ctest":                   {in: unitRun + "100% tests passed, 0 tests failed out of 1\n", run: 1, names: "m.T.test_x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, ok := Parse([]byte(c.in))
			var names []string
			for _, x := range r.Cases {
				names = append(names, x.ID)
			}
			if !ok || r.Run != c.run || r.Failed != c.failed || r.Skipped != c.skipped || strings.Join(names, " ") != c.names || r.Partial != c.partial || r.AtLeast != c.unknown || r.Incomplete != "" {
				t.Errorf("%v %+v", ok, r)
			}
		})
	}
}

// A failure belongs to the format of its runner.
func TestFormatsOfFailures(t *testing.T) {
	t.Parallel()
	r, _ := Parse([]byte(cargoRun + "FAIL\tx/level [build failed]\n"))
	i := slices.IndexFunc(r.Failures, func(f Failure) bool { return f.ID == "x/level" })
	if len(r.Failures) != 2 || i < 0 || r.Failures[i].NamesTest() || !r.Failures[1-i].NamesTest() {
		t.Errorf("%+v", r.Failures)
	}
}
