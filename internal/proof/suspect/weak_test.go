package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof"
)

// TestWeak: work whose new tests ask only for a type or for any value is told apart from
// work that has one test which asks for more.
func TestWeak(t *testing.T) {
	t.Parallel()
	const old = "from shop.tax import tax\n\n\ndef test_old():\n    assert tax(1) == 1\n"
	for name, tt := range map[string]struct {
		file, base, work string
		line             int
	}{
		"a type":                    {"tests/test_tax.py", "", "def test_tax():\n    assert isinstance(tax(100), (int, float))\n", 2},
		"beside an old test":        {"tests/test_tax.py", old, old + "\n\ndef test_new():\n    got = tax(2)\n    assert got is not None\n    assert got > 0, 'positive'\n", 10},
		"any value":                 {"tests/test_tax.py", "", "def test_tax():\n    got = tax(2)\n    assert got\n    assert len(got) > 0 and got != []\n", 3},
		"a line of an old test":     {"tests/test_tax.py", old, old + "\n\ndef test_new():\n    assert tax(1) == 1\n    assert isinstance(tax(2), int)\n", 0},
		"any tolerance":             {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100) == pytest.approx(19, rel=1)\n", 2},
		"one of two":                {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100) == 19 or tax(100) == 20\n", 2},
		"unittest":                  {"tests/test_tax.py", "", "class T(TestCase):\n    def test_tax(self):\n        self.assertIsInstance(tax(1), int)\n        self.assertGreater(tax(1), 0)\n", 3},
		"unittest with a value":     {"tests/test_tax.py", "", "class T(TestCase):\n    def test_tax(self):\n        self.assertIsInstance(tax(1), int)\n        self.assertEqual(tax(1), 3)\n", 0},
		"a value":                   {"tests/test_tax.py", "", "def test_tax():\n    assert isinstance(tax(100), int)\n    assert tax(100) == 19\n", 0},
		"an error":                  {"tests/test_tax.py", "", "def test_tax():\n    assert tax(1) is not None\n    with pytest.raises(ValueError):\n        tax(-1)\n", 0},
		"a helper":                  {"tests/test_tax.py", "", "def test_tax():\n    assert tax(1) is not None\n    eq(tax(1), 19)\n", 0},
		"a helper in the file":      {"tests/test_tax.py", "", "def same(x):\n    assert x == 1\n\n\ndef test_tax():\n    assert tax(1) is not None\n    same(tax(1))\n", 0},
		"a call":                    {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100)\n", 2},
		"nothing for nothing":       {"tests/test_tax.py", "", "def test_tax():\n    assert tax(0) == 0\n    assert tax(100) >= 0\n    assert slug('') == ''\n", 2},
		"growing":                   {"tests/test_tax.py", "", "def test_tax():\n    assert tax(200) > tax(100)\n", 2},
		"any difference":            {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100) == pytest.approx(19, abs=100)\n", 2},
		"a small difference":        {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100) == pytest.approx(19, abs=0.1)\n", 0},
		"a failure that is missing": {"tests/test_tax.py", "", "def test_tax():\n    assert tax(1)\n    try:\n        tax(-1)\n    except ValueError:\n        return\n    assert False\n", 0},
		"JavaScript, in one line":   {"test/tax.test.js", "", "test('tax', () => { assert.ok(tax(100)); assert.ok(tax(1) >= 0); });\ntest('more', () => assert.ok(tax(1)));\n", 1},
		"JavaScript, one value":     {"test/tax.test.js", "", "test('tax', () => { assert.ok(tax(100)); assert.equal(tax(1), 3); });\n", 0},
		"less itself":               {"tests/test_tax.py", "", "def test_tax():\n    price = tax(100)\n    assert price % 1 == 0\n    assert price - price == 0\n", 3},
		"a rest":                    {"tests/test_tax.py", "", "def test_tax():\n    price = tax(100)\n    assert price % 7 == 0\n", 0},
		"itself":                    {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100) == tax(100)\n    assert tax(100) == 100 * RATE\n", 2},
		"a constant and a value":    {"tests/test_tax.py", "", "def test_tax():\n    assert tax(100) == 100 * RATE\n    assert tax(50) == 10\n", 0},
		"a constant of the test":    {"tests/test_tax.py", "", "N = 3\n\n\ndef test_tax():\n    assert len(f()) == N\n", 0},
		"unittest, a constant":      {"tests/test_tax.py", "", "class T(TestCase):\n    def test_tax(self):\n        self.assertEqual(tax(1), settings.TAX)\n", 3},
		"JavaScript, itself":        {"test/tax.test.js", "", "test('tax', async () => {\n  assert.strictEqual(await tax(100), await tax(100));\n});\n", 2},
		"JavaScript, a constant":    {"test/tax.test.js", "", "test('tax', () => {\n  expect(tax(100)).toBe(100 * RATE);\n});\n", 2},
		"a predicate":               {"tests/test_tax.py", "", "def test_even():\n    assert even(2)\n    assert not even(3)\n", 0},
		"parts of a text":           {"tests/test_tax.py", "", "def test_tax():\n    assert 'x' in tax(1)\n", 0},
		"a range":                   {"tests/test_tax.py", "", "def test_tax():\n    assert 0 <= tax(1) < 5\n", 0},
		"several lines":             {"tests/test_tax.py", "", "def test_tax():\n    assert isinstance(\n        tax(1),\n        int,\n    )\n    assert tax(\n        1\n    ) == 2\n", 0},
		"a type in several lines":   {"tests/test_tax.py", "", "def test_tax():\n    assert isinstance(\n        tax(1), int)\n", 0},
		"no assertion":              {"tests/test_tax.py", "", "def test_tax():\n    tax(1)\n", 0},
		"JavaScript, a type":        {"test/tax.test.js", "", "test('tax', async () => {\n  assert.equal(typeof (await tax(100)), 'number');\n});\n", 2},
		"JavaScript, any value":     {"test/tax.test.js", "", "test('tax', () => {\n  const got = tax(1);\n  expect(got).toBeDefined();\n  expect(got).not.toBeNull();\n  expect(got.length).toBeGreaterThan(0);\n});\n", 3},
		"JavaScript, a value":       {"test/tax.test.js", "", "test('tax', () => {\n  expect(tax(1)).toBeDefined();\n  expect(tax(1)).toBe(3);\n});\n", 0},
		"JavaScript, in a describe": {"test/tax.test.js", "describe('tax', () => {\n  it('is 1', () => {\n    expect(tax(1)).toBe(1);\n  });\n});\n", "describe('tax', () => {\n  it('is 1', () => {\n    expect(tax(1)).toBe(1);\n  });\n  it('is there', () => {\n    expect(tax(2)).toBeTruthy();\n  });\n});\n", 6},
		"JavaScript, a predicate":   {"test/tax.test.js", "", "test('even', () => {\n  assert.ok(even(2));\n  assert.ok(!even(3));\n});\n", 0},
		"JavaScript, a class":       {"test/tax.test.js", "", "test('tax', () => {\n  assert.ok(tax(1) instanceof Tax && tax(1) !== null, 'a tax');\n});\n", 2},
		"Go, any value":             {"tax_test.go", "", "package shop\n\nfunc TestTax(t *testing.T) {\n\tif got := Tax(100); got <= 0 {\n\t\tt.Fatal(got)\n\t}\n\tif got := Name(); got == \"\" || len(got) < 1 {\n\t\tt.Fatal(got)\n\t}\n}\n", 4},
		"Go, a value":               {"tax_test.go", "", "package shop\n\nfunc TestTax(t *testing.T) {\n\tgot, err := Tax(100)\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n\tif got != 19 {\n\t\tt.Fatal(got)\n\t}\n}\n", 0},
		"Go, an error":              {"tax_test.go", "", "package shop\n\nfunc TestTax(t *testing.T) {\n\tif _, err := Tax(-1); err == nil {\n\t\tt.Fatal(err)\n\t}\n}\n", 0},
		"Go, no error and nothing":  {"tax_test.go", "", "package shop\n\nfunc TestTax(t *testing.T) {\n\tfor _, n := range []int{-1, 1} {\n\t\tif got, err := Tax(n); err == nil && len(got) == 0 {\n\t\t\tt.Error(got)\n\t\t}\n\t}\n}\n", 5},
		"Go, no error":              {"tax_test.go", "", "package shop\n\nfunc TestTax(t *testing.T) {\n\tif _, err := Tax(1); err == nil {\n\t\tt.Error(err)\n\t}\n}\n", 0},
		"Go, testify":               {"tax_test.go", "", "package shop\n\nfunc TestTax(t *testing.T) {\n\trequire.NotNil(t, Tax(1))\n}\n", 4},
		"Go, an example":            {"tax_test.go", "", "package shop\n\nfunc ExampleTax() {\n\tif x := Tax(1); x == nil {\n\t}\n\tfmt.Println(Tax(1))\n\t// Output: 1\n}\n", 0},
		"Rust":                      {"tests/tax.rs", "", "#[test]\nfn tax() { assert!(true) }\n", 0},
	} {
		before, after := map[string]proof.File{}, map[string]proof.File{tt.file: {Path: tt.file, Mode: "100644", ID: "work"}}
		if tt.base != "" {
			before[tt.file] = proof.File{Path: tt.file, Mode: "100644", ID: "base"}
		}
		found, err := weakOf(before, after, func(id string) ([]byte, error) {
			return []byte(map[string]string{"base": tt.base, "work": tt.work}[id]), nil
		})
		line := 0
		for _, s := range found {
			line = s.Line
		}
		if err != nil || line != tt.line {
			t.Errorf("%s: line %d, not %d: %v\n%s", name, line, tt.line, err, strings.TrimSpace(tt.work))
		}
	}
}

