package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestSkipCondition: a value of the product by which tests of the base are skipped is named where
// it becomes so; one with which more of them run is not.
func TestSkipCondition(t *testing.T) {
	t.Parallel()
	const python = "import slug\n\n\nclass T(unittest.TestCase):\n    @unittest.skipUnless(slug.EXACT, 'x')\n    def test_a(self): pass\n\n    @pytest.mark.skipif(not slug.FULL, reason='x')\n    def test_b(self): pass\n\n    def test_c(self):\n        if slug.SHORT:\n            self.skipTest('x')\n"
	const script = "test('a', { skip: !lib.EXACT }, () => {});\nconst it = lib.FULL ? test : test.skip;\nit.skipIf(SHORT)('c', () => {});\n"
	const golang = "package a\n\nfunc TestA(t *testing.T) {\n\tif !exact {\n\t\tt.Skip()\n\t}\n}\n"
	for _, c := range []struct{ file, before, after, test, text, want string }{
		{"slug.py", "EXACT = True \n", "EXACT = False\n", "test_a.py", python, "slug.py:1 " + switchesTest},
		{"slug.py", "FULL: bool = True\n", "# f\nFULL: bool = None\n", "test_a.py", python, "slug.py:2 " + switchesTest},
		{"slug.py", "SHORT = 0\n", "SHORT = 1\n", "test_a.py", python, "slug.py:1 " + switchesTest},
		{"slug.py", "EXACT = False\nSHORT = True\n", "EXACT = True\nSHORT = False\n", "test_a.py", python, ""},
		{"slug.py", "OTHER = True\n", "OTHER = False\n", "test_a.py", python, ""},
		{"slug.py", "x = 1\n", "x = 1\nEXACT = False\n", "test_a.py", python, ""},
		{"lib.js", "export const EXACT = true;\n", "export const EXACT = false;\n", "a.test.js", script, "lib.js:1 " + switchesTest},
		{"lib.js", "const FULL = true;\nconst SHORT = true;\n", "const FULL = false;\nconst SHORT = false;\n", "a.test.js", script, "lib.js:1 " + switchesTest},
		{"lib.js", "const SHORT = false\n", "const SHORT = true\n", "a.test.js", script, "lib.js:1 " + switchesTest},
		{"a.go", "package a\n\nvar exact = true\n", "package a\n\nvar exact = false\n", "a_test.go", golang, "a.go:3 " + switchesTest},
		{"a.go", "package a\n\nvar exact = false\n", "package a\n\nvar exact = true\n", "a_test.go", golang, ""},
	} {
		k, s := change("make", prooftest.Tree{c.file: c.before, c.test: c.text}, prooftest.Tree{c.file: c.after})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if got := fmt.Sprint(found); got != "["+c.want+"]" || err != nil {
			t.Errorf("%s %q: %s %v, want %q", c.file, c.after, got, err, c.want)
		}
	}
}
