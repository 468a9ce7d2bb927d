package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/loop"
)

func TestTestsGate(t *testing.T) {
	t.Parallel()
	say := func(lines string, code string) string {
		return "printf '" + strings.ReplaceAll(lines, "'", `'\''`) + "'; exit " + code
	}
	green, red := "1..2\nok 1 - a\nok 2 - b\n", "1..2\nok 1 - a\nnot ok 2 - b\n"
	xml := `<testsuite><testcase name="a"/><testcase name="b"><failure message="no"/></testcase></testsuite>`
	for name, c := range map[string]struct {
		gate   loop.Gate
		files  map[string]string
		want   loop.Verdict
		reason string
	}{
		"green":                    {gate: loop.Gate{Run: say(green, "0"), Parse: "tap"}, want: loop.Passed, reason: "2 tests passed"},
		"red":                      {gate: loop.Gate{Run: say(red, "1"), Parse: "tap"}, want: loop.Failed, reason: "1 of 2 tests failed: b"},
		"red, exit 0":              {gate: loop.Gate{Run: say(red, "0"), Parse: "tap"}, want: loop.Failed, reason: "1 of 2 tests failed: b"},
		"green, exit 1":            {gate: loop.Gate{Run: say(green, "1"), Parse: "tap"}, want: loop.Failed, reason: "exit code 1, although no test failed"},
		"nothing, exit 0":          {gate: loop.Gate{Run: "true", Parse: "tap"}, want: loop.Error, reason: "exit code 0, but no test results in the output"},
		"nothing, exit 1":          {gate: loop.Gate{Run: "false", Parse: "tap"}, want: loop.Error, reason: "exit code 1, and no test results in the output"},
		"earlier command failed":   {gate: loop.Gate{Run: "false && true", Parse: "tap"}, want: loop.Failed, reason: "exit code 1"},
		"other format":             {gate: loop.Gate{Run: say(green, "0"), Parse: "pytest"}, want: loop.Error, reason: "exit code 0, but no test results.*"},
		"plan not fulfilled":       {gate: loop.Gate{Run: say("1..5\nok 1\n", "0"), Parse: "tap"}, want: loop.Error, reason: "the test results are incomplete: 5 tests were planned and 1 reported"},
		"plan not fulfilled, 1":    {gate: loop.Gate{Run: say("1..5\nok 1\n", "1"), Parse: "tap"}, want: loop.Failed, reason: "exit code 1; the test results are incomplete: .*"},
		"no tests":                 {gate: loop.Gate{Run: say("TAP version 13\n1..0\n", "0"), Parse: "tap"}, want: loop.Failed, reason: "no tests ran"},
		"all skipped":              {gate: loop.Gate{Run: say("1..1\nok 1 # SKIP\n", "0"), Parse: "tap"}, want: loop.Failed, reason: "no tests ran, 1 skipped"},
		"none needed":              {gate: loop.Gate{Run: say("TAP version 13\n1..0\n", "0"), Parse: "tap", MinTests: new(0)}, want: loop.Passed, reason: "0 tests passed"},
		"enough":                   {gate: loop.Gate{Run: say(green, "0"), MinTests: new(2)}, want: loop.Passed, reason: "2 tests passed"},
		"one too few":              {gate: loop.Gate{Run: say(green, "0"), MinTests: new(3)}, want: loop.Failed, reason: "2 tests ran, 3 needed"},
		"min_tests, unreadable":    {gate: loop.Gate{Run: "true", MinTests: new(1)}, want: loop.Error, reason: "exit code 0, but no test results in the output"},
		"parse exit":               {gate: loop.Gate{Run: say(red, "0"), Parse: "exit"}, want: loop.Passed, reason: "exit code 0"},
		"parse exit, 1":            {gate: loop.Gate{Run: say(green, "1"), Parse: "exit"}, want: loop.Failed, reason: "exit code 1"},
		"unknown command":          {gate: loop.Gate{Run: "sh check.sh"}, files: map[string]string{"check.sh": "echo fine"}, want: loop.Passed, reason: "exit code 0"},
		"unknown, names failures":  {gate: loop.Gate{Run: say(red, "1"), Parse: "auto"}, want: loop.Failed, reason: "1 of 2 tests failed: b"},
		"unknown, quotes failures": {gate: loop.Gate{Run: say(red, "0"), Parse: "auto"}, want: loop.Passed, reason: "exit code 0"},
		"wrapper, unreadable":      {gate: loop.Gate{Run: "make -s test"}, files: map[string]string{"Makefile": "test:\n\t@echo fine\n"}, want: loop.Passed, reason: "exit code 0"},
		"wrapper, unreadable, bad": {gate: loop.Gate{Run: "make -s test"}, files: map[string]string{"Makefile": "test:\n\t@exit 3\n"}, want: loop.Failed, reason: "exit code 2"},
		"wrapper, readable":        {gate: loop.Gate{Run: "make -s test"}, files: map[string]string{"Makefile": "test:\n\t@printf '1..1\\nnot ok 1 - x\\n'\n"}, want: loop.Failed, reason: "1 of 1 tests failed: x"},
		"wrapper, two runners":     {gate: loop.Gate{Run: "make -s test"}, files: map[string]string{"Makefile": "test:\n\t@printf -- '--- FAIL: TestA (0.0s)\\nFAIL\\nFAIL\\tx/y\\t0.1s\\n'\n\t@printf '1..1\\nnot ok 1 - x: y\\n'\n"}, want: loop.Failed, reason: "tests failed: (x: y, TestA|TestA, x: y)"},
		"wrapper, then a runner":   {gate: loop.Gate{Run: "make -s test && go test ./..."}, files: map[string]string{"go.mod": "module x\n\ngo 1.24\n", "a_test.go": "package x\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n", "Makefile": "test:\n\t@printf '1..2\\nok 1 - x\\nok 2 - y\\n'\n"}, want: loop.Passed, reason: "3 tests passed"},
		"wrapper, nothing ran":     {gate: loop.Gate{Run: "make -s test"}, files: map[string]string{"Makefile": "test:\n\t@printf 'TAP version 13\\n1..0\\n'\n"}, want: loop.Failed, reason: "no tests ran"},
		"unittest":                 {gate: loop.Gate{Run: "python3 -m unittest"}, files: map[string]string{"test_a.py": "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): self.assertEqual(1, 2)\n"}, want: loop.Failed, reason: "1 of 1 tests failed: test_a.T.test_a"},
		"unittest, none":           {gate: loop.Gate{Run: "python3 -m unittest"}, want: loop.Failed, reason: "no tests ran"},
		"pytest is not installed":  {gate: loop.Gate{Run: "python3 -S -m pytest"}, want: loop.Error, reason: "Python has no module pytest"},
		"runner crashed":           {gate: loop.Gate{Run: "exec sh -c 'echo 1..1; echo ok 1; kill -SEGV $$'", Parse: "tap"}, want: loop.Failed, reason: "ended by a signal: SIGSEGV"},
		"junit file":               {gate: loop.Gate{Run: "cp r.txt r.xml; exit 1", Parse: "junit:r.xml"}, files: map[string]string{"r.txt": xml}, want: loop.Failed, reason: "1 of 2 tests failed: b"},
		"junit files":              {gate: loop.Gate{Run: "cp r.txt out/a.xml; cp r.txt out/b.xml", Parse: "junit:out/*.xml"}, files: map[string]string{"r.txt": xml, "out/old.xml": "<testsuite><testcase name='x'/></testsuite>"}, want: loop.Failed, reason: "2 of 4 tests failed: b"},
		"junit file missing":       {gate: loop.Gate{Run: "true", Parse: "junit:r.xml"}, want: loop.Error, reason: "report r.xml was not written"},
		"junit file stale":         {gate: loop.Gate{Run: "true", Parse: "junit:r.xml"}, files: map[string]string{"r.xml": xml}, want: loop.Error, reason: "report r.xml was there before and was not written again"},
		"junit file cut":           {gate: loop.Gate{Run: "head -c 60 r.txt > r.xml", Parse: "junit:r.xml"}, files: map[string]string{"r.txt": xml}, want: loop.Error, reason: "report r.xml: .*"},
		"junit file, exit 1":       {gate: loop.Gate{Run: "false", Parse: "junit:r.xml"}, want: loop.Error, reason: "exit code 1; report r.xml was not written"},
		"junit outside":            {gate: loop.Gate{Run: "true", Parse: "junit:../r.xml"}, want: loop.Error, reason: ".*is not inside the tree"},
		"junit printed":            {gate: loop.Gate{Run: "echo log; cat r.txt; exit 1", Parse: "junit"}, files: map[string]string{"r.txt": xml}, want: loop.Failed, reason: "1 of 2 tests failed: b"},
		"junit not printed":        {gate: loop.Gate{Run: "echo log", Parse: "junit"}, want: loop.Error, reason: "no JUnit report"},
		"packages only":            {gate: loop.Gate{Run: say("ok  \tp\t0.1s\n", "0"), Parse: "gotest"}, want: loop.Passed, reason: "exit code 0, number of tests unknown"},
		"packages only, min":       {gate: loop.Gate{Run: say("ok  \tp\t0.1s\n", "0"), Parse: "gotest", MinTests: new(5)}, want: loop.Error, reason: "5 tests needed, and the output names only 1 package: .*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files)
			c.gate.Kind = loop.KindTests
			want(t, p.run(c.gate), c.want, c.reason)
		})
	}
}

