package judge

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/testing/prooftest"
)

// TestStandInsOfPackages: a new package of Python around a stand-in is empty, since it runs
// with the stand-in and could change what the base's tests see.
func TestStandInsOfPackages(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{"import app\n\napp.x = 2\n": "more/__init__.py", " \n": ""} {
		k, _ := change("python3 -m unittest tests.test_app more.deep.test_new", project(), prooftest.Tree{"more/__init__.py": content, "more/deep/test_new.py": "x"})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Join(got.SetAside, " ") != want {
			t.Errorf("%q: set aside %q", content, got.SetAside)
		}
	}
}

// TestStandIns: where the gate's command names a new file of tests, a test that passes
// stands there with the base's judges. Any other new test is absent there.
func TestStandIns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		gate, file, text string
		want             string
	}{
		{"python3 -m unittest test_new", "test_new.py", "x", "unittest.TestCase"},
		{"python3 -m unittest tests.test_new", "tests/test_new.py", "x", "unittest.TestCase"},
		{"pytest tests/test_new.py::test_one -q", "tests/test_new.py", "x", "def test_one():"},
		{"pytest tests/test_new.py::TestTax::test_one[a-b]", "tests/test_new.py", "x", "class TestStandIn("},
		{"pytest tests/test_new.py::TestTax::test_one", "tests/test_new.py", "x", "class TestTax(unittest.TestCase):\n    def test_one(self)"},
		{"python3 -m unittest test_new.Tax.test_half", "test_new.py", "x", "class Tax(unittest.TestCase):\n    def test_half(self)"},
		{"python3 -m unittest test_new.Tax", "test_new.py", "x", "class Tax(unittest.TestCase)"},
		{"python3 test_new.py", "test_new.py", "x", "class TestStandIn("},
		{"python3 -m unittest test_newer", "test_new.py", "x", ""},
		{"cd tests && python3 -m pytest test_new.py", "tests/test_new.py", "x", "unittest.TestCase"},
		{"sh -c 'python3 -m unittest test_new'", "test_new.py", "x", "unittest.TestCase"},
		{"pytest more", "more/test_new.py", "x", "unittest.TestCase"},
		{"pytest tests", "tests/test_new.py", "x", ""},
		{"./each.sh", "packages/more/test_new.py", "x", "unittest.TestCase"},
		{"./each.sh", "packages/more/test/new.test.js", "x", "globalThis.test"},
		{"./each.sh", "sub/test_new.py", "x", ""},
		{"pytest", "test_new.py", "x", ""},
		{"go test ./fold", "fold/fold_test.go", "// Words.\npackage fold_test\n", "package fold_test"},
		{"go test ./fold/...", "fold/deep/fold_test.go", "package deep\n", "package deep"},
		{"go test ./fold", "fold/fold_test.go", "no clause", ""},
		{"go test ./fold", "fold/fold_test.go", "//go:build x\n\npackage fold\n", ""},
		{"go test ./sub", "sub/new_test.go", "package sub\n", ""},
		{"go test ./...", "fold/fold_test.go", "package fold\n", ""},
		{"npx jest new", "src/new.test.js", "x", "globalThis.test"},
		{"npx vitest run src/new.test.js", "src/new.test.js", "import { test } from 'vitest'\n", "from \"vitest\""},
		{"npx jest", "src/new.test.js", "x", ""},
		{"npm test", "src/new.test.js", "x", ""},
		{"yarn run test", "src/new.test.js", "x", ""},
		{"npm test -- new.test.js", "src/new.test.js", "x", "globalThis.test"},
		{"sh new_test.sh", "new_test.sh", "x", ""},
		// It would be loaded in place of a module of the base's tests.
		{"python3 -m unittest unittest.test_new", "unittest/test_new.py", "x", ""},
	} {
		k, _ := change(c.gate, project(), prooftest.Tree{c.file: c.text})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(got.Edits, func(e proof.Edit) bool { return e.Path == c.file })
		data := ""
		if i >= 0 {
			data = string(got.Edits[i].Data)
		}
		if data == "" != (c.want == "") || !strings.Contains(data, c.want) || strings.Contains(data, c.text) && c.text == "no clause" {
			t.Errorf("%s, %s: %q, want %q in it (%+v)", c.gate, c.file, data, c.want, got)
		}
	}
}

// TestStandInsLoadNothing: a stand-in in a new folder would load new modules in the place of
// those of the base, and what its packages run.
func TestStandInsLoadNothing(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		more prooftest.Tree
		want bool
	}{
		"a module":                  {prooftest.Tree{"packages/more/more.py": "x"}, true},
		"a package":                 {prooftest.Tree{"packages/more/__init__.py": "\n", "packages/more/more.py": "x"}, true},
		"a package that does":       {prooftest.Tree{"packages/more/__init__.py": "import app\n"}, false},
		"a module of the base":      {prooftest.Tree{"packages/more/app.py": "x = 2\n"}, false},
		"a package of the base":     {prooftest.Tree{"packages/more/pkg/__init__.py": "\n"}, false},
		"a library of the base":     {prooftest.Tree{"packages/more/json.py": "x"}, false},
		"one beside the package":    {prooftest.Tree{"packages/more/__init__.py": "", "packages/json.py": "x"}, false},
		"another one in its folder": {prooftest.Tree{"pkg/app2.py": "x"}, true},
	} {
		base := project()
		base["app.py"] = "import json\n\nx = 1\n"
		changes := prooftest.Tree{"packages/more/test_new.py": "x"}
		maps.Copy(changes, c.more)
		k, _ := change("./each.sh", base, changes)
		d, err := k.diff()
		if err != nil {
			t.Fatal(err)
		}
		j, err := d.judging()
		if err != nil {
			t.Fatal(err)
		}
		if data, err := j.standIn("packages/more/test_new.py"); err != nil || (data != nil) != c.want {
			t.Errorf("%s: %q %v", what, data, err)
		}
	}
}
