package worker_test

import (
	"os/exec"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestFirstTestInAFileOfTests: where the base has a file of tests that holds none, a run with it as
// on the base finds no test, as the base did.
func TestFirstTestInAFileOfTests(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const helper = "import unittest\nimport shop\n\n\ndef shops():\n    return [shop]\n"
	b := newBench(t, func(tree string) error {
		if err := writes("shop.py", "def rate():\n    return 19\n")(tree); err != nil {
			return err
		}
		return writes("test_shop.py", helper+"\n\nclass Shop(unittest.TestCase):\n    def test_rate(self):\n        self.assertEqual(shop.rate(), 19)\n")(tree)
	})
	b.commit(t, map[string]string{"shop.py": "def other():\n    return 7\n", "test_shop.py": helper})
	b.spec.Gates = []loop.Gate{{Name: "tests", Kind: loop.KindTests, Level: loop.Hard, Run: "python3 -B -m unittest"}}
	b.spec.Proof, b.spec.Limits.MaxIterations = loop.ProofRequired, 1
	s := b.drive(t)
	if p := s.Last().Proof; s.Status != loop.StatusPassed || p.Label() != "proved: red by build" {
		t.Errorf("%s: %s; %+v", s.Status, s.Message, p)
	}
}
