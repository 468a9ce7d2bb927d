package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// A new file that is loaded under the name of one that is still there is named.
func TestReplacing(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"src/calc.js": "x", "src/tax.ts": "x", "src/near/index.js": "x", "src/near/style.css": "x", "src/page.vue": "x", "src/render.cjs": "x",
		"shop.py": "x", "src/bill.py": "x", "lib/pay/__init__.py": "x", "names/deep.py": "x", "app/main.py": "x", "tests/help.py": "x",
	}
	for _, c := range []struct{ file, want string }{
		{"src/calc", "src/calc is loaded in place of src/calc.js"},
		{"src/calc.ts", "src/calc.ts is loaded in place of src/calc.js"},
		{"src/tax.js", "src/tax.js is loaded in place of src/tax.ts"},
		{"src/near.js", "src/near.js is loaded in place of src/near/index.js"},
		{"src/near/index.mjs", "src/near/index.mjs is loaded in place of src/near/index.js"},
		{"src/near/index", "src/near/index is loaded in place of src/near/index.js"},
		{"src/calc/index.js", ""},
		{"src/calc.json", ""},
		{"src/render.mjs", ""},
		{"src/calc.d.ts", ""},
		{"src/calc.css", ""},
		{"src/calc.test.js", ""},
		{"src/page.js", ""},
		{"shop/__init__.py", "shop/__init__.py is loaded in place of shop.py"},
		{"names.py", "names.py is loaded in place of names/deep.py"},
		{"bill.py", "bill.py is loaded in place of src/bill.py"},
		{"bill/__init__.py", "bill/__init__.py is loaded in place of src/bill.py"},
		{"pay.py", "pay.py is loaded in place of lib/pay/__init__.py"},
		{"src/shop.py", "src/shop.py is loaded in place of shop.py"},
		{"shop.pyi", "shop.pyi is loaded in place of shop.py"},
		{"new.pyi", ""},
		{"main.py", ""},
		{"deep.py", ""},
		{"tests/bill.py", ""},
		{"new.py", ""},
	} {
		k, store := change("true", base, prooftest.Tree{c.file: "new"})
		got := ""
		for _, s := range replaced(t, k, store, true) {
			got += s.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
	link, links := change("true", base, prooftest.Tree{"shop": "link:other"})
	stub, stubs := change("true", base, prooftest.Tree{"shop.pyi": "new"})
	if got := replaced(t, stub, stubs, false); len(got) > 0 {
		t.Errorf("types that no gate reads: %v", got)
	}
	if got := replaced(t, link, links, true); len(got) != 1 {
		t.Errorf("a link that may be a package: %v", got)
	}
	moved, moves := change("true", base, prooftest.Tree{"src/calc.js": "", "src/calc.ts": "new", "shop.py": "", "shop/__init__.py": "new"})
	if got := replaced(t, moved, moves, true); len(got) > 0 {
		t.Errorf("files that moved are named: %v", got)
	}
}

func replaced(t *testing.T, c judge.Case, s prooftest.Store, inspects bool) []Finding {
	t.Helper()
	found, err := replacing(proof.Index(c.Base), proof.Index(c.Work), inspects, s.Read)
	if err != nil {
		t.Error(err)
	}
	return found
}

// TestOtherFormOfModule: a module of the other kind that takes what it gives from the one beside
// it stands in its place only where something loads that one without its ending.
func TestOtherFormOfModule(t *testing.T) {
	t.Parallel()
	const form = "import cjs from './index.js';\nexport const { parse } = cjs;\n"
	for what, c := range map[string]struct {
		file, form, test, source string
		named                    bool
	}{
		"by its full name":       {"lib/index.mjs", form, "const { parse } = require('../lib/index.js');\n", "", false},
		"by require":             {"lib/index.mjs", form, "const a = require('../lib/index'), b = require('../lib');\n", "", false},
		"as another export":      {"lib/index.mjs", "export * from './index.js';\n", "import { parse } from '../lib/index.js';\n", "", false},
		"of CommonJS":            {"lib/index.cjs", "module.exports = require('./index.js');\n", "import { parse } from '../lib/index.js';\n", "", false},
		"without its ending":     {"lib/index.mjs", form, "import { parse } from '../lib/index';\n", "", true},
		"by its folder":          {"lib/index.mjs", form, "import { parse } from '../lib';\n", "", true},
		"while it runs":          {"lib/index.mjs", form, "const { parse } = await import(`../lib/index`);\n", "", true},
		"by a source":            {"lib/index.mjs", form, "import { run } from '../run.js';\n", "export * from './lib/index';\n", true},
		"CommonJS by its folder": {"lib/index.cjs", "module.exports = require('./index.js');\n", "require('../lib/');\n", "", true},
		"of its own":             {"lib/index.mjs", "export const parse = () => ({});\n", "const { parse } = require('../lib/index.js');\n", "", true},
		"of another one":         {"lib/index.mjs", "export * from './other.js';\n", "const { parse } = require('../lib/index.js');\n", "", true},
		"that is loaded first":   {"lib/index.ts", form, "const { parse } = require('../lib/index.js');\n", "", true},
		"in a comment":           {"lib/index.mjs", "// import x from './index.js'\nexport const parse = () => ({});\n", "const { parse } = require('../lib/index.js');\n", "", true},
	} {
		k, s := change("npm test", prooftest.Tree{"lib/index.js": "x", "test/a.test.js": c.test, "run.js": c.source + "\n"}, prooftest.Tree{c.file: c.form})
		want := "[]"
		if c.named {
			want = fmt.Sprintf("[%s is loaded in place of lib/index.js]", c.file)
		}
		if got := fmt.Sprint(replaced(t, k, s, true)); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
}
