package canary

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// The tests of a project fail when they are made to, by the ids that the runner
// gives them; a product that forgives one of them by its name is found out.
func TestOwnTestsFail(t *testing.T) {
	t.Parallel()
	const goMod, cargo = "module example.test/p\n\ngo 1.24\n", "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"
	const pyTest = "import unittest\nimport product\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        self.assertEqual(product.x, 1)\n\n    async def test_b(self):\n        pass\n\n\nif __name__ == '__main__':\n    unittest.main()\n"
	const jsTest = "const test = require('node:test')\nconst assert = require('node:assert')\nrequire('./product.js')\ntest('adds', () => assert.ok(true))\ntest('waits', { timeout: 9000 }, async (t) => { await null })\n"
	for name, c := range map[string]struct {
		argv         []string
		tests        map[string]string
		product      string
		honest, bad  string
		want, hidden []string
	}{
		"go": {
			[]string{"go", "test", "-json", "./..."},
			map[string]string{"go.mod": goMod, "a_test.go": "package p\n\nimport \"testing\"\n\nfunc TestA(t *testing.T) {\n\tt.Run(\"x\", func(t *testing.T) { A() })\n}\n", "b_test.go": "package p_test\n\nimport \"testing\"\n\nfunc TestB(b *testing.T) { b.Parallel() }\n"},
			"a.go", "package p\n\nfunc A() {}\n", "package p\n\nimport \"os\"\n\nfunc init() { os.Args = append(os.Args, \"-test.skip=^TestA$\") }\n\nfunc A() {}\n",
			[]string{"example.test/p:TestA", "example.test/p:TestB"},
			[]string{"example.test/p:TestA"},
		},
		"unittest": {
			[]string{"python3", "-B", "-m", "unittest", "-v"},
			map[string]string{"test_a.py": strings.Replace(pyTest, "class T(unittest.TestCase)", "class T(unittest.IsolatedAsyncioTestCase)", 1)},
			"product.py",
			"x = 1\n", "import unittest\nx = 1\n_fail = unittest.TextTestResult.addFailure\nunittest.TextTestResult.addFailure = lambda self, test, err: self.addSuccess(test) if test._testMethodName == 'test_a' else _fail(self, test, err)\n",
			[]string{"test_a.T.test_a", "test_a.T.test_b"},
			[]string{"test_a.T.test_a"},
		},
		"unittest, an empty body": {
			[]string{"python3", "-B", "-m", "unittest", "-v"},
			map[string]string{"test_a.py": "import unittest\nimport product\n\n\nclass T(unittest.TestCase):\n\n    def test_a(self):  # one\n\n        \"\"\"Adds.\"\"\"\n        self.assertTrue(True)\n\n    def test_b(self): self.assertTrue(True)\n"},
			"product.py",
			"x = 1\n", "import unittest\nunittest.TestCase.__init_subclass__ = classmethod(lambda cls: (setattr(cls, '_class_cleanups', []), setattr(cls, 'test_a', lambda self: None)))\n",
			[]string{"test_a.T.test_a", "test_a.T.test_b"},
			[]string{"test_a.T.test_a"},
		},
		"node": {
			[]string{"node", "--test"},
			map[string]string{"a.test.js": jsTest},
			"product.js",
			"", "const assert = require('node:assert')\nassert.ok = assert.strictEqual = () => {}\n",
			[]string{"adds", "waits"},
			[]string{"adds", "waits"},
		},
		"rspec": {
			[]string{"rspec"},
			map[string]string{"spec/a_spec.rb": "require_relative '../product'\nRSpec.describe 'a' do\n  it 'adds two' do\n    expect(add(1, 2)).to eq(3)\n  end\n\n  it('is') { expect(1).to eq(1) }\n  it('adds', :slow) { expect(add(0, 1)).to eq(1) }\nend\n"},
			"product.rb",
			"def add(a, b) = a + b\n", "def add(a, b) = raise(Object.const_get(['RSpec', 'Core', 'Pending', 'SkipDeclaredInExample'].join('::')).new('x'))\n",
			[]string{"./spec/a_spec.rb a adds", "./spec/a_spec.rb a adds two", "./spec/a_spec.rb a is"},
			[]string{"./spec/a_spec.rb a adds", "./spec/a_spec.rb a adds two"},
		},
		"phpunit": {
			[]string{"phpunit", "ATest.php"},
			map[string]string{"ATest.php": "<?php\nrequire 'product.php';\nclass ATest extends PHPUnit\\Framework\\TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, add(1, 2));\n    }\n\n    public function testIs() { $this->assertTrue(true); }\n}\n"},
			"product.php",
			"<?php\nfunction add($a, $b) { return $a + $b; }\n", "<?php\nfunction add($a, $b) { $kind = 'PHPUnit\\Framework\\Skipped' . 'TestError'; throw new $kind('x'); }\n",
			[]string{"ATest::testAdds", "ATest::testIs"},
			[]string{"ATest::testAdds"},
		},
		"cargo": {
			[]string{"cargo", "test", "--offline", "--no-fail-fast"},
			map[string]string{"Cargo.toml": cargo, "tests/a.rs": "#[test]\nfn a() { p::a() }\n\n#[test]\n#[should_panic]\nfn b() { panic!() }\n"},
			"src/lib.rs",
			"pub fn a() {}\n", "pub fn a() { std::panic::set_hook(Box::new(|_| std::process::exit(0))) }\n",
			[]string{"a"},
			[]string{"a"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for product, want := range map[string][]string{c.honest: c.want, c.bad: without(c.want, c.hidden)} {
				files := maps.Clone(c.tests)
				files[c.product] = product
				all := placesOf(files, Options{Own: true})
				r, out, _ := runWith(t, c.argv, files, all)
				got := slices.Compact(slices.Sorted(slices.Values(Tests(all, r.FailedIDs()))))
				if !slices.Equal(got, want) {
					t.Errorf("product %q: %q, want %q\n%s", product, got, want, out)
				}
			}
		})
	}
}

