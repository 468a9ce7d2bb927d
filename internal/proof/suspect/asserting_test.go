package suspect

import (
	"fmt"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestCatchesAssertionsOfTheBase: code that catches every error is told apart where tests of the base
// assert in what they hand it.
func TestCatchesAssertionsOfTheBase(t *testing.T) {
	t.Parallel()
	const (
		manager = "@contextmanager\ndef timed():\n    yield\n"
		caught  = "@contextmanager\ndef timed():\n    try:\n        yield\n    except Exception:\n        pass\n"
		each    = "function each(xs, act) {\n  for (const x of xs) act(x);\n}\n"
		dropped = "function each(xs, act) {\n  for (const x of xs) {\n    try { act(x); } catch (e) { log(e); }\n  }\n}\n"
		class   = "class Cart:\n    def __exit__(self, *all):\n        return None\n"
		hides   = "class Cart:\n    def __exit__(self, *all):\n        return True\n"
	)
	for _, c := range []struct{ file, before, after, test, text, want string }{
		{"a.py", manager, caught, "test_a.py", "def test_a():\n    with timed():\n        assert f() == 1\n", "a.py:5 " + catchesAssertions},
		{"a.py", manager, caught, "test_a.py", "def test_a():\n    with timed():\n        g = f()\n    assert g == 1\n", ""},
		{"a.py", class, hides, "test_a.py", "class T(TestCase):\n    def test_a(self):\n        with shop.Cart() as c:\n            self.assertEqual(c.n, 1)\n", "a.py:3 " + catchesAssertions},
		{"a.py", class, hides, "test_a.py", "class T(TestCase):\n    def test_a(self):\n        with self.assertRaises(E), Bag() as c:\n            self.assertEqual(c.n, 1)\n", ""},
		{"a.js", each, dropped, "a.test.js", "test('a', () => {\n  each([1], (x) => assert.equal(f(x), ')'));\n});\n", "a.js:3 " + catchesAssertions},
		{"a.js", each, dropped, "a.test.js", "test('a', () => {\n  const got = [];\n  each([1], (x) => got.push(x));\n  assert.deepEqual(got, [1]);\n});\n", ""},
		{"a.js", each, dropped, "a.test.js", "function isOne(x) {\n  assert.equal(x, 1);\n}\n\ntest('a', () => each([1], isOne));\n", "a.js:3 " + catchesAssertions},
		{"a.js", "", dropped, "a.test.js", "test('a', () => {\n  lib.each([1], (x) => {\n    expect(x).toBe(1);\n  });\n});\n", "a.js:3 " + catchesAssertions},
	} {
		base := prooftest.Tree{c.file: c.before, c.test: c.text}
		if c.before == "" {
			delete(base, c.file)
		}
		k, s := change("make", base, prooftest.Tree{c.file: c.after})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if got := fmt.Sprint(found); got != "["+c.want+"]" || err != nil {
			t.Errorf("%s %q: %s %v, want %q", c.file, c.text, got, err, c.want)
		}
	}
}
