package suspect

import (
	"testing"

	"ralph/internal/proof"
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
		k, _ := change("true", base, prooftest.Tree{c.file: "new"})
		got := ""
		for _, s := range replacing(proof.Index(k.Base), proof.Index(k.Work), true) {
			got += s.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
	link, _ := change("true", base, prooftest.Tree{"shop": "link:other"})
	stub, _ := change("true", base, prooftest.Tree{"shop.pyi": "new"})
	if got := replacing(proof.Index(stub.Base), proof.Index(stub.Work), false); len(got) > 0 {
		t.Errorf("types that no gate reads: %v", got)
	}
	if got := replacing(proof.Index(link.Base), proof.Index(link.Work), true); len(got) != 1 {
		t.Errorf("a link that may be a package: %v", got)
	}
	moved, _ := change("true", base, prooftest.Tree{"src/calc.js": "", "src/calc.ts": "new", "shop.py": "", "shop/__init__.py": "new"})
	if got := replacing(proof.Index(moved.Base), proof.Index(moved.Work), true); len(got) > 0 {
		t.Errorf("files that moved are named: %v", got)
	}
}