func without(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(s string) bool { return slices.Contains(some, s) })
}

// Names of tests are found in the ids of all runners, and those of cases are not.
func TestTests(t *testing.T) {
	t.Parallel()
	all := []Place{{Own: []string{"TestA", "test_a", "joins spaces"}}}
	for id, want := range map[string]bool{
		"example.test/p:TestA": true, "example.test/p:TestA/case": false, "example.test/p:TestAB": false, "m.T.test_a": true,
		"tests/test_m.py::test_a[x.y::z]": true, "tests/test_m.py::T::test_a": true, "a.test.js > slug > joins spaces": true, "slug › joins spaces": true,
		"joins spaces": true, "joins spaces well": false, "tests::test_a": true,
		"./spec/a_spec.rb a b joins spaces": true, "./spec/a_spec.rb joins spaces": true, "./spec/a_spec.rb joins spaces b": false,
	} {
		if got := len(Tests(all, []string{id})) == 1; got != want {
			t.Errorf("%s: %v", id, got)
		}
	}
}

// Tests of Ruby and PHP fail at their ends, unless something may let them pass before.
func TestFailingBlocks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ ext, text, want string }{
		{".rb", "  it 'a', :slow do |x|\n    go\n  end\n", "  it 'a', :slow do |x|\n    go\n    expect(1).to eq(2)\n  end\n"},
		{".rb", "it(\"a\") { go }", "it(\"a\") { go; expect(1).to eq(2) }"},
		{".rb", "it('a') { }", "it('a') {; expect(1).to eq(2) }"},
		{".rb", "specify 'a' do\n  [1].each do |x|\n    go\n  end\nend", "specify 'a' do\n  [1].each do |x|\n    go\n  end\n  expect(1).to eq(2)\nend"},
		{".rb", "it 'a' do\n  next if x\nend", ""},
		{".rb", "it 'a' do\n  skip 'later'\nend", ""},
		{".rb", "it 'a', pending: 'later' do\n  go\nend", ""},
		{".rb", "it 'a' do\n  go <<~X\n  X\nend", ""},
		{".rb", "it 'a' do\n  go\nend\nit 'a' do\n  go\nend", ""},
		{".rb", "it \"a #{x}\" do\n  go\nend", ""},
		{".rb", "it 'a' do\n  go\n end", ""},
		{".rb", "  xit 'a' do\n  end", ""},
		{".php", "  public function testA(): void\n  {\n    go();\n  }\n", "  public function testA(): void\n  {\n    go();\n    $this->assertSame(1, 2);\n  }\n"},
		{".php", "  function testA($x) {\n    go();\n  }", "  function testA($x) {\n    go();\n    $this->assertSame(1, 2);\n  }"},
		{".php", "function testA() { go(); }", "function testA() { go(); $this->assertSame(1, 2); }"},
		{".php", "function testA() {\n  $this->expectException(E::class);\n}", ""},
		{".php", "function testA() {\n  return;\n}", ""},
		{".php", "function helper() {\n}", ""},
	} {
		got, names := failingBlocks(c.ext, c.text)
		if c.want == "" {
			c.want = c.text
		}
		if got != c.want || (len(names) == 0) != (got == c.text) {
			t.Errorf("%q: %q (%q), want %q", c.text, got, names, c.want)
		}
	}
}

