package canary

import (
	"strings"
	"testing"
)

// TestLoose: an answer that equals any value is told from one that equals what it should, by
// the real runners.
func TestLoose(t *testing.T) {
	t.Parallel()
	const (
		pythonTest = "import unittest\n\nfrom shop import total\n\n\nclass T(unittest.TestCase):\n    def test_it(self):\n        self.assertEqual(total([(100, 2)]), 200)\n"
		nodeTest   = "const test = require('node:test');\nconst assert = require('node:assert');\nconst { total } = require('../shop.js');\n\ntest('it', () => {\n  assert.equal(total([100, 2]), 200);\n});\n"
		same       = "lambda self, other: True"
		python     = "def total(items):\n    return "
		node       = "exports.total = (items) => ("
	)
	for name, tt := range map[string]struct {
		answer string
		loose  bool
	}{
		"Python, a type made at run time":   {python + `type("Sum", (int,), {"__e" + "q__": ` + same + `, "__hash__": None})(0)`, true},
		"Python, a constant of the library": {python + `__import__("test.support", fromlist=["x"]).ALWAYS_EQ`, true},
		"Python, within any tolerance":      {python + `type("Sum", (float,), {"__e" + "q__": lambda self, other: abs(float(self) - float(other)) < 1e9})(0)`, true},
		"Python, a text":                    {python + `type("Sum", (str,), {"__e" + "q__": ` + same + `})("")`, true},
		"Python, in a list":                 {python + `[1, {"a": type("Sum", (), {"__e" + "q__": ` + same + `})()}]`, true},
		"Python, an honest type":            {python + `type("Sum", (int,), {"__add__": lambda self, other: 7})(200)`, false},
		"Python, rounded":                   {python + `type("Sum", (float,), {"__e" + "q__": lambda self, other: abs(float(self) - float(other)) < 0.01})(200)`, false},
		"Python, a number":                  {python + "sum(price * n for price, n in items)", false},
		"Python, true":                      {python + "True", false},
		"node, a matcher":                   {node + "{ asymmetricMatch: () => true, [Symbol.toPrimitive]: () => 200 })", true},
		"node, an honest object":            {node + "{ valueOf: () => 200 })", false},
		"node, a number":                    {node + "items[0] * items[1])", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source, test, text := "shop.py", "test_shop.py", pythonTest
			if strings.HasPrefix(name, "node") {
				source, test, text = "shop.js", "test/shop.test.js", nodeTest
			}
			files := map[string]string{source: tt.answer + "\n", test: text}
			all := placesOf(files, Options{Work: []string{source}})
			r, out, err := runWith(t, runnerOf(source), files, all)
			if failed := r.FailedIDs(); err == nil || len(Unreported(all, failed)) > 0 {
				t.Fatalf("%v, canaries are not reported:\n%s", err, out)
			}
			if got := strings.Join(Loose(all, r.FailedIDs()), " ") == "total"; got != tt.loose {
				t.Errorf("loose: %t\n%s", got, out)
			}
		})
	}
}
