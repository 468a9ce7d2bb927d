package gate

import (
	"strings"
	"testing"

	"ralph/internal/loop"
)

// The reports of Gradle and Maven count where they write them by themselves.
func TestUsualReports(t *testing.T) {
	t.Parallel()
	const (
		green  = "<testsuite><testcase classname='c.A' name='a'/><testcase classname='c.A' name='b'/></testsuite>"
		red    = "<testsuite><testcase classname='c.A' name='a'/><testcase classname='c.A' name='b'><failure/></testcase></testsuite>"
		silent = "exit code 0, but no test results in the output, and no new report in .*parse: junit:PATH"
	)
	before := &loop.Result{Gate: "g", Verdict: loop.Failed, Tests: &loop.Tests{Run: 2, Failed: 1}}
	to := func(at, report, rest string) string {
		return "#!/bin/sh\nmkdir -p " + at + "\necho \"" + report + "\" > " + at + "/TEST-c.A.xml\n" + rest
	}
	for name, c := range map[string]struct {
		gate   loop.Gate
		script string
		files  map[string]string
		want   loop.Verdict
		reason string
	}{
		"Gradle":               {loop.Gate{Run: "./gradlew --no-daemon test"}, to("build/test-results/test", green, ""), nil, loop.Passed, "2 tests passed"},
		"Gradle, red":          {loop.Gate{Run: "./gradlew test"}, to("build/test-results/test", red, "echo '2 tests completed, 1 failed'; exit 1"), nil, loop.Failed, "1 of 2 tests failed: c.A:b"},
		"red, exit 0":          {loop.Gate{Run: "./gradlew test"}, to("build/test-results/test", red, ""), nil, loop.Failed, "1 of 2 tests failed: c.A:b"},
		"subprojects":          {loop.Gate{Run: "./gradlew check"}, to("app/build/test-results/test", green, "") + to("lib/core/build/test-results/slow", green, ""), nil, loop.Passed, "4 tests passed"},
		"Maven":                {loop.Gate{Run: "./mvnw -B test"}, to("target/surefire-reports", green, "echo 'Tests run: 2, Failures: 0, Errors: 0, Skipped: 0'"), nil, loop.Passed, "2 tests passed"},
		"Failsafe":             {loop.Gate{Run: "./mvnw verify"}, to("a/target/failsafe-reports", green, ""), nil, loop.Passed, "2 tests passed"},
		"in a folder":          {loop.Gate{Run: "cd sub && ../gradlew test"}, to("build/test-results/test", green, ""), map[string]string{"sub/x": ""}, loop.Passed, "2 tests passed"},
		"the gate's folder":    {loop.Gate{Run: "../gradlew test", Dir: "sub"}, to("build/test-results/test", green, ""), map[string]string{"sub/x": ""}, loop.Passed, "2 tests passed"},
		"with another check":   {loop.Gate{Run: "./check.sh && ./gradlew test"}, to("build/test-results/test", green, ""), nil, loop.Passed, "2 tests passed"},
		"more tests printed":   {loop.Gate{Run: "./mvnw test"}, to("target/surefire-reports", green, "echo 'Tests run: 5, Failures: 0, Errors: 0, Skipped: 0'"), nil, loop.Passed, "5 tests passed"},
		"a stale report":       {loop.Gate{Run: "./gradlew test"}, to("build/test-results/test", green, ""), map[string]string{"build/test-results/test/TEST-old.xml": red}, loop.Passed, "2 tests passed"},
		"stale reports alone":  {loop.Gate{Run: "./gradlew test"}, "#!/bin/sh\n", map[string]string{"build/test-results/test/TEST-old.xml": green}, loop.Error, silent},
		"no reports":           {loop.Gate{Run: "./gradlew test"}, "#!/bin/sh\n", nil, loop.Error, silent},
		"no reports, printed":  {loop.Gate{Run: "./mvnw test"}, "#!/bin/sh\necho 'Tests run: 5, Failures: 0, Errors: 0, Skipped: 1'\n", nil, loop.Passed, "4 tests passed, 1 skipped"},
		"other files":          {loop.Gate{Run: "./gradlew test"}, to("target/surefire-reports/x", "<x/>", "mv target/surefire-reports/x/TEST-c.A.xml target/surefire-reports/testng-results.xml"), nil, loop.Error, silent},
		"no report of JUnit":   {loop.Gate{Run: "./gradlew test"}, to("build/test-results/test", "<x/>", ""), nil, loop.Error, "report build/test-results/test/TEST-c.A.xml: no JUnit report"},
		"another runner, too":  {loop.Gate{Run: "./gradlew test && python3 -m unittest"}, to("build/test-results/test", green, ""), map[string]string{"test_a.py": "import unittest\nclass T(unittest.TestCase):\n  def test_a(self): pass\n"}, loop.Passed, "1 test passed"},
		"by exit code":         {loop.Gate{Run: "./gradlew test", Parse: "exit"}, to("build/test-results/test", red, ""), nil, loop.Passed, "exit code 0"},
		"not built":            {loop.Gate{Run: "./gradlew test"}, "#!/bin/sh\nexit 1\n", nil, loop.Failed, "exit code 1"},
		"a folder of packages": {loop.Gate{Run: "./gradlew test"}, to("node_modules/build/test-results/x", green, ""), nil, loop.Error, silent},
		"a test that is ended": {loop.Gate{Run: "./mvnw test"}, to("target/surefire-reports", green, "exit 1"), nil, loop.Failed, "exit code 1, although no test failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files)
			p.write("gradlew", c.script)
			p.write("mvnw", c.script)
			p.write("check.sh", "#!/bin/sh\n")
			c.gate.Kind = loop.KindTests
			r := p.request(c.gate)
			if strings.Contains(c.reason, "no ") {
				r.Baseline = before
			}
			want(t, p.do(r), c.want, c.reason)
		})
	}
}
