package gate

import (
	"testing"

	"ralph/internal/loop"
)

// TestStoppedGate: where a runner stopped before its end, no number of tests is told, whether it
// says so or the gate's command has it stop.
func TestStoppedGate(t *testing.T) {
	t.Parallel()
	const tests = "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) { act(t) }\n\nfunc TestB(t *testing.T) { act(t) }\n"
	const act = "package p\n\nimport \"testing\"\n\n"
	const red = `1..2\nok 1 - a\nnot ok 2 - b\n`
	for name, c := range map[string]struct {
		run, act, reason string
		count            loop.Count
	}{
		"red":                  {"go test ./...", "func act(t *testing.T) { t.Error() }", "2 of 2 tests failed: TestA, TestB", 2},
		"panic":                {"go test ./...", "func act(*testing.T) { panic(1) }", "1 test failed, and others may not have run: TestA (panic: 1 [recovered, repanicked])", loop.Unknown},
		"deadline":             {"go test -timeout 1s ./...", "func act(*testing.T) { select {} }", "1 test failed, and others may not have run: TestA (panic: test timed out after 1s)", loop.Unknown},
		"first failure":        {"go test -failfast ./...", "func act(t *testing.T) { t.Error() }", "1 test failed, and others may not have run: TestA", loop.Unknown},
		"deadline, by make":    {"make -s test", "func act(*testing.T) { select {} }", "1 test failed, and others may not have run: TestA (panic: test timed out after 1s)", loop.Unknown},
		"an exit":              {"go test ./...", "func init() { panic(\"no database\") }\n\nfunc act(*testing.T) {}", "the run stopped before its tests ended: example.test/p (panic: no database)", loop.Unknown},
		"does not build":       {"go test ./...", "func act(*testing.T) { x }", "not tested, since it does not build or load: example.test/p", loop.Unknown},
		"bail":                 {"printf '" + red + "'; exit 1 # npx jest --bail=1", "", "1 test failed, and others may not have run: b", loop.Unknown},
		"jest -b":              {"printf '" + red + "'; exit 1 # npx jest -b", "", "1 test failed, and others may not have run: b", loop.Unknown},
		"no fail fast":         {"printf '" + red + "'; exit 1 # cargo test --no-fail-fast", "", "1 of 2 tests failed: b", 2},
		"unittest -f":          {"printf '" + red + "'; exit 1 # python3 -m unittest -v -f", "", "1 test failed, and others may not have run: b", loop.Unknown},
		"told to stop, and no": {"printf '" + `1..2\nok 1 - a\nok 2 - b\n` + "' # --bail", "", "exit code 0", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{"go.mod": "module example.test/p\n\ngo 1.24\n", "p_test.go": tests, "act_test.go": act + c.act + "\n", "Makefile": "test:\n\tgo test -timeout 1s ./...\n"})
			r := p.run(loop.Gate{Kind: loop.KindTests, Run: c.run})
			if r.Reason != c.reason || r.Tests == nil || r.Tests.Run != c.count {
				t.Errorf("%q of %+v, want %q of %d\n%s", r.Reason, r.Tests, c.reason, c.count, r.Excerpt)
			}
		})
	}
}
