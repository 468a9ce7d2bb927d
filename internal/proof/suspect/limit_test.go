package suspect

import (
	"slices"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestLimits: a number that tests of the base hold the product to is named where it changes;
// one that they only compute with is not.
func TestLimits(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		file, before, after, test, testText string
		want                                []int
	}{
		"Python":                {"shop/limits.py", "# s\nSECONDS = 0.3\n", "# s\nSECONDS = 30\n", "tests/test_a.py", "assert took < SECONDS\n", []int{2}},
		"Python, in a module":   {"shop/limits.py", "SECONDS: float = 0.3\n", "SECONDS: float = 0.3 * 100\n", "tests/test_a.py", "assert limits.SECONDS >= took\n", []int{1}},
		"Python, a tolerance":   {"shop/limits.py", "EPS = 1e-9\n", "EPS = 10.0\n", "tests/test_a.py", "assert x == pytest.approx(3, abs=EPS)\n", []int{1}},
		"Go":                    {"a.go", "package a\n\nconst budget = 300 * time.Millisecond\n", "package a\n\nconst budget = 300 * time.Second\n", "a_test.go", "if took > budget {\n", []int{3}},
		"JavaScript":            {"a.js", "export const LIMIT = 3;\n", "export const LIMIT = 300;\n", "a.test.js", "expect(took).toBeLessThan(LIMIT);\n", []int{1}},
		"Rust":                  {"src/lib.rs", "pub const EPS: f64 = 0.1;\n", "pub const EPS: f64 = 9.0;\n", "tests/a.rs", "assert!((a - b).abs() < roman::EPS);\n", []int{1}},
		"the same number":       {"a.py", "LIMIT = 3\n", "LIMIT = 3  # seconds\n", "tests/test_a.py", "assert took < LIMIT\n", nil},
		"a new number":          {"a.py", "x = 1\n", "x = 1\nLIMIT = 3\n", "tests/test_a.py", "assert took < LIMIT\n", nil},
		"a number of the shop":  {"a.py", "RATE = 16\n", "RATE = 19\n", "tests/test_a.py", "assert tax(100) == RATE\n", nil},
		"a number of no test":   {"a.py", "LIMIT = 3\n", "LIMIT = 5\n", "tests/test_a.py", "assert took < OTHER_LIMIT\n", nil},
		"Go, in a block":        {"a.go", "package a\n\nconst (\n\tbudget = 3\n)\n", "package a\n\nconst (\n\tbudget = 9\n)\n", "a_test.go", "if took > budget {\n", []int{4}},
		"Python, in a class":    {"a.py", "class A:\n\n    def f(self):\n        pass\n\n    LIMIT = 3\n", "class A:\n\n    def f(self):\n        pass\n\n    LIMIT = 9\n", "tests/test_a.py", "assert took < A.LIMIT\n", []int{6}},
		"two numbers of a name": {"a.go", "package a\n\nfunc f() (a int) {\n\ta = 1\n\ta = 2\n\treturn\n}\n", "package a\n\nfunc f() (a int) {\n\ta = 1\n\ta = 2\n\treturn\n}\n\nfunc g() {}\n", "a_test.go", "if took > a {\n", nil},
		"a name of a function":  {"a.py", "def f():\n    low = 1\n    return low\n", "def f():\n    low = 2\n    return low\n", "tests/test_a.py", "assert low < 3\n", nil},
		"an arrow of a promise": {"a.js", "const LIMIT = 3;\n", "const LIMIT = 4;\n", "a.test.js", "const f = () => LIMIT;\n", nil},
	} {
		k, s := change("make", prooftest.Tree{c.file: c.before, c.test: c.testText}, prooftest.Tree{c.file: c.after})
		found, all, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var lines []int
		for _, f := range found {
			if f.What == loosensLimit {
				lines = append(lines, f.Line)
			}
		}
		if !slices.Equal(lines, c.want) || !all || err != nil {
			t.Errorf("%s: %v, want %v: %v %v", what, lines, c.want, all, err)
		}
	}
}
