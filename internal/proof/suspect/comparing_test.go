package suspect

import (
	"slices"
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
	"ralph/internal/testing/prooftest"
)

// TestBesideLongSources: a source that is too long to be searched hides nothing in others.
func TestBesideLongSources(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x = 1\n", syntax.LongestSource/6+1)
	for what, c := range map[string]struct{ file, before, after, test string }{
		comparesForTests + " ": {"compare.py", "def same(a, b):\n    return a == b\n", "from shop.equal import same\n", "def test_a():\n    assert same(price(100), 119)\n"},
		comparesForTests:       {"support.py", "def check(got, want):\n    assert got == want\n", "def check(got, want):\n    assert abs(got - want) < 20\n", "def test_a():\n    check(price(100), 119)\n"},
		asksMock:               {"shop.py", "", "def _rule(cents):\n    return cents\n", "@pytest.fixture(autouse=True)\ndef rule(monkeypatch):\n    monkeypatch.setattr('shop._rule', lambda c: c // 2)\n"},
	} {
		base := prooftest.Tree{"price.py": "def price(net):\n    return net\n", "a/same.py": long, "a/changes.py": long, c.file: c.before}
		work := prooftest.Tree{"a/changes.py": long + "y = 1\n", c.file: c.after, "test_a.py": c.test}
		if what != asksMock {
			base["test_a.py"] = c.test
		}
		k, s := change("pytest", base, work)
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if !slices.ContainsFunc(found, func(f Finding) bool { return f.What == strings.TrimSpace(what) }) || err != nil {
			t.Errorf("%s, %q: %v %v", c.file, what, found, err)
		}
	}
}

// TestComparing: a function by which tests compare judges, whatever its file is called.
func TestComparing(t *testing.T) {
	t.Parallel()
	const price = "def price(net):\n    return net\n"
	for name, tt := range map[string]struct {
		file, before, after, test, tests string
		want                             string
	}{
		"python, it raises":         {"support.py", "def check(got, want):\n    assert got == want\n", "# close\n\ndef check(got, want):\n    assert abs(got - want) < 20\n", "test_a.py", "def test_a():\n    check(price(100), 119)\n", "support.py:3"},
		"python, it no longer does": {"support.py", "def check(got, want):\n    assert got == want\n", "def check(got, want):\n    return got == want\n", "test_a.py", "def test_a():\n    got = price(100)\n    support.check(got, 119)\n", "support.py:1"},
		"python, it tells":          {"compare.py", "def same(a, b):\n    return a == b\n", "def same(a, b):\n    return abs(a - b) < 20\n", "test_a.py", "def test_a():\n    assert same(price(100), 119)\n", "compare.py:1"},
		"python, it is imported":    {"compare.py", "def same(a, b):\n    return a == b\n", "from shop.equal import same\n", "test_a.py", "def test_a():\n    assert same(price(100), 119)\n", "compare.py:1"},
		"python, only a remark":     {"compare.py", "def same(a, b):\n    return a == b\n", "def same(a, b):\n    # the same\n    return a == b\n", "test_a.py", "def test_a():\n    assert same(price(100), 119)\n", ""},
		"python, a value of it":     {"a.py", "def add(a, b):\n    return a if a == b else 0\n", "def add(a, b):\n    return a + b\n", "test_a.py", "def test_a():\n    assert add(price(100), 119) == 219\n", ""},
		"python, of a class":        {"a.py", "def has(a, b):\n    return a == b\n", "def has(a, b):\n    return b in a\n", "test_a.py", "def test_a():\n    assert has(set([1]), 1)\n    assert has([1], 1)\n", ""},
		"python, it stores":         {"a.py", "def put(a, b):\n    store[a] = b\n", "def put(a, b):\n    store[str(a)] = b\n", "test_a.py", "def test_a():\n    put(price(1), 1)\n", ""},
		"node":                      {"check.js", "import assert from 'node:assert/strict';\n\nexport const check = (got, want) => assert.equal(got, want);\n", "import assert from 'node:assert/strict';\n\nexport const check = (got, want) => assert.ok(Math.abs(got - want) < want / 2);\n", "test/a.test.js", "test('a', () => {\n  check(price(100), 119);\n});\n", "check.js:3"},
		"go":                        {"same.go", "package shop\n\nfunc Same(a, b int) bool { return a == b }\n", "package shop\n\n// Same is it.\nfunc Same(a, b int) bool { return a/2 == b/2 }\n", "a_test.go", "package shop\n\nfunc TestA(t *testing.T) {\n\tif !Same(Price(100), 119) || x {\n\t}\n}\n", "same.go:4"},
		"rust":                      {"src/check.rs", "pub fn check(got: u64, want: u64) {\n    assert_eq!(got, want);\n}\n", "pub fn check(got: u64, want: u64) {\n    assert!(got.abs_diff(want) * 5 <= want);\n}\n", "tests/price.rs", "#[test]\nfn prices() {\n    check(price(100), 119);\n}\n", "src/check.rs:1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			product := map[string]string{".py": "price.py", ".js": "price.js", ".go": "price.go", ".rs": "src/lib.rs"}[tt.file[strings.LastIndexByte(tt.file, '.'):]]
			texts := map[string]string{"before": tt.before, "after": tt.after, "tests": tt.tests, "price": strings.NewReplacer(".py", price, ".js", "export function price(net) {}\n", ".go", "package shop\n\nfunc Price(net int) int { return net }\n", ".rs", "pub fn price(net: u64) -> u64 {\n    net\n}\n").Replace(tt.file[strings.LastIndexByte(tt.file, '.'):])}
			all := func(id string) []proof.File {
				return []proof.File{{Path: tt.file, Mode: "100644", ID: id}, {Path: tt.test, Mode: "100644", ID: "tests"}, {Path: product, Mode: "100644", ID: "price"}}
			}
			found, _, err := Find(all("before"), all("after"), judge.Duties{}, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for _, s := range found {
				if s.What == comparesForTests {
					got = strings.TrimSuffix(s.String(), " "+comparesForTests)
				}
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
