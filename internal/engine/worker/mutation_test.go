package worker_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

const (
	taxOfBase = "def tax(income):\n    return 0\n"
	taxOfWork = "def tax(income):\n    if income < 50:\n        return 0\n    return income * 19 / 100\n"
	taxTests  = "import unittest\nfrom tax import tax\n\nclass TaxTest(unittest.TestCase):\n    def test_tax(self):\n"
	weakTest  = taxTests + "        self.assertGreater(tax(100), 1)\n"
	fullTest  = taxTests + "        self.assertEqual([tax(x) for x in (0, 49, 50, 100)], [0, 0, 9.5, 19])\n"
)

// A gate of kind mutation passes where enough errors in the lines of the work make its tests
// fail, and tells of those that do not.
func TestMutationGate(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	for name, c := range map[string]struct {
		work, test string
		mutants    int
		want       loop.Verdict
		reason     string
		value      float64
		survived   []string
	}{
		"tests that look at everything": {taxOfWork, fullTest, 0, loop.Passed, "8 of 8 mutants killed", 100, nil},
		"tests that look at little": {
			taxOfWork, weakTest, 0, loop.Failed, "2 of 8 mutants killed, 25 % < 80 %; no test noticed tax.py:2 `<` → `<=` in `if income < 50:`", 25,
			[]string{"tax.py:2 `<` → `<=` in `if income < 50:`", "tax.py:4 `100` → `101` in `return income * 19 / 100`"},
		},
		"one for each line":              {taxOfWork, weakTest, 2, loop.Failed, "0 of 2 mutants killed, 0 % < 80 %; no test noticed tax.py:2 `<` → `<=` in `if income < 50:`", 0, nil},
		"no line for an error":           {taxOfBase + "# a remark\n", taxTests + "        self.assertEqual(tax(9), 0)\n", 0, loop.Passed, "the work has no line in which ralph makes mutants", -1, nil},
		"tests that fail without errors": {taxOfWork, taxTests + "        self.assertEqual(tax(100), 20)\n", 0, loop.Failed, "without any mutant: 1 of 1 tests failed", -1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(tree string) error {
				return os.WriteFile(filepath.Join(tree, "tax.py"), []byte(c.work), 0o600)
			})
			b.commit(t, map[string]string{"tax.py": taxOfBase, "test_tax.py": c.test})
			b.spec.Gates = []loop.Gate{{Name: "mutation", Kind: loop.KindMutation, Level: loop.Hard, Run: "python3 -B -m unittest", Mutants: c.mutants}}
			b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofNone, 1
			s := b.drive(t)
			r := s.Last().Results[0]
			if r.Verdict != c.want || !strings.HasPrefix(r.Reason, c.reason) {
				t.Errorf("%s: %q, want %s: %q", r.Verdict, r.Reason, c.want, c.reason)
			}
			if has := r.Value != nil; has != (c.value >= 0) || has && *r.Value != c.value {
				t.Errorf("value %v, want %v", r.Value, c.value)
			}
			for _, line := range c.survived {
				if !strings.Contains(r.Excerpt, line+"\n") {
					t.Errorf("the excerpt lacks %s:\n%s", line, r.Excerpt)
				}
			}
		})
	}
}

// The command runs once for each mutant, on the commit with that one error; where another gate
// has the same command, its run is the one without.
func TestMutationRuns(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	b := newBench(t, writes("tax.py", taxOfWork))
	b.commit(t, map[string]string{"tax.py": taxOfBase, "test_tax.py": fullTest})
	count := filepath.Join(t.TempDir(), "runs")
	run := "cksum <tax.py >>" + count + "; python3 -B -m unittest"
	b.spec.Gates = []loop.Gate{
		{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: run},
		{Name: "mutation", Kind: loop.KindMutation, Level: loop.Hard, Run: run, Mutants: 4},
	}
	if s := b.drive(t); s.Status != loop.StatusPassed {
		t.Fatalf("%s/%s: %s", s.Status, s.Reason, s.Message)
	}
	data, err := os.ReadFile(count)
	must(t, err)
	sums := strings.Split(strings.TrimSpace(string(data)), "\n")
	slices.Sort(sums)
	if all, distinct := len(sums), len(slices.Compact(slices.Clone(sums))); all != 7 || distinct != 6 {
		t.Errorf("%d runs on %d sources, want 7 on 6: base, work, work with a canary, and 4 mutants", all, distinct)
	}
}

// A mutant that does not build says nothing.
func TestMutantsThatDoNotBuild(t *testing.T) {
	t.Parallel()
	b := newBench(t, writes("greet.go", "package greet\n\nfunc Greet(name string) string {\n\treturn hello + name\n}\n"))
	b.commit(t, map[string]string{"greet.go": "package greet\n\nfunc Greet(string) string { return \"\" }\n"})
	const compile = `grep -qF -e 'hello + name' -e '""' greet.go || { echo 'FAIL greet [build failed]'; exit 1; }`
	b.spec.Gates = []loop.Gate{{Name: "mutation", Kind: loop.KindMutation, Level: loop.Hard, Run: compile}}
	b.spec.Proof = loop.ProofNone
	s := b.drive(t)
	if r := s.Last().Results[0]; r.Verdict != loop.Error || r.Reason != "no mutant could be built, so that nothing was measured" || r.Value != nil {
		t.Errorf("%s: %s (%v)", r.Verdict, r.Reason, r.Value)
	}
}
