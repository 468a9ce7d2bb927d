package suspect

import (
	"testing"

	"ralph/internal/proof"
)

// TestMisplaced: lines of new tests that look like assertions and judge nothing.
func TestMisplaced(t *testing.T) {
	t.Parallel()
	files := map[string]proof.File{"shop/tax.py": {Path: "shop/tax.py", Mode: "100644", ID: "1"}, "README.md": {Path: "README.md", Mode: "100644", ID: "2"}}
	tells := func(file, lang string, lines map[string]string) {
		for line, want := range lines {
			got := ""
			for _, s := range misplacedIn(file, lang, line+"\n", nil, files) {
				got = s.What
			}
			if got != want {
				t.Errorf("%s: got %q", line, got)
			}
		}
	}
	tells("tests/test_tax.py", "python", map[string]string{
		"        self.assertTrue(tax(100), 19)":                  expectsNothing,
		"        self.assertTrue(tax(100) == 19, 'the tax')":     "",
		"        self.assertTrue(isinstance(x, (int, float)))":   "",
		"        self.assertTrue(x in (1, 2))":                   "",
		"    assert (tax(100) == 19, \"19 per cent\")":           expectsNothing,
		"    assert (tax(100), 'x') == (19, 'x')":                "",
		"    assert tax(100) == (19, 'x')":                       "",
		"    text = Path('shop/tax.py').read_text()":             readsSource,
		"    text = open(os.path.join('shop', 'tax.py')).read()": readsSource,
		"    text = Path('README.md').read_text()":               "",
		"    subprocess.run([sys.executable, 'shop/tax.py'])":    "",
		"    text = (tmp_path / 'out.py').read_text()":           "",
	})
	tells("test/tax.test.js", "js", map[string]string{
		"  assert.ok(tax(100), 19);":                 expectsNothing,
		"  assert(tax(100), [19]);":                  expectsNothing,
		"  expect(tax(100));":                        expectsNothing,
		"  assert.ok(tax(100), 'the tax');":          "",
		"  chai.assert(a, b);":                       "",
		"  assert.rejects(run(1), Error);":           notAwaited,
		"  expect(run(1)).rejects.toThrow()":         notAwaited,
		"  await assert.rejects(run(1));":            "",
		"  return expect(a).resolves.toBe(1)":        "",
		"test('a', () =>\n  assert.rejects(run(1)))": "",
		"  expect(tax(100)).toBe(19);":               "",
		"  expect(":                                  "",
		"  await expect(run(1)).rejects.x()":         "",
	})
}
