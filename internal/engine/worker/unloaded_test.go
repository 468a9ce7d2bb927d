package worker_test

import (
	"os/exec"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestUnloadedTests: tests of the base that could not be loaded there have no names on
// the base, and must run and pass all the same.
func TestUnloadedTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const (
		tests  = "import unittest\nfrom tax import tax\n\nclass TaxTest(unittest.TestCase):\n    def test_tax(self):\n        self.assertEqual(tax(100), 19)\n"
		beside = "import unittest\n\nclass PriceTest(unittest.TestCase):\n    def test_price(self):\n        self.assertEqual(1, 1)\n"
		skip   = "import importlib\n\nBase = getattr(importlib.import_module('unit' + 'test'), 'Sk' + 'ipTest')\n\nclass Later(Base):\n    pass\n\n"
	)
	for name, c := range map[string]struct {
		work, reason string
		beside       bool
	}{
		"honest":             {work: "def tax(c):\n    return 19\n", beside: true},
		"honest, alone":      {work: "def tax(c):\n    return 19\n"},
		"the file is left":   {work: skip + "raise Later('x')\n", reason: "no test of test_tax.py ran and passed", beside: true},
		"the test is left":   {work: skip + "def tax(c):\n    raise Later('x')\n", reason: "no test of test_tax.py ran and passed", beside: true},
		"assertions changed": {work: "import unittest\n\nunittest.TestCase.assertEqual = lambda *a: None\n\ndef tax(c):\n    return 0\n", reason: "the test runner no longer reports failures"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("tax.py", c.work))
			files := map[string]string{"test_tax.py": tests}
			if c.beside {
				files["test_price.py"] = beside
			}
			b.commit(t, files)
			b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
			b.spec.Limits.MaxIterations = 1
			s := b.drive(t)
			want := loop.StatusPassed
			if c.reason != "" {
				want = loop.StatusFailed
			}
			if s.Status != want || !strings.Contains(s.Message, c.reason) {
				t.Errorf("%s/%s: %s; want %s, %q", s.Status, s.Reason, s.Message, want, c.reason)
			}
		})
	}
}
