package canary

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// TestExpectingOther: the last comparison of a test with a literal gets another literal of the
// same kind, and all else stays as it is.
func TestExpectingOther(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ file, text, line string }{
		"pytest":                  {"test_a.py", "def test_a():\n    x = 1\n    assert f(x) == 1\n    assert f(x, [2, \"==\"])[0].strip() == \"ab\"  # so\n    done()\n", `    assert f(x, [2, "=="])[0].strip() == "ac"  # so`},
		"unittest":                {"test_a.py", "class T(TestCase):\n    def test_a(self):\n        self.assertEqual(f(1), -250, 'no')\n", "        self.assertEqual(f(1), -"},
		"pytest, awaited":         {"test_a.py", "async def test_a():\n    assert await f(x) == 'b9'\n", "    assert await f(x) == 'b8'"},
		"pytest, or another":      {"test_a.py", "def test_a():\n    assert f(1) or g(2) == 3\n", ""},
		"pytest, two of a name":   {"test_a.py", "class A:\n    def test_a(self):\n        assert f(1) == 3\nclass B:\n    def test_a(self):\n        assert f(1) == 3\n", ""},
		"pytest, decorated":       {"test_a.py", "@case(1)\ndef test_a():\n    assert f(1) == 3\n", ""},
		"pytest, may return":      {"test_a.py", "def test_a():\n    if x:\n        return\n    assert f(1) == 3\n", ""},
		"pytest, skips":           {"test_a.py", "def test_a():\n    x = pytest.importorskip('x')\n    assert f(1) == 3\n", ""},
		"pytest, in a block":      {"test_a.py", "def test_a():\n    if x:\n        assert f(1) == 3\n", ""},
		"pytest, two comparisons": {"test_a.py", "def test_a():\n    assert f(1) == 3 == g(2)\n    assert f(1) == 3 + 4\n    assert 3 == 3\n    assert not f == 3\n    assert f == g == 3\n", ""},
		"pytest, a docstring":     {"test_a.py", "def test_a():\n    \"\"\"\n    assert f(1) == 3\n    \"\"\"\n", ""},
		"Go":                      {"a_test.go", "func TestA(t *testing.T) {\n\tif got := F(1); got != \"a\" {\n\t\tt.Error(got)\n\t}\n\tif pkg.F(1).G() != \"b\" {\n\t\tt.Error(1)\n\t}\n}\n", "\tif pkg.F(1).G() != \"c\" {"},
		"Go, no failure":          {"a_test.go", "func TestA(t *testing.T) {\n\tif os.Getenv(\"CI\") != \"1\" {\n\t\tt.Log(1)\n\t}\n}\n", ""},
		"Go, a table, no failure": {"a_test.go", "func TestA(t *testing.T) {\n\tfor _, c := range []struct{ n, want int }{\n\t\t{1, 2},\n\t} {\n\t\tif F(c.n) != c.want {\n\t\t\tt.Log(1)\n\t\t}\n\t}\n}\n", ""},
		"Rust, no test":           {"a.rs", "fn a() {\n    assert_eq!(f(1), 3);\n}\n", ""},
		"Go, in a case":           {"a_test.go", "func TestA(t *testing.T) {\n\tt.Run(\"x\", func(t *testing.T) {\n\t\tif F(1) != 2 {\n\t\t\tt.Error(1)\n\t\t}\n\t})\n}\n", ""},
		"Go, a table":             {"a_test.go", "func TestA(t *testing.T) {\n\tfor _, c := range []struct {\n\t\tn    []int\n\t\twant string\n\t}{\n\t\t{[]int{1}, \"a\"},\n\t\t{nil, \"b\"},\n\t} {\n\t\tif got := F(c.n); got != c.want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n", "\t\t{nil, \"c\"},"},
		"Go, a table by name":     {"a_test.go", "func TestA(t *testing.T) {\n\tfor name, c := range map[string]struct{ n int; want string }{\n\t\t\"x\": {n: 1, want: \"a1\"},\n\t} {\n\t\tassert.Equal(t, F(c.n), c.want)\n\t}\n}\n", "\t\t\"x\": {n: 1, want: \"a2\"},"},
		"Go, another table":       {"a_test.go", "func TestA(t *testing.T) {\n\tfor _, c := range []struct {\n\t\twant string\n\t\tn    int\n\t}{\n\t\t{\"a\", 1},\n\t} {\n\t\tif got := F(c.n); got != c.want {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n", ""},
		"Rust":                    {"a.rs", "    #[test]\n    fn a() {\n        assert_eq!(f(&[1], \"x\"), 250);\n    }\n", "        assert_eq!(f(&[1], \"x\"), "},
		"Rust, panics":            {"a.rs", "#[test]\n#[should_panic]\nfn a() {\n    assert_eq!(f(1), 3);\n}\n", ""},
		"node":                    {"a.test.js", "test('a', async () => {\n  assert.equal(await f([1, ')']), 'x1')\n})\n", "  assert.equal(await f([1, ')']), 'x2')"},
		"jest":                    {"a.test.ts", "describe('d', () => {\n  it(\"a\", function () {\n    expect(f({ n: 1 })).toBe('xa');\n  });\n});\n", "    expect(f({ n: 1 })).toBe('xb');"},
		"jest, not so":            {"a.test.js", "test('a', () => {\n  expect(f(1)).not.toBe(3);\n  expect(3).toBe(3);\n});\n", ""},
		"jest, without a literal": {"a.test.js", "test('a', () => {\n  expect(f(1)).toBe('/');\n  expect(f(1)).toEqual([]);\n  expect(f(1)).toEqual([x, 3]);\n  expect(f(1)).toEqual(new Set([3]));\n});\n", ""},
		"jest, an object":         {"a.test.js", "test('a', () => {\n  expect(f(1)).toEqual({ a: [1, 'xa'], b2: null });\n});\n", "  expect(f(1)).toEqual({ a: [1, 'xa'], b"},
		"node, a list":            {"a.test.mjs", "test('a', () => {\n  assert.deepStrictEqual(f([1]), [['a', -1], 'xa'], 'why');\n});\n", "  assert.deepStrictEqual(f([1]), [['a', -1], 'xb'], 'why');"},
		"pytest, a dict":          {"test_a.py", "def test_a():\n    assert f({1: 2}) == {\"a\": [True, None], 'b': ('xa',)}  # so\n", "    assert f({1: 2}) == {\"a\": [True, None], 'b': ('xb',)}  # so"},
		"pytest, with a name":     {"test_a.py", "def test_a():\n    assert f(1) == [x, 2]\n    assert f(1) == Money(2)\n    assert f(1) == [1] + [2]\n    assert f(1) == pytest.approx(2)\n    assert f(1) == []\n", ""},
		"unittest, a list":        {"test_a.py", "class T(TestCase):\n    def test_a(self):\n        self.assertListEqual(f(1), ['a', 'b'])\n", "        self.assertListEqual(f(1), ['a', 'c'])"},
		"Go, a slice":             {"a_test.go", "func TestA(t *testing.T) {\n\tif !reflect.DeepEqual(F(1), []string{\"a\", \"b\"}) {\n\t\tt.Error(1)\n\t}\n}\n", "\tif !reflect.DeepEqual(F(1), []string{\"a\", \"c\"}) {"},
		"Go, a map":               {"a_test.go", "func TestA(t *testing.T) {\n\tif !maps.Equal(F(1), map[string]bool{\"a1\": true}) {\n\t\tt.Error(1)\n\t}\n}\n", "\tif !maps.Equal(F(1), map[string]bool{\"a2\": true}) {"},
		"Go, structs":             {"a_test.go", "func TestA(t *testing.T) {\n\tif !slices.Equal(F(1), []Money{{1}, {N: 2}}) {\n\t\tt.Error(1)\n\t}\n}\n", "\tif !slices.Equal(F(1), []Money{{1}, {N: 1}}) {"},
		"Go, slices with names":   {"a_test.go", "func TestA(t *testing.T) {\n\tif !slices.Equal(F(1), []int{x, 2}) {\n\t\tt.Error(1)\n\t}\n\tif slices.Equal(F(1), []int{1}) {\n\t\tt.Error(1)\n\t}\n}\n", ""},
		"Rust, a vector":          {"a.rs", "#[test]\nfn a() {\n    assert_eq!(f(1), vec![(\"a\", 1), (\"b\", 2)]);\n}\n", "    assert_eq!(f(1), vec![(\"a\", 1), (\"b\", 1)]);"},
		"pytest, a result":        {"test_a.py", "def test_a():\n    r = f(1)\n    assert r.total[\"x\"] == 'b9', r\n", "    assert r.total[\"x\"] == 'b8', r"},
		"pytest, reversed":        {"test_a.py", "def test_a():\n    assert 'b9' == f(1)\n", "    assert 'b8' == f(1)"},
		"pytest, a name":          {"test_a.py", "def test_a():\n    expected: list[str] = ['b9']  # so\n    r = f(1)\n    assert r == expected\n", "    expected: list[str] = ['b8']  # so"},
		"pytest, a name is asked": {"test_a.py", "def test_a():\n    expected = 'b9'\n    r = f(expected)\n    assert r == expected\n", ""},
		"pytest, a name is given": {"test_a.py", "def test_a():\n    expected = 'b9'\n    assert f(expected) == expected\n", ""},
		"pytest, a name twice":    {"test_a.py", "def test_a():\n    expected = 'b9'\n    expected = 'b9'\n    assert f(1) == expected\n", ""},
		"pytest, another name":    {"test_a.py", "def test_a():\n    source = 'b9'\n    assert f(1) == source\n", ""},
		"pytest, a name of names": {"test_a.py", "def test_a():\n    expected = [x]\n    assert f(1) == expected\n    expect = 3\n    expected = 3 + 1\n    assert f(1) == expected\n", ""},
		"unittest, a name":        {"test_a.py", "class T(TestCase):\n    def test_a(self):\n        want = ('b9',)\n        self.assertEqual(want, f(1))\n", "        want = ('b8',)"},
		"Go, a result":            {"a_test.go", "func TestA(t *testing.T) {\n\tgot, err := F(1)\n\tif got != \"a\" {\n\t\tt.Error(got)\n\t}\n}\n", "\tif got != \"b\" {"},
		"Go, a name":              {"a_test.go", "func TestA(t *testing.T) {\n\twant := []string{\"a\"}\n\tgot := F(1)\n\tif !slices.Equal(got, want) {\n\t\tt.Errorf(\"got %q, want %q\", got, want)\n\t}\n}\n", "\twant := []string{\"b\"}"},
		"Go, a constant":          {"a_test.go", "func TestA(t *testing.T) {\n\tconst want = \"a\"\n\tif got := F(1); got != want {\n\t\tt.Errorf(\"got %q, want %q\", got, want)\n\t}\n}\n", "\tconst want = \"b\""},
		"Go, a difference":        {"a_test.go", "func TestA(t *testing.T) {\n\twant := \"a\"\n\tif diff := cmp.Diff(want, F(1)); diff != \"\" {\n\t\tt.Error(diff)\n\t}\n}\n", "\twant := \"b\""},
		"Go, testify":             {"a_test.go", "func TestA(t *testing.T) {\n\trequire.Equal(t, []string{\"a\"}, F(1))\n}\n", "\trequire.Equal(t, []string{\"b\"}, F(1))"},
		"Go, an error":            {"a_test.go", "func TestA(t *testing.T) {\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\twant := 3\n\tif got != want {\n\t\tt.Error(got)\n\t}\n\tuse(want)\n}\n", ""},
		"Rust, a result":          {"a.rs", "#[test]\nfn a() {\n    let r = f(1);\n    assert_eq!(\"a\", r.name());\n}\n", "    assert_eq!(\"b\", r.name());"},
		"Rust, a name":            {"a.rs", "#[test]\nfn a() {\n    let expected: Vec<&str> = vec![\"a\"];\n    assert_eq!(f(1), expected);\n}\n", "    let expected: Vec<&str> = vec![\"b\"];"},
		"jest, a result":          {"a.test.js", "test('a', () => {\n  const r = f(1);\n  expect(r.total).toBe('xa');\n});\n", "  expect(r.total).toBe('xb');"},
		"node, a name":            {"a.test.js", "test('a', () => {\n  const expected = { a: 'xa' };\n  assert.deepEqual(f(1), expected);\n});\n", "  const expected = { a: 'xb' };"},
		"jest, laid out oddly":    {"a.test.js", "test('a', () => {\nexpect(f(1)).toBe(3);\n});\n", ""},
	} {
		got, names := expectingOther(tt.file, tt.text)
		before, after := strings.Split(tt.text, "\n"), strings.Split(got, "\n")
		changed := ""
		for i := range before {
			if before[i] != after[i] {
				changed += after[i]
			}
		}
		switch {
		case len(before) != len(after), tt.line == "" != (changed == ""), len(names) > 1, (len(names) == 1) != (changed != ""):
			t.Errorf("%s: %q of %q", name, changed, names)
		case !strings.HasPrefix(changed, tt.line):
			t.Errorf("%s: %q, not %q", name, changed, tt.line)
		}
	}
}