// TestNothingOfOldFunctions: where a function of the base failed, nothing can be its right answer.
func TestNothingOfOldFunctions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		source, text, test, tests string
		named                     bool
	}{
		{"shop/report.py", "def total(rows):\n    return sum(rows)\n", "tests/test_none.py", "def test_none():\n    assert total(None) == 0\n", false},
		{"shop/report.py", "def total(rows):\n    return sum(rows)\n", "tests/test_none.py", "class T(TestCase):\n    def test_none(self):\n        self.assertEqual(total(None), {})\n", false},
		{"shop/report.py", "def total(rows):\n    return sum(rows)\n", "tests/test_none.py", "def test_none():\n    assert isinstance(total(None), int)\n", true},
		{"shop/report.py", "def other(rows):\n    return sum(rows)\n", "tests/test_none.py", "def test_none():\n    assert total(None) == 0\n", true},
		{"src/total.js", "export const total = (rows) => rows.length;\n", "test/none.test.js", "test('none', () => {\n  expect(total(null)).toBe(0);\n});\n", false},
	} {
		texts := map[string][]byte{"s": []byte(tt.text), "w": []byte(tt.text + "\n"), "t": []byte(tt.tests)}
		before := map[string]proof.File{tt.source: {Path: tt.source, Mode: "100644", ID: "s"}}
		after := map[string]proof.File{tt.source: {Path: tt.source, Mode: "100644", ID: "w"}, tt.test: {Path: tt.test, Mode: "100644", ID: "t"}}
		found, err := weakOf(before, after, func(id string) ([]byte, error) { return texts[id], nil })
		if err != nil || tt.named != (len(found) > 0) {
			t.Errorf("%s: %v %v", tt.tests, found, err)
		}
	}
}

// weakOf are the findings of weakTests in a change.
func weakOf(before, after map[string]proof.File, content func(id string) ([]byte, error)) ([]Finding, error) {
	was, err := changedTests(before, after, content)
	if err != nil {
		return nil, err
	}
	now, err := changedTests(after, before, content)
	if err != nil {
		return nil, err
	}
	return weakTests(was, now, before, content)
}
