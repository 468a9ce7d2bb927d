package worker_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// Where a gate measures coverage, new tests must see what the functions give that they call.
func TestCovered(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const begin = "import unittest\nimport shop\n\n\nclass More(unittest.TestCase):\n    def test_more(self):\n"
	for name, c := range map[string]struct {
		test, run string
		weak      bool
	}{
		"a value":          {test: "        self.assertEqual(shop.price('pen', 2), 4)\n"},
		"no assertion":     {test: "        shop.price('pen', 2)\n", weak: true},
		"itself":           {test: "        self.assertEqual(shop.price('pen', 2), shop.price('pen', 2))\n", weak: true},
		"an effect":        {test: "        shop.note([], 'pen')\n"},
		"no coverage":      {test: "        shop.price('pen', 2)\n", run: "python3 -B -m unittest -v"},
		"a value and none": {test: "        self.assertEqual(shop.price('pen', 2), 4)\n\n    def test_none(self):\n        shop.price('pen', 3)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, writes("test_more.py", begin+c.test))
			b.commit(t, map[string]string{
				"shop.py":      "def price(kind, n):\n    return 2 * n\n\n\ndef note(items, kind):\n    items.append(kind)\n    return len(items)\n",
				"test_shop.py": "import unittest\nimport shop\n\n\nclass Shop(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(shop.price('pen', 1), 2)\n",
				"cover.py":     "import os, sys\nif not os.path.exists('test_more.py'):\n    sys.exit('coverage 40% is below 80%')\n",
			})
			b.spec.Gates[0].Kind, b.spec.Gates[0].Run = loop.KindTests, "python3 -B -m unittest -v && python3 -B cover.py"
			if c.run != "" {
				b.spec.Gates[0].Run, b.spec.Proof = c.run, loop.ProofNone
			}
			s := b.drive(t)
			if s.Status != loop.StatusPassed {
				t.Fatalf("%s: %s", s.Status, s.Message)
			}
			weak := slices.ContainsFunc(s.Concerns(), func(at loop.Concern) bool {
				return at.Code == loop.ConcernWeak && strings.Contains(at.What, "return other values")
			})
			if weak != c.weak {
				t.Errorf("weak: %v, want %v: %v", weak, c.weak, s.Concerns())
			}
		})
	}
}
