package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// An added file that is loaded in place of a judge file, or becomes a part of its
// package, is set aside; beside the product it is the product.
func TestInsteadOfJudge(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{
		"a_test.go": "package a", "test_a.py": "x", "a.test.js": "x", "a.go": "package a",
		"checks.py": "import pytest\n", "shop.py": "x = 1", "names/deep.py": "import pytest\n", "mixed/check.py": "import pytest\n", "mixed/shop.py": "x = 1",
		"helpers/__init__.py": "import pytest\n", "helpers/eq.py": "x = 1",
		"check/check.go": "package check\n\nimport \"testing\"\n", "check/other_test.go": "package check",
		"both/check.go": "package both\n\nimport \"testing\"\n", "both/shop.go": "package both",
		"lib/same.js": "require('node:test')", "lib/near/index.js": "require('node:test')", "lib/calc.js": "1",
	}
	for _, c := range []struct {
		file  string
		aside bool
	}{
		{"checks/__init__.py", true},
		{"checks/__init__.cpython-312-x86_64-linux-gnu.so", true},
		{"checks/more.py", false},
		{"shop/__init__.py", false},
		{"helpers/eq/__init__.py", true},
		{"helpers/new.py", false},
		{"names.py", true},
		{"names/__init__.py", true},
		{"mixed/__init__.py", false},
		{"check/sizes.go", true},
		{"check/sizes.s", true},
		{"check/deep/sizes.go", false},
		{"check/notes.md", false},
		{"both/new.go", false},
		{"new.go", false},
		{"lib/same", true},
		{"lib/same.ts", true},
		{"lib/same.json", true},
		{"lib/same.d.ts", false},
		{"lib/same.css", false},
		{"lib/near.js", true},
		{"lib/near", true},
		{"lib/near/index", true},
		{"lib/near/index.mjs", true},
		{"lib/near/other.js", false},
		{"lib/calc", false},
	} {
		k, _ := change("true", base, prooftest.Tree{c.file: "new"})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(got.SetAside, c.file) != c.aside {
			t.Errorf("%s: set aside %q", c.file, got.SetAside)
		}
	}
}

// A package whose __init__.py imports a test library judges with all its modules.
func TestPackageOfHelpers(t *testing.T) {
	t.Parallel()
	k, _ := change("pytest", prooftest.Tree{"test_a.py": "x", "helpers/__init__.py": "import pytest\n", "helpers/eq.py": "x", "shop/__init__.py": "", "shop/tax.py": "x"},
		prooftest.Tree{"helpers/eq.py": "y", "shop/tax.py": "y"})
	got, err := k.Judges()
	if err != nil || !slices.Equal(got.SetAside, []string{"helpers/eq.py"}) {
		t.Errorf("%q %v", got.SetAside, err)
	}
}

// An added package.json does not decide which sources of the base are loaded; in a
// folder of its own it is the product.
func TestAddedPackage(t *testing.T) {
	t.Parallel()
	base := prooftest.Tree{"a.test.js": "x", "src/calc/index.js": "x", "docs/a.md": "x"}
	for _, c := range []struct{ file, text, want string }{
		{"src/calc/package.json", `{"name":"a","main":"dev.js","exports":"./dev.js","imports":{"#a":"./dev.js"},"type":"module"}`, `{"name":"a"}`},
		{"src/package.json", `{"module":"dev.js"}`, `{}`},
		{"package.json", `{"main":"dev.js","type":"module"}`, `{"type":"module"}`},
		{"src/calc/package.json", `{"name":"a","dependencies":{"x":"1"}}`, ""},
		{"docs/package.json", `{"main":"dev.js"}`, ""},
		{"new/package.json", `{"main":"dev.js","type":"module"}`, ""},
	} {
		k, _ := change("node --test", base, prooftest.Tree{c.file: c.text, "new/dev.js": "x"})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		merged := ""
		for _, e := range got.Edits {
			merged += string(e.Data)
		}
		if merged != c.want {
			t.Errorf("%s: %s, want %s", c.file, merged, c.want)
		}
	}
}
