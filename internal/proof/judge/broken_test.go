package judge

import "testing"

// TestBroken: only what fails before a test of its file runs does not build or load.
func TestBroken(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		output string
		broken bool
	}{
		"go":                       {"# shop [shop.test]\n./shop_test.go:6:12: undefined: Tax\nFAIL\tshop [build failed]\n", true},
		"go, a test":               {"--- FAIL: TestTax (0.00s)\n    shop_test.go:9: got 3: undefined: tax\nFAIL\nFAIL\tshop\t0.2s\n", false},
		"pytest":                   {"____ ERROR collecting test_l.py ____\nImportError while importing test module '/w/test_l.py'.\nE   ImportError: cannot import name 'tax' from 'shop'\n1 error in 0.04s\n", true},
		"pytest, conftest":         {"ImportError while loading conftest '/w/conftest.py'.\nconftest.py:1: in <module>\n    import nosuch\nE   ModuleNotFoundError: No module named 'nosuch'\n", true},
		"pytest, a test":           {"..F\n____ test_tax ____\n\n    def test_tax():\n>       from shop import tax\nE       ImportError: cannot import name 'tax' from 'shop' (/w/shop.py)\n\ntest_shop.py:10: ImportError\nFAILED test_shop.py::test_tax - ImportError: cannot import name 'tax' from 's...\n1 failed, 2 passed in 0.02s\n", false},
		"pytest, a fixture":        {"____ ERROR at setup of test_tax ____\nE       ModuleNotFoundError: No module named 'nosuch'\nERROR test_shop.py::test_tax - ModuleNotFoundError: No module named 'nosuch'\n1 passed, 1 error in 0.02s\n", false},
		"pytest, code of a test":   {"E     File \"<string>\", line 1\nE       x = (\nE           ^\nE   SyntaxError: '(' was never closed\n1 failed in 0.02s\n", false},
		"unittest":                 {"E\n======\nERROR: test_l (unittest.loader._FailedTest.test_l)\n------\nImportError: Failed to import test module: test_l\nTraceback (most recent call last):\n  File \"/w/test_l.py\", line 2, in <module>\n    from shop import tax\nImportError: cannot import name 'tax' from 'shop'\n", true},
		"unittest, a test":         {"E.\n======\nERROR: test_a (test_in.T.test_a)\n------\nTraceback (most recent call last):\n  File \"/w/test_in.py\", line 4, in test_a\n    from shop import tax\nImportError: cannot import name 'tax' from 'shop' (/w/shop.py)\n\nRan 2 tests in 0.000s\n", false},
		"unittest, code of a test": {"ERROR: test_a (test_in.T.test_a)\nTraceback (most recent call last):\n  File \"/w/test_in.py\", line 4, in test_a\n    import shop\n  File \"/w/shop.py\", line 1\n    x = (\n        ^\nSyntaxError: '(' was never closed\n", false},
		"a program of Python":      {"Traceback (most recent call last):\n  File \"/w/check.py\", line 2, in <module>\n    from shop import tax\nImportError: cannot import name 'tax' from 'shop' (/w/shop.py)\n", true},
		"behind a library":         {"Traceback (most recent call last):\n  File \"<frozen runpy>\", line 198, in _run_module_as_main\n  File \"/usr/lib/python3.11/runpy.py\", line 88, in _run_code\n  File \"/w/check.py\", line 2, in <module>\n    import shop\nModuleNotFoundError: No module named 'shop'\n", true},
		"its syntax":               {"Traceback (most recent call last):\n  File \"/w/check.py\", line 2, in <module>\n    import shop\n  File \"/w/shop.py\", line 1\n    x = (\n        ^\nSyntaxError: '(' was never closed\n", true},
		"another error of it":      {"Traceback (most recent call last):\n  File \"/w/check.py\", line 2, in <module>\n    assert tax(3) == 4\nAssertionError\n", false},
		"node":                     {"node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find module './shop.js'\nRequire stack:\n- /w/a.test.js\n", true},
		"node, TAP":                {"TAP version 13\n# node:internal/modules/esm/resolve:283\n#     throw new ERR_MODULE_NOT_FOUND(\n#           ^\n# Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/w/shop.mjs' imported from /w/a.test.mjs\nnot ok 1 - /w/a.test.mjs\n", true},
		"node, an export":          {"# file:///w/a.test.mjs:2\n# import { tax } from './shop.mjs'\n#          ^^^\n# SyntaxError: The requested module './shop.mjs' does not provide an export named 'tax'\n", true},
		"node, a test":             {"not ok 1 - tax\n  ---\n  error: |-\n    Cannot find module './shop.js'\n    Require stack:\n    - /w/a.test.js\n  code: 'MODULE_NOT_FOUND'\n", false},
		"node, JSON":               {"✖ tax (2ms)\n  SyntaxError: Unexpected token } in JSON at position 1\n      at JSON.parse (<anonymous>)\n", false},
		"jest":                     {"FAIL a.test.js\n  ● Test suite failed to run\n\n    Cannot find module './shop.js' from 'a.test.js'\n", true},
		"jest, a test":             {"FAIL a.test.js\n  ✕ tax (4 ms)\n\n  ● tax\n\n    Cannot find module './shop.js' from 'a.test.js'\n\n    > 1 | test('tax', () => { require('./shop.js') })\n        |                    ^\n", false},
		"vitest":                   {"⎯⎯ Failed Suites 1 ⎯⎯\n\n FAIL  a.test.js [ a.test.js ]\nError: Failed to load url ./shop.js\n", true},
		"vitest, a test":           {"⎯⎯ Failed Tests 1 ⎯⎯\n\n FAIL  a.test.js > tax\nSyntaxError: Unexpected token\n ❯ a.test.js:2:88\n\n FAIL  a.test.js > half\nError: Cannot find module './half.js'\n", false},
		"mocha":                    {"\n Exception during run: Error: Cannot find module './shop.js'\nRequire stack:\n- /w/a.js\n", true},
		"mocha, a test":            {"  1 passing (10ms)\n  1 failing\n\n  1) in:\n     Error: Cannot find module './shop.js'\nRequire stack:\n- /w/b.js\n", false},
		"cargo":                    {"error[E0425]: cannot find function `tax` in this scope\n --> src/lib.rs:9:20\nerror: could not compile `shop` (lib test) due to 1 previous error\n", true},
		"cargo, a test":            {"---- tests::tax stdout ----\nthread 'tests::tax' panicked at src/lib.rs:9:9:\nassertion failed: `error[E0425]` in output\n", false},
		"tsc":                      {"src/a.test.ts(3,14): error TS2305: Module './shop' has no exported member 'tax'.\n", true},
		"tsc, pretty":              {"src/a.test.ts:3:14 - error TS2305: Module './shop' has no exported member 'tax'.\n", true},
		"tsc, a text of a test":    {"  expected 'no errors' but got 'a.ts(1,1): error TS2304: x'\n", false},
		"javac":                    {"[ERROR] COMPILATION ERROR :\n[ERROR] /w/ShopTest.java:[9,20] cannot find symbol\n", true},
	} {
		if got := Broken(c.output); got != c.broken {
			t.Errorf("%s: %t, want %t", what, got, c.broken)
		}
	}
}