func TestGoTestGate(t *testing.T) {
	t.Parallel()
	test := "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {}\n\nfunc TestB(t *testing.T) { t.Run(\"x\", func(t *testing.T) { t.Error(\"want 401, got 200\") }) }\n"
	p := newPlace(t, map[string]string{"go.mod": "module example.test/p\n\ngo 1.24\n", "p_test.go": test})
	g := loop.Gate{Kind: loop.KindTests, Run: "go test -json ./..."}
	res := p.run(g)
	if want(t, res, loop.Failed, "1 of 2 tests failed: TestB/x"); t.Failed() {
		on, err := os.ReadFile(filepath.Join(p.tree, "p_test.go"))
		t.Logf("the test on the disk (%v):\n%s", err, on)
	}
	if res.Tests == nil || res.Tests.Run != 2 || res.Tests.Failing[0] != "example.test/p:TestB/x" || !strings.Contains(res.Excerpt, "    p_test.go:7: want 401, got 200\n") {
		t.Errorf("%+v\n%s", res.Tests, res.Excerpt)
	}
	g.Run = "go test ./..."
	plain := p.run(g)
	want(t, plain, loop.Failed, "1 of 2 tests failed: TestB/x")
	if plain.Fingerprint != res.Fingerprint {
		t.Errorf("the same failure: %s with -json, %s without", res.Fingerprint, plain.Fingerprint)
	}
	p.write("p_test.go", strings.Replace(test, "got 200", "got 500", 1))
	if other := p.run(g); other.Fingerprint != plain.Fingerprint || other.Detail == plain.Detail {
		t.Errorf("another value of the same test: %s.%s after %s.%s", other.Fingerprint, other.Detail, plain.Fingerprint, plain.Detail)
	}
	p.write("p_test.go", strings.Replace(test, "TestA(", "TestB(", 1))
	broken := p.run(g)
	p.write("p_test.go", strings.Replace(test, "t.Error(", "undefined(", 1))
	if other := p.run(g); other.Fingerprint == broken.Fingerprint {
		t.Error("two build failures are taken for one")
	}
	p.write("p_test.go", strings.Replace(test, "t.Error(", "t.Log(", 1))
	want(t, p.run(g), loop.Passed, "2 tests passed")
}

