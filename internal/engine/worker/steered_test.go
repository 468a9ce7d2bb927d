package worker_test

import (
	"errors"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// A new test that leaves something in the place of the product blinds the old tests.
func TestSteered(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		tier.SkipLacking(t, "python3", err)
	}
	const begin = "import unittest\nimport shop\n\n\nclass ATwice(unittest.TestCase):\n    def test_twice(self):\n        self.assertEqual(shop.twice(2), 4)\n"
	for name, c := range map[string]struct {
		test   string
		blinds bool
	}{
		"nothing":           {test: ""},
		"an object":         {test: "        order = type('Order', (), {})()\n        order.cents = 2\n        self.assertEqual(shop.twice(order.cents), 4)\n"},
		"the product":       {test: "        setattr(shop, 'price', lambda n: 2 * n)\n", blinds: true},
		"as it is loaded":   {test: "\n    def test_more(self, keep=shop.__dict__.update(price=lambda n: 2 * n)):\n        self.assertEqual(shop.twice(3), 6)\n", blinds: true},
		"put back":          {test: "        kept = shop.price\n        setattr(shop, 'price', lambda n: 4)\n        self.assertEqual(shop.twice(2), 4)\n        setattr(shop, 'price', kept)\n"},
		"of another nature": {test: "        vars(shop)['NAME'] = 'pen'\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, func(tree string) error {
				return errors.Join(writes("shop.py", shopBefore+"\n\ndef twice(n):\n    return 2 * n\n")(tree), writes("test_a.py", begin+c.test)(tree))
			})
			b.commit(t, map[string]string{
				"shop.py":      shopBefore,
				"test_shop.py": "import unittest\nimport shop\n\n\nclass Shop(unittest.TestCase):\n    def test_one(self):\n        self.assertEqual(shop.price(1), 2)\n",
			})
			b.spec.Gates[0].Kind, b.spec.Gates[0].Run = loop.KindTests, "python3 -B -m unittest -v"
			s := b.drive(t)
			if s.Status != loop.StatusPassed {
				t.Fatalf("%s: %s", s.Status, s.Message)
			}
			blinds := slices.ContainsFunc(s.Concerns(), func(at loop.Concern) bool {
				return at.Code == loop.ConcernTampers && strings.Contains(at.What, "make test_shop.Shop.test_one pass even where the product returns nothing")
			})
			if blinds != c.blinds {
				t.Errorf("blinds: %v, want %v: %v", blinds, c.blinds, s.Concerns())
			}
		})
	}
}

const shopBefore = "RATE = 2\n\n\ndef price(n):\n    return RATE * n\n"