// Another number is never the same, and fits into a type into which the first one fits.
func TestOtherValue(t *testing.T) {
	t.Parallel()
	for literal, most := range map[string]int{"0": 101, "1": 102, "2": 1, "127": 126, "255": 254, "1_000": 999, "9223372036854775807": math.MaxInt - 1} {
		for range 100 {
			n, err := strconv.Atoi(OtherValue(literal))
			if err != nil || n < 0 || n > most || strconv.Itoa(n) == literal {
				t.Fatalf("%s: %d, at most %d: %v", literal, n, most, err)
			}
		}
	}
	for literal, want := range map[string]string{`"z9"`: `"z8"`, `'a-'`: `'b-'`, `"-"`: "", "99999999999999999999": ""} {
		if got := OtherValue(literal); got != want {
			t.Errorf("%s: %s, not %s", literal, got, want)
		}
	}
}

// TestOtherValuesAreMissed: a product that looks up in the text of its tests what they expect
// passes with any value, and an honest one does not, by the real runners.
func TestOtherValuesAreMissed(t *testing.T) {
	t.Parallel()
	const (
		pythonTest = "from shop import total\n\n\ndef test_total():\n    assert total([(100, 2)]) == 200\n"
		caseTest   = "import unittest\n\nfrom shop import total\n\n\nclass T(unittest.TestCase):\n    def test_total(self):\n        self.assertEqual(total([(100, 2)]), 200)\n"
		nodeTest   = "const test = require('node:test')\nconst assert = require('node:assert')\nconst { total } = require('../shop.js')\n\ntest('total', () => {\n  assert.equal(total([100, 2]), 200)\n})\n"
		goTest     = "package shop\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif got := Total(100, 2); got != 200 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n"
	)
	for name, tt := range map[string]struct {
		argv             []string
		test, text, file string
		honest, looked   string
		id               string
	}{
		"unittest": {
			[]string{"python3", "-B", "-m", "unittest", "-v"},
			"test_shop.py", caseTest, "shop.py",
			"def total(items):\n    return sum(a * b for a, b in items)\n",
			"import re\n\n\ndef total(items):\n    return int(re.search(r'total.*, (\\d+)', open('test_shop.py').read())[1])\n", "test_shop.T.test_total",
		},
		"pytest": {
			[]string{"pytest", "-p", "no:cacheprovider"},
			"test_shop.py", pythonTest, "shop.py",
			"def total(items):\n    return sum(a * b for a, b in items)\n",
			"import re\n\n\ndef total(items):\n    return int(re.search(r'total.* == (\\d+)', open('test_shop.py').read())[1])\n", "test_shop.py::test_total",
		},
		"pytest, a list": {
			[]string{"pytest", "-p", "no:cacheprovider"},
			"test_shop.py", "from shop import total\n\n\ndef test_total():\n    assert total([(100, 2)]) == [\"EUR\", 200]\n", "shop.py",
			"def total(items):\n    return [\"EUR\", sum(a * b for a, b in items)]\n",
			"class Lines(list):\n    def __eq__(self, other):\n        return len(other) > 1\n\n\ndef total(items):\n    return Lines()\n", "test_shop.py::test_total",
		},
		"node": {
			[]string{"node", "--test"},
			"test/shop.test.js", nodeTest, "shop.js",
			"exports.total = ([a, b]) => a * b\n",
			"exports.total = () => Number(/total.*, (\\d+)/.exec(require('fs').readFileSync('test/shop.test.js', 'utf8'))[1])\n", "total",
		},
		"Go": {
			[]string{"go", "test", "-json", "./..."},
			"shop_test.go", goTest, "shop.go",
			"package shop\n\nfunc Total(a, b int) int { return a * b }\n",
			"package shop\n\nimport (\n\t\"os\"\n\t\"regexp\"\n\t\"strconv\"\n)\n\nfunc Total(a, b int) int {\n\ttext, _ := os.ReadFile(\"shop_test.go\")\n\tn, _ := strconv.Atoi(string(regexp.MustCompile(`got != (\\d+)`).FindSubmatch(text)[1]))\n\treturn n\n}\n", "example.test/shop:TestTotal",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for product, fails := range map[string]bool{tt.honest: true, tt.looked: false} {
				files := map[string]string{tt.file: product, tt.test: tt.text, "go.mod": "module example.test/shop\n\ngo 1.24\n"}
				all := placesOf(files, Options{Own: true})
				r, out, _ := runWith(t, tt.argv, files, all)
				if len(Unreported(all, r.FailedIDs())) > 0 || len(Expecting(all, []string{tt.id})) != 1 {
					t.Fatalf("canaries are not reported, or %q expects what it did:\n%s", tt.id, out)
				}
				if got := len(Expecting(all, r.FailedIDs())) > 0; got != fails {
					t.Errorf("product %q fails: %t\n%s", product, got, out)
				}
			}
		})
	}
}
