package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestDeclaredTestsJudge: tests are judges where the configuration of the base, or what
// they define, makes them tests. In a file that is the product, too, only its tests are.
func TestDeclaredTestsJudge(t *testing.T) {
	t.Parallel()
	const pytest = "[pytest]\npython_files = *.py\n"
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want          []string
	}{
		"all files of pytest":      {"pytest", prooftest.Tree{"pytest.ini": pytest, "app.py": "x", "qa/a.py": "from app import x\n\n\ndef same(a, b):\n    assert a == b\n\n\ndef test_a():\n    same(x, 1)\n"}, prooftest.Tree{"qa/a.py": "y"}, []string{"qa/a.py"}},
		"a pattern of pytest":      {"pytest", prooftest.Tree{"pyproject.toml": "[tool.pytest.ini_options]\npython_files = [\"check_*.py\"]\n", "check_a.py": "def test_a():\n    pass\n"}, prooftest.Tree{"check_a.py": "y"}, []string{"check_a.py"}},
		"functions of pytest":      {"pytest", prooftest.Tree{"setup.cfg": "[tool:pytest]\npython_files = qa*.py\npython_functions = should_*\n", "qa1.py": "def should_a():\n    pass\n"}, prooftest.Tree{"qa1.py": "y"}, []string{"qa1.py"}},
		"the product of pytest":    {"pytest", prooftest.Tree{"pytest.ini": pytest, "app.py": "def f():\n    return 1\n"}, prooftest.Tree{"app.py": "def f():\n    return 2\n"}, nil},
		"both in one":              {"pytest", prooftest.Tree{"pytest.ini": pytest, "app.py": "def f():\n    return 1\n\n\n@mark\ndef test_f():\n    assert f() == 2\n"}, prooftest.Tree{"app.py": "def f():\n    return 2\n\n\n@mark\ndef test_f():\n    assert f() == 2\n"}, nil},
		"both in one, weakened":    {"pytest", prooftest.Tree{"pytest.ini": pytest, "app.py": "def f():\n    return 1\n\n\n@mark\ndef test_f():\n    assert f() == 2\n"}, prooftest.Tree{"app.py": "def f():\n    return 1\n"}, []string{"app.py"}},
		"a pattern of unittest":    {"python3 -m unittest discover -p 'check*.py'", prooftest.Tree{"checka.py": "import unittest\n\n\nclass A(unittest.TestCase):\n    pass\n"}, prooftest.Tree{"checka.py": "y"}, []string{"checka.py"}},
		"globals of jest":          {"npx jest", prooftest.Tree{"qa/a.js": "describe('a', () => {\n  it('b', () => {});\n});\n", "re.js": "if (/x/.test('x')) test.y = 1;\n"}, prooftest.Tree{"qa/a.js": "y", "re.js": "y"}, []string{"qa/a.js"}},
		"in the product of vitest": {"npx vitest", prooftest.Tree{"a.js": "if (import.meta.vitest) {\n  test('b', () => {});\n}\n"}, prooftest.Tree{"a.js": "y"}, nil},
		"a path of cargo":          {"cargo test", prooftest.Tree{"Cargo.toml": "[package]\n", "qa/all.rs": "#[test]\nfn a() {}\n"}, prooftest.Tree{"qa/all.rs": "#[test]\nfn b() {}\n"}, []string{"qa/all.rs"}},
		"the product of cargo":     {"cargo test", prooftest.Tree{"Cargo.toml": "[package]\n", "src/lib.rs": "pub fn f() {}\n\n#[test]\nfn a() { f() }\n"}, prooftest.Tree{"src/lib.rs": "pub fn f() { g() }\n\n#[test]\nfn a() { f() }\n"}, nil},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestTestsInTheProductAreKept: the variant has the product of the work, and the tests
// of the base after them.
func TestTestsInTheProductAreKept(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		base          prooftest.Tree
		file, changed string
		want          []string
	}{
		"pytest":                  {prooftest.Tree{"pytest.ini": "[pytest]\npython_files = *.py\n", "a.py": "def f():\n    return 1\n\n\n@mark\ndef test_f():\n    assert f() == 2\n"}, "a.py", "def f():\n    return 3\n\n\ndef test_f():\n    pass\n", []string{"return 3", "\n\n\n@mark\ndef test_f():\n    assert f() == 2\n"}},
		"after a carriage return": {prooftest.Tree{"pytest.ini": "[pytest]\npython_files = *.py\n", "a.py": "def f():\n    return 1\n\n\ndef test_f():\n    assert f() == 2\n"}, "a.py", "def f():\n    return 3\n\n\ndef test_f():\n    assert f() == 2\n# a\rdef test_f(): pass\n", []string{"return 3", "pass\n\n\ndef test_f():\n    assert f() == 2\n"}},
		"rust":                    {prooftest.Tree{"src/a.rs": "pub fn f() {}\n\n#[should_panic]\n#[test]\nfn a() { f() }\n"}, "src/a.rs", "pub fn f() { g() }\n\n#[ignore]\n#[test]\nfn a() {}\n", []string{"g()", "#[should_panic]\n#[test]\nfn a() { f() }"}},
	} {
		k, _ := change("make", c.base, prooftest.Tree{c.file: c.changed})
		got, err := k.Judges()
		if err != nil || len(got.Edits) != 1 {
			t.Errorf("%s: %v %d edits", what, err, len(got.Edits))
			continue
		}
		for _, want := range c.want {
			if text := string(got.Edits[0].Data); !strings.Contains(text, want) || strings.Contains(text, "ignore") {
				t.Errorf("%s: %q lacks %q", what, text, want)
			}
		}
	}
}
