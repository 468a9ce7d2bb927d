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
		"  assert.ok(tax(100), 19);":                                         expectsNothing,
		"  assert(tax(100), [19]);":                                          expectsNothing,
		"  expect(tax(100));":                                                expectsNothing,
		"  assert.ok(tax(100), 'the tax');":                                  "",
		"  chai.assert(a, b);":                                               "",
		"  assert.rejects(run(1), Error);":                                   notAwaited,
		"  expect(run(1)).rejects.toThrow()":                                 notAwaited,
		"  Promise.resolve().then(() => assert.ok(run(1))).catch(() => {});": notAwaited,
		"  load(1).then((x) => expect(x).toBe(1));":                          notAwaited,
		"  return load(1).then((x) => expect(x).toBe(1));":                   "",
		"  const p = load(1).then((x) => expect(x).toBe(1));":                "",
		"  load(1).then((x) => done(x));":                                    "",
		"  await assert.rejects(run(1));":                                    "",
		"  return expect(a).resolves.toBe(1)":                                "",
		"test('a', () =>\n  assert.rejects(run(1)))":                         "",
		"  expect(tax(100)).toBe(19);":                                       "",
		"  expect(":                                                          "",
		"  await expect(run(1)).rejects.x()":                                 "",
	})
}

// TestLeftBehind: a goroutine of a test of Go that asserts, and that the test does not wait for.
func TestLeftBehind(t *testing.T) {
	t.Parallel()
	const begin, end = "package a\n\nfunc TestA(t *testing.T) {\n\tc := New()\n", "}\n\nfunc TestB(t *testing.T) { <-done }\n"
	for code, want := range map[string]int{
		"\tgo func() {\n\t\tif c.Get() {\n\t\t\tt.Error(1)\n\t\t}\n\t}()\n":                                      5,
		"\tgo func() { t.Error(1) }()\n":                                                                         5,
		"\tgo func() { require.True(t, c.Get()) }()\n":                                                           5,
		"\tgo func() { c.Run() }()\n":                                                                            0,
		"\tgo func() { t.Log(1) }()\n":                                                                           0,
		"\tgo func() {\n\t\tdefer wg.Done()\n\t\tt.Error(1)\n\t}()\n\twg.Wait()\n":                               0,
		"\tt.Cleanup(wg.Wait)\n\tgo func() {\n\t\tt.Error(1)\n\t}()\n":                                           0,
		"\tgo func() {\n\t\tdefer close(done)\n\t\tt.Error(1)\n\t}()\n\t<-done\n":                                0,
		"\tgo func() {\n\t\tt.Error(<-c)\n\t}()\n":                                                               5,
		"\tsynctest.Test(t, func(t *testing.T) {\n\t\tgo func() {\n\t\t\tt.Error(1)\n\t\t}()\n\t})\n":            0,
		"\tgo func() {\n\t\tt.Error(1)\n\t}()\n\tfor range results {\n\t}\n":                                     0,
		"\tserve(func() {\n\t\tgo func() {\n\t\t\tt.Error(1)\n\t\t}()\n\t})\n":                                   6,
		"\tgo func() {\n\t\tc.Run(func(v int) {\n\t\t\tif v > 1 {\n\t\t\t\tt.Error(v)\n\t\t\t}\n\t\t})\n\t}()\n": 5,
	} {
		got := 0
		for _, s := range misplacedIn("a_test.go", "go", begin+code+end, nil, nil) {
			got = s.Line
		}
		if got != want {
			t.Errorf("%s: line %d, want %d", code, got, want)
		}
	}
}