// TestRandomOrderIsOneFailure: a test that ranges over a map reports something else
// each time, and fails at the same thing.
func TestRandomOrderIsOneFailure(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"go.mod": "module example.test/p\n\ngo 1.24\n", "p_test.go": `package p

import "testing"

func TestMap(t *testing.T) {
	for k, v := range map[string]int{"a": 1, "b": 2, "c": 3, "d": 4, "e": 5, "f": 6, "g": 7, "h": 8} {
		t.Fatalf("%s: want %d, got 0", k, v)
	}
}
`})
	seen := map[string]bool{}
	for range 6 {
		seen[p.run(loop.Gate{Kind: loop.KindTests, Run: "go test ./... -count=1"}).Fingerprint] = true
	}
	if len(seen) != 1 {
		t.Errorf("%d fingerprints of one failure", len(seen))
	}
}

func TestFailingNamesAreCapped(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	res := p.run(loop.Gate{Kind: loop.KindTests, Parse: "tap", Run: `i=0; while [ $i -lt 60 ]; do i=$((i+1)); echo "not ok $i - t$i"; done; echo 1..60; exit 1`})
	want(t, res, loop.Failed, "60 of 60 tests failed: t1, t10, t11 and 57 more")
	if res.Tests.Failed != 60 || len(res.Tests.Failing) != 50 {
		t.Errorf("%+v", res.Tests)
	}
}

// A command that named its tests on the base must name them on the work: if
// not, something took its runner away.
func TestNamesItsTestsAsBefore(t *testing.T) {
	t.Parallel()
	before := &loop.Result{Gate: "g", Verdict: loop.Failed, Tests: &loop.Tests{Run: 2, Failed: 1}}
	for name, c := range map[string]struct {
		gate   loop.Gate
		base   *loop.Result
		want   loop.Verdict
		reason string
	}{
		"silent now":        {loop.Gate{Run: "true"}, before, loop.Error, "exit code 0, but no test results in the output"},
		"silent always":     {loop.Gate{Run: "true"}, &loop.Result{Gate: "g", Verdict: loop.Failed}, loop.Passed, "exit code 0"},
		"by exit code only": {loop.Gate{Run: "true", Parse: "exit"}, before, loop.Passed, "exit code 0"},
		"still named":       {loop.Gate{Run: "printf '1..2\\nok 1 - a\\nok 2 - b\\n'"}, before, loop.Passed, ".*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			c.gate.Kind = loop.KindTests
			r := p.request(c.gate)
			r.Baseline = c.base
			res, err := Run(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			want(t, res, c.want, c.reason)
		})
	}
}
