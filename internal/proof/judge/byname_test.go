package judge

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// What tests compare by, and no source of the product imports, judges, whatever it imports
// itself.
func TestNamedHelpers(t *testing.T) {
	t.Parallel()
	golang := prooftest.Tree{"go.mod": "module shop\n", "tax.go": "package shop\n", "tax_test.go": "package shop\n\nimport \"shop/internal/assert\"\n"}
	node := prooftest.Tree{"src/tax.js": "exports.tax = 1\n", "test/tax.test.js": "const { same } = require('../lib/expect')\nconst { tax } = require('../src/tax')\n"}
	python := prooftest.Tree{"shop/__init__.py": "", "shop/tax.py": "RATE = 19\n", "tests/test_tax.py": "from shop.testkit import same\nfrom shop.tax import RATE\n"}
	many := prooftest.Tree{"lib/expect.js": "exports.same = 1\n"}
	for i := range MostFollowed + 1 {
		many[fmt.Sprintf("src/a%d.js", i)] = "exports.a = 1\n"
	}
	for name, c := range map[string]struct {
		base prooftest.Tree
		more prooftest.Tree // joins the base
		file string
		want bool
	}{
		"go":                               {golang, prooftest.Tree{"internal/assert/assert.go": "package assert\n"}, "internal/assert/assert.go", true},
		"go, also the product":             {golang, prooftest.Tree{"internal/assert/assert.go": "package assert\n", "run.go": "package shop\n\nimport \"shop/internal/assert\"\n"}, "internal/assert/assert.go", false},
		"go, by the helpers":               {golang, prooftest.Tree{"internal/assert/assert.go": "package assert\n", "internal/testkit/kit.go": "package testkit\n\nimport \"shop/internal/assert\"\n"}, "internal/assert/assert.go", true},
		"go, used by no test":              {golang, prooftest.Tree{"internal/expect/expect.go": "package expect\n"}, "internal/expect/expect.go", false},
		"go, a package of the product":     {prooftest.Tree{"go.mod": "module assert\n", "assert/assert.go": "package assert\n", "assert/assert_test.go": "package assert_test\n\nimport \"shop/assert\"\n"}, nil, "assert/assert.go", false},
		"go, what a test hands over":       {golang, prooftest.Tree{"check/check.go": "package check\n\ntype T interface {\n\tHelper()\n\tErrorf(string, ...any)\n}\n"}, "check/check.go", true},
		"go, a log":                        {golang, prooftest.Tree{"log/log.go": "package log\n\ntype Log interface {\n\tErrorf(string, ...any)\n\tFatalf(string, ...any)\n}\n\nfunc Helper() {}\n"}, "log/log.go", false},
		"node":                             {node, prooftest.Tree{"lib/expect.js": "exports.same = 1\n"}, "lib/expect.js", true},
		"node, a folder":                   {node, prooftest.Tree{"lib/expect/index.js": "exports.same = 1\n"}, "lib/expect/index.js", true},
		"node, also the product":           {node, prooftest.Tree{"lib/expect.js": "exports.same = 1\n", "src/a.js": "import '../lib/expect.js'\n"}, "lib/expect.js", false},
		"node, the product":                {prooftest.Tree{"expect.js": "exports.same = 1\n", "test/a.test.js": "const e = require('../expect')\nconst { test } = require('node:test')\n"}, nil, "expect.js", false},
		"node, an ordinary name":           {node, prooftest.Tree{"lib/expects-tax.js": "exports.same = 1\n"}, "lib/expects-tax.js", false},
		"python":                           {python, prooftest.Tree{"shop/testkit.py": "def same(a, b): assert a == b\n"}, "shop/testkit.py", true},
		"python, in a list":                {python, prooftest.Tree{"shop/testkit.py": "def same(a, b): assert a == b\n", "tests/test_tax.py": "from shop.tax import RATE\nfrom shop import (\n    testkit,\n)\n"}, "shop/testkit.py", true},
		"python, also the product":         {python, prooftest.Tree{"shop/testkit.py": "def same(a, b): assert a == b\n", "shop/run.py": "from .testkit import same\n"}, "shop/testkit.py", false},
		"python, files to compare with":    {python, prooftest.Tree{"shop/golden.py": "def matches(a): pass\n", "tests/test_page.py": "from shop.golden import matches\nfrom shop.tax import RATE\n"}, "shop/golden.py", true},
		"python, of another package":       {python, prooftest.Tree{"a/shop_testing.py": "def same(a, b): assert a == b\n", "b/beta.py": "x = 1\n", "b/test_b.py": "import shop_testing\nfrom beta import x\n"}, "a/shop_testing.py", true},
		"python, a module that tests name": {python, nil, "shop/tax.py", false},
		"node, among many sources":         {node, many, "lib/expect.js", true},
	} {
		base := maps.Clone(c.base)
		maps.Copy(base, c.more)
		k, _ := change("true", base, prooftest.Tree{c.file: base[c.file] + "\n"})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(got.SetAside, c.file) != c.want {
			t.Errorf("%s: set aside %q", name, got.SetAside)
		}
	}
}
