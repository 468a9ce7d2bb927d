package judge

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/prooftest"
)

// Tests that are added behind those of the base need no look; a change among them does.
func TestOnlyAdds(t *testing.T) {
	t.Parallel()
	const goBase = "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tt.Log(1)\n}\n"
	const pyBase = "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(a)\n\n\nif __name__ == \"__main__\":\n    unittest.main()\n"
	const jsBase = "const test = require('node:test');\ndescribe('a', () => {\n  test('b', () => {\n    x();\n  });\n});\n"
	const rsBase = "pub fn a() -> u8 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn one() {\n        assert_eq!(a(), 1);\n    }\n}\n"
	const rsTest = "\n    #[test]\n    fn two() {\n        assert_eq!(a(), 2);\n    }\n}\n"
	const goTable = "package a\n\nfunc TestA(t *testing.T) {\n\tfor _, c := range []struct{ n int; s string }{\n\t\t{1, \"a\"},\n\t\t{3, \"c\"},\n\t} {\n\t\tt.Log(c)\n\t}\n}\n"
	const pyTable = "@pytest.mark.parametrize(\"a, b\", [\n    (1, 2),\n])\ndef test_a(a, b):\n    assert a + 1 == b\n"
	const pyKeys = "WANT = {\n    1: 2,\n}\n\n\ndef test_a():\n    assert next(1) == WANT[1]\n"
	const jsKeys = "const want = new Map([\n  [1, 2],\n]);\ntest('a', () => x(want));\n"
	for what, c := range map[string]struct {
		file, base, work string
		want             bool
	}{
		"a test of Go":         {"a_test.go", goBase, goBase + "\nfunc TestB(t *testing.T) {}\n", true},
		"with an import":       {"a_test.go", goBase, "package a\n\nimport \"testing\"\nimport \"fmt\"\n\nfunc TestA(t *testing.T) {\n\tt.Log(1)\n}\n\nfunc TestB(t *testing.T) { fmt.Println() }\n", true},
		"its first block":      {"a_test.go", goBase, "package a\n\nimport (\n\t\"fmt\"\n\t\"testing\"\n)\n\nfunc TestA(t *testing.T) {\n\tt.Log(1)\n}\n\nfunc TestB(t *testing.T) { fmt.Println() }\n", true},
		"another name for it":  {"a_test.go", goBase, "package a\n\nimport (\n\ttesting \"example.com/other\"\n)\n\nfunc TestA(t *testing.T) {\n\tt.Log(1)\n}\n", false},
		"a case of a table":    {"a_test.go", goTable, strings.Replace(goTable, "\t\t{3, \"c\"},\n", "\t\t{3, \"c\"},\n\t\t{4, \"d\"},\n", 1), true},
		"a case of parameters": {"test_a.py", pyTable, strings.Replace(pyTable, "    (1, 2),\n", "    (1, 2),\n    (2, 3),\n", 1), true},
		"a case fewer":         {"a_test.go", goTable, strings.Replace(goTable, "\t\t{3, \"c\"},\n", "", 1), false},
		"another case":         {"a_test.go", goTable, strings.Replace(goTable, "{3, \"c\"}", "{3, \"d\"}", 1), false},
		"a case that calls":    {"a_test.go", goTable, strings.Replace(goTable, "\t\t{3, \"c\"},\n", "\t\t{3, \"c\"},\n\t\t{quit(), \"d\"},\n", 1), false},
		"an entry with a key":  {"test_a.py", pyKeys, strings.Replace(pyKeys, "    1: 2,\n", "    1: 2,\n    1: 3,\n", 1), false},
		"a pair with a key":    {"a.test.js", jsKeys, strings.Replace(jsKeys, "  [1, 2],\n", "  [1, 2],\n  [1, 3],\n", 1), false},
		"a test is left":       {"a_test.go", goBase, "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\treturn\n\tt.Log(1)\n}\n", false},
		"a value changed":      {"a_test.go", goBase, "package a\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tt.Log(2)\n}\n", false},
		"a build constraint":   {"a_test.go", goBase, "//go:build no\n\n" + goBase, false},
		"a main block":         {"test_a.py", pyBase, "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertTrue(a)\n\n    def test_b(self):\n        pass\n\n\nif __name__ == \"__main__\":\n    unittest.main()\n", true},
		"within a suite":       {"a.test.js", jsBase, "const test = require('node:test');\ndescribe('a', () => {\n  test('b', () => {\n    x();\n  });\n  test('c', () => {});\n});\n", true},
		"a statement within":   {"a.test.js", jsBase, "const test = require('node:test');\nprocess.exit(0);\ndescribe('a', () => {\n  test('b', () => {\n    x();\n  });\n});\n", false},
		"a unit test of Rust":  {"src/lib.rs", rsBase, strings.TrimSuffix(strings.Replace(rsBase, "u8 { 1", "u8 { 2", 1), "}\n") + rsTest, true},
		"a test between":       {"a_test.go", goBase + "\nfunc TestZ(t *testing.T) {}\n", goBase + "\nfunc TestB(t *testing.T) {}\n\nfunc TestZ(t *testing.T) {}\n", true},
		"a helper between":     {"a_test.go", goBase + "\nfunc TestZ(t *testing.T) {}\n", goBase + "\nfunc help(t *testing.T) {}\n\nfunc TestZ(t *testing.T) {}\n", false},
		"a method between":     {"test_a.py", pyBase, strings.Replace(pyBase, "    def test_a", "    def test_0(self):\n        pass\n\n    def test_a", 1), true},
		"a unit test between":  {"src/lib.rs", rsBase, strings.Replace(rsBase, "    #[test]\n", "    #[test]\n    fn zero() {\n        assert_eq!(a(), 0);\n    }\n\n    #[test]\n", 1), true},
		"before others":        {"src/lib.rs", rsBase, strings.Replace(rsBase, "    #[test]\n", "    fn a() -> u8 { 1 }\n\n    #[test]\n", 1), false},
		"instead of others":    {"src/lib.rs", rsBase, strings.Replace(rsBase, "a(), 1", "1, 1", 1), false},
		"a longer import":      {"test_a.py", "from tax import tax\n\ndef test_a():\n    assert tax(1)\n", "from tax import tax, net\n\ndef test_a():\n    assert tax(1)\n\ndef test_b():\n    assert net(1)\n", true},
		"another import":       {"test_a.py", "from tax import tax\n\ndef test_a():\n    assert tax(1)\n", "from other import tax, net\n\ndef test_a():\n    assert tax(1)\n", false},
		"a name that is used":  {"test_a.py", "from tax import tax\nfrom help import same\n\ndef test_a():\n    assert same(tax(1), 1)\n", "from tax import tax, same\nfrom help import same\n\ndef test_a():\n    assert same(tax(1), 1)\n", false},
		"one name fewer":       {"test_a.py", "from tax import tax, net\n\ndef test_a():\n    assert tax(1)\n", "from tax import net, more\n\ndef test_a():\n    assert tax(1)\n", false},
		"a longer require":     {"a.test.js", "const { tax } = require('./tax');\ntest('a', () => x(tax));\n", "const { tax, net } = require('./tax');\ntest('a', () => x(tax));\ntest('b', () => x(net));\n", true},
		"hidden in a comment":  {"test_a.py", pyBase, strings.Replace(pyBase, "import unittest\n", "import unittest\nimport os # a\runittest.main = None\n", 1), false},
		"a fixture":            {"testdata/a.txt", "1\n", "1\n2\n", false},
		"configuration":        {"conftest.py", "import os\n", "import os\ncollect_ignore = []\n", false},
	} {
		k, _ := change("true", prooftest.Tree{c.file: c.base, "b_test.go": "x"}, prooftest.Tree{c.file: c.work})
		got, err := k.Judges()
		if err != nil {
			t.Fatal(err)
		}
		k.Gate.Kind = loop.KindCoverage
		if counted, err := k.Judges(); err != nil || !slices.Contains(counted.SetAside, c.file) {
			t.Errorf("%s: coverage sets aside %q, %v", what, counted.SetAside, err)
		}
		k.Gate.Level = loop.Soft
		if soft, err := k.Judges(); err != nil || slices.Contains(soft.New, c.file) != c.want {
			t.Errorf("%s: soft coverage finds new %q, %v", what, soft.New, err)
		}
		if slices.Contains(got.New, c.file) != c.want || slices.Contains(got.SetAside, c.file) == c.want || len(got.Edits) != 1 {
			t.Errorf("%s: new %q, set aside %q", what, got.New, got.SetAside)
		}
	}
}
