package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// Product code that gives tests something else in place of a judge file is named.
func TestReplacedHelpers(t *testing.T) {
	t.Parallel()
	python := prooftest.Tree{
		"shop/testing.py": "import unittest\n\ndef same(a, b):\n    pass\n", "shop/tax.py": "x = 1\n",
		"shop/__init__.py": "from .tax import tax\n", "bill/__init__.py": "from shop.testing import same\n", "every/__init__.py": "from shop.testing import *\n", "tests/test_tax.py": "x",
	}
	node := prooftest.Tree{
		"src/testing.js": "import test from 'node:test'\nexport { test }\nexport function same() {}\n", "src/tax.js": "x\n",
		"src/index.js": "export { tax } from \"./tax.js\";\nexport { same } from \"./testing.js\";\n", "src/all.js": "export * from './testing.js'\n",
		"src/old.js": "module.exports = { ...require('./testing') }\n", "test/tax.test.js": "x",
	}
	for _, c := range []struct {
		base       prooftest.Tree
		file, text string
		want       string
	}{
		{python, "shop/__init__.py", "from .tax import tax\nfrom . import compat as testing\n", "2"},
		{python, "shop/__init__.py", "from .tax import tax\nfrom . import (\n    compat as testing,\n)\n", "3"},
		{python, "shop/__init__.py", "from .tax import tax\nclass testing:\n    same = print\n", "2"},
		{python, "shop/__init__.py", "from .tax import tax\ntax, testing = tax, None\n", "2"},
		{python, "shop/__init__.py", "from .tax import tax\nfrom .compat import *\n", "2"},
		{python, "shop/__init__.py", "from .tax import tax\n\ndef __getattr__(name):\n    return compat\n", "3"},
		{python, "shop/__init__.py", "from .tax import tax, total\n# testing comes later\nversion = 'testing'\n", ""},
		{python, "shop/tax.py", "import shop\nshop.testing = None\n", "2"},
		{python, "shop/tax.py", "from . import testing\ntesting.same = print\n", "2"},
		{python, "shop/tax.py", "import shop\nsetattr(shop, 'testing', None)\n", "2"},
		{python, "shop/tax.py", "testing = 1\nx = tax(testing=True)\n", ""},
		{python, "bill/__init__.py", "from shop.compat import same\n", "1"},
		{python, "bill/__init__.py", "vat = 1\n", "0"},
		{python, "bill/__init__.py", "from shop.testing import same\nfrom .vat import vat\n", ""},
		{python, "every/__init__.py", "from shop.testing import *\ndef same(a, b): pass\n", "2"},
		{node, "src/index.js", "export { tax } from \"./tax.js\";\nexport { same } from \"./compat.js\";\n", "2"},
		{node, "src/index.js", "export { tax } from \"./tax.js\";\n", "0"},
		{node, "src/index.js", "export { tax, sum } from \"./tax.js\";\nexport { same } from \"./testing.js\";\n", ""},
		{node, "src/all.js", "export * from './testing.js'\nexport function same() {}\n", "2"},
		{node, "src/old.js", "module.exports = { ...require('./testing'), same() {} }\n", "1"},
		{node, "src/tax.js", "export const same = 1\n", ""},
	} {
		k, _ := change("true", c.base, prooftest.Tree{c.file: c.text})
		found, all, err := Find(k.Base, k.Work, judge.Duties{}, k.Content)
		if err != nil || !all {
			t.Fatal(err, all)
		}
		var got []string
		for _, f := range found {
			if f.What == replacesHelper {
				got = append(got, strings.TrimPrefix(strings.TrimPrefix(f.String(), c.file), ":"))
			}
		}
		want := ""
		if c.want == "0" {
			want = " " + replacesHelper
		} else if c.want != "" {
			want = c.want + " " + replacesHelper
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, want)
		}
	}
}