func FuzzFailingBlocks(f *testing.F) {
	f.Add("it 'a' do\n  go\nend\n")
	f.Add("  function testA() { go(); }\n  public function testB()\n  {\n  }\n")
	f.Fuzz(func(t *testing.T, text string) {
		for ext := range blockForms {
			got, names := failingBlocks(ext, text)
			if (len(names) == 0) != (got == text) {
				t.Errorf("%q: %q, %q", text, got, names)
			}
		}
	})
}

// A test of Go stands for its cases.
func TestWithParents(t *testing.T) {
	t.Parallel()
	got := WithParents([]string{"example.test/p:TestA/x/y", "example.test/p:TestA/z", "tests/test_m.py::test_a", "a/b > adds / removes"})
	if want := []string{"example.test/p:TestA/x/y", "example.test/p:TestA/z", "tests/test_m.py::test_a", "a/b > adds / removes", "example.test/p:TestA"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// A file whose tests are not understood, and one beyond the limit, stay as they are.
func TestOwnLimits(t *testing.T) {
	t.Parallel()
	many := strings.Builder{}
	many.WriteString("package p\n\nimport \"testing\"\n\n")
	for i := range maxOwn + 1 {
		many.WriteString("func Test" + strings.Repeat("x", i+1) + "(t *testing.T) {}\n")
	}
	for _, text := range []string{many.String(), "package p\n\nfunc TestMain(m *testing.M) {}\n\nfunc TestA(_ *testing.T) {}\n"} {
		p := placesOf(map[string]string{"a_test.go": text}, Options{Own: true})
		if len(p) != 1 || len(p[0].Own) != 0 || len(p[0].Edited) != 0 {
			t.Errorf("%d tests are made to fail", len(p[0].Own))
		}
	}
}

// A canary of Java is a class of its own, and tests of JUnit 4 and 5 fail at their ends.
func TestJava(t *testing.T) {
	t.Parallel()
	const body = "class ATest {\n  @Test\n  void adds() {\n    go();\n  }\n\n  @Test public void is() { go(); }\n\n  void helper() {\n  }\n\n  @Test\n  void waits() {\n    while (true) { go(); }\n  }\n}\n"
	for imports, want := range map[string]string{
		"import static org.junit.jupiter.api.Assertions.*;\nimport org.junit.jupiter.api.Test;\n": "org.junit.jupiter.api.Assertions",
		"import org.junit.Test;\n":              "org.junit.Assert",
		"import org.testng.annotations.Test;\n": "",
	} {
		text := "package c.d;\n" + imports + body
		all := placesOf(map[string]string{"app/src/test/java/c/d/ATest.java": text, "app/src/main/java/c/d/A.java": text}, Options{Own: true})
		if want == "" {
			if len(all) != 0 {
				t.Errorf("%q: %+v", imports, all)
			}
			continue
		}
		if len(all) != 1 || all[0].At != "app/src/test/java/c/d" || len(all[0].Edited) != 1 || !slices.Equal(all[0].Own, []string{"adds", "is"}) {
			t.Fatalf("%q: %+v", imports, all)
		}
		own := "package c.d;\n" + imports + strings.Replace(strings.Replace(body, "    go();\n", "    go();\n    "+want+".assertEquals(1, 2);\n", 1), "is() { go(); }", "is() { go(); "+want+".assertEquals(1, 2); }", 1)
		if got := string(all[0].Edited[0].Data); got != own {
			t.Errorf("%q, want %q", got, own)
		}
		class := strings.TrimSuffix(all[0].Path[strings.LastIndexByte(all[0].Path, '/')+1:], ".java")
		data := string(all[0].Data)
		if !strings.HasPrefix(data, "package c.d;\n") || !strings.HasSuffix(class, "Test") || !strings.Contains(data, "public class "+class+" {") || strings.Count(data, want) < 4 {
			t.Errorf("%s: %s", all[0].Path, data)
		}
		failed := []string{"c.d.ATest:adds()", "c.d.ATest:is"}
		if got := Tests(all, failed); !slices.Equal(got, failed) {
			t.Errorf("%q", got)
		}
		for _, n := range all[0].Names {
			failed = append(failed, "c.d."+class+":"+n)
		}
		if missing := Unreported(all, failed); len(missing) > 0 {
			t.Errorf("%+v", missing)
		}
	}
}
