package addition

import (
	"strings"
	"testing"
)

// Files of tests in which others get a place before a line.
const (
	goTests = "package a\n\nimport \"testing\"\n\n// TestA tests a.\nfunc TestA(t *testing.T) {\n\tt.Log(`\n\tx`)\n\tt.Log(1)\n}\n\nvar late = 1\n\n/* old:\nfunc TestOld(t *testing.T) {}\n*/\n\nfunc TestZ(t *testing.T) {\n\tt.Log(2)\n}\n"
	pyTests = "\"\"\"Tests of a.\"\"\"\nimport sys\n\nimport pytest\n\nTEXT = \"\"\"\nfirst\n\n\"\"\"\n\n\ndef test_a():\n    x = 1\n    assert a(x)\n\n\n@pytest.mark.slow\n\n@pytest.mark.parametrize(\n    \"x\", [1],\n)\ndef test_b(x):\n    assert b(x)\n\n\n# Errors\n@pytest.mark.slow\ndef test_c():\n    assert c()\n\n\nif sys.platform == \"linux\":\n    def test_linux():\n        assert a(1)\n\n\nclass TestD:\n    \"\"\"D.\"\"\"\n\n    def test_d1(self):\n        assert d()\n\n    def test_d2(self):\n        assert d(2)\n\n\ndef helper():\n    def test_inner(self):\n        pass\n    return test_inner\n\n\ndef test_z():\n    assert z(1 +\n        2)\n"
	jsTests = "'use strict';\nconst test = require('node:test');\n\nconst text = `\n${`a`}\n`;\n\nif (process.platform === 'win32')\n  test('windows', () => {});\n\ntest('a', () => {\n  a();\n});\n\ndescribe('b', () => {\n  beforeEach(() => {\n    b();\n  });\n\n  it('b1', () => {\n    b(1);\n  });\n\n  it('b2', () => {\n    b(2);\n  });\n});\n\nit('c', () => {\n  c();\n})\n\n;[1, 2].forEach((n) => c(n));\n\ntest('z', () => {});\n"
	rsTests = "use m::a;\n\n/* old:\nfn b() {}\n*/\n#[test]\nfn one() {\n    assert_eq!(a('\"'), r\"\\\");\n    assert_eq!(a('/'), 1);\n}\n\n#[test]\n#[ignore]\nfn two() {\n    assert_eq!(a(2), 2);\n}\n\nmod inner {\n    use super::*;\n\n    #[test]\n    fn three() {\n        assert_eq!(a(3), 3);\n    }\n\n    #[test]\n    fn four() {}\n}\n\nmacro_rules! more {\n    () => {};\n}\n\n#[test]\nfn last() {}\n"
)

// pyMarked are tests with decorators.
const pyMarked = "from unittest import mock\nfrom unittest.mock import patch\n\nfrom help import both, once\n\n\n@once\ndef helper():\n    pass\n\n\n@both\ndef test_a():\n    assert a()\n"

// insertion is a piece that work puts before the first line of a base that begins with a text.
type insertion struct{ file, base, before, piece string }

func (c insertion) work(t *testing.T) string {
	t.Helper()
	front, rest, found := strings.Cut("\n"+c.base, "\n"+c.before)
	if !found {
		t.Fatalf("%s: no line begins with %q", c.file, c.before)
	}
	return strings.TrimPrefix(front+"\n"+c.piece+c.before+rest, "\n")
}

// Whole tests get a place between others.
func TestPiecesAreAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []insertion{
		{"a_test.go", goTests, "var late", "func TestNew(t *testing.T) {\n\tif got := a(\"}\"); got != '{' {\n\t\tt.Error(got) // }\n\t}\n}\n\n"},
		{"a_test.go", goTests, "// TestA", "func TestNew(t *testing.T) {\n\tt.Log(1)\n}\n\n"},
		{"a_test.go", goTests, "func TestZ", "// TestNew is new:\n//\n//\ta(\nfunc TestNew(t *testing.T) {\n\tt.Log(2)\n}\n\nfunc Example_new() {\n\t// Output: 1\n}\n\nfunc BenchmarkNew(b *testing.B) {}\n\nfunc FuzzNew(f *testing.F) {}\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new(tmp_path):\n    assert a('''\n]''') == \"(\"  # [\n\n    # more\n    assert f\"{a['}']}{{\" == (\n1)\n\n\n"},
		{"test_a.py", pyTests, "@pytest.mark.slow", "@pytest.mark.slow\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "@pytest.mark.slow", "@pytest.mark.slow\n@pytest.mark.parametrize(\"x, y\", [\n    (1, [2]),\n    pytest.param(2, None, id=\"two\"),\n], ids=[\"a\", \"b\"])\nasync def test_new(x, y): assert a(x)\n\n\n# A comment.\ndef test_more() -> None:\n    pass\n\n\n"},
		{"test_a.py", pyTests, "# Errors", "class TestNew:\n    x = 1\n\n    def test_a(self):\n        pass\n\n\nclass More(unittest.TestCase):\n    def setUp(self): pass\n\n\n"},
		{"test_a.py", pyTests, "    def test_d1", "    def test_new(self):\n        pass\n\n"},
		{"test_a.py", pyTests, "    def test_d2", "    @pytest.mark.slow\n    async def test_new(self, x=1):\n        pass\n\n"},
		{"test_a.py", pyTests, "def helper", "    def test_new(self):\n        pass\n\n\n"},
		{"test_a.py", pyMarked, "@both", "@both\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyMarked, "@both", "@patch(\"shop.pay\", return_value=3)\n@mock.patch.object(Cart, \"total\")\ndef test_new(total, pay):\n    pass\n\n\n"},
		{"test_a.py", pyMarked, "@both", "@patch.dict(\n    \"os.environ\", {\"A\": \"1\"},\n)\ndef test_new():\n    pass\n\n\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', async () => {\n  assert.throws(() => a('}'), /[/'(]`/);\n  assert.equal(`${`}`}`, \"'\");\n  a(b / 2);\n});\n\n"},
		{"a.test.js", jsTests, "test('a'", "test(\"new\", () => assert.equal(a(1), 1))\n\n"},
		{"a.test.ts", jsTests, "describe('b'", "test.each([\n  ['a', 1],\n])('new %s', (s: string, n: number) => {\n  a(s, n);\n});\n\ndescribe('new', () => {\n  it('x', function () {\n    x();\n  });\n});\n"},
		{"a.test.js", jsTests, "  it('b1'", "  it('b0', { timeout: 5 }, async (t) => {\n    b(0);\n  }, 5000);\n\n"},
		{"a.test.js", jsTests, "  it('b2'", "  // One more:\n  it(`b1.5`, () => {\n    b(1.5);\n  });\n\n"},
		{"a.test.js", jsTests, "});\n\nit('c'", "\n  it('b3', () => {\n    b(2);\n  });\n"},
		{"tests/a.rs", rsTests, "#[test]\n#[ignore]", "#[test]\nfn new() {\n    assert_eq!(a('{'), r#\"}\"\"#);\n}\n\n"},
		{"tests/a.rs", rsTests, "mod inner", "/// New.\n#[tokio::test]\n#[should_panic(expected = \"x\")]\nasync fn new() {\n    let s: &'static str = \"{\n\";\n}\n\n"},
		{"tests/a.rs", rsTests, "    #[test]\n    fn three", "    #[test]\n    fn new() -> Result<(), Error> {\n        assert_eq!(a(3), 3);\n        Ok(())\n    }\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn new() {}\n\n"},
	} {
		if work := c.work(t); !Only(c.file, []byte(c.base), []byte(work)) {
			t.Errorf("%s before %q:\n%s", c.file, c.before, c.piece)
		}
	}
}

// What is no whole test, or stands where it changes what is around it, needs a look.
func TestPiecesThatAreNone(t *testing.T) {
	t.Parallel()
	const goNew, pyNew, pyMethod = "func TestNew(t *testing.T) {\n}\n\n", "def test_new():\n    pass\n\n\n", "    def test_new(self):\n        pass\n\n"
	const jsNew, rsNew = "test('new', () => {});\n", "#[test]\nfn new() {}\n\n"
	for _, c := range []insertion{
		{"a_test.go", goTests, "var late", "func TestMain(m *testing.M) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func TestMain(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func init() {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func help() {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func Testing(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func (s *T) TestNew(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func TestZ(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func TestOld(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "func TestNew(t *testing.T) {\n}; var x = quit()\n\n"},
		{"a_test.go", goTests, "var late", "func TestNew(t *testing.T) {\n} /*\n*/\n"},
		{"a_test.go", goTests, "var late", "func TestNew(t *testing.T) {\n\n"},
		{"a_test.go", goTests, "/* old", "func TestNew(t *testing.T) {\n\tt.Log(`)\n}\n"},
		{"a_test.go", goTests, "/* old", "func TestNew(t *testing.T) {\n} /* and\n"},
		{"a_test.go", goTests, "/* old", "func TestNew(t *testing.T) {\n\t/*\n}\n"},
		{"a_test.go", goTests, "var late", "//go:build no\nfunc TestNew(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "var late", "//line b.go:1\nfunc TestNew(t *testing.T) {\n}\n\n"},
		{"a_test.go", goTests, "func TestA", goNew},
		{"a_test.go", goTests, "\tt.Log(1)", goNew},
		{"a_test.go", goTests, "\tx`)", goNew},
		{"a_test.go", goTests, "\tx`)", "\n"},
		{"a_test.go", goTests, "func TestOld", goNew},
		{"a_test.go", goTests, "func TestOld", "import */ func init() { quit() } /*\n"},
		{"a_test.go", goTests, "var late", "var x = quit()\n"},
		{"test_a.py", pyTests, "def test_a", "def helper2():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_z():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    pass\n\n\nquit()\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new(): pass; \\\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    pass\\\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new(x=quit()):\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new(x=(\n    1)):\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "@quit\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyMarked, "@both", "@once\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyMarked, "@both", "@both\ndef new():\n    pass\n\n\n"},
		{"test_a.py", pyMarked, "@both", "@patch(\"a\", quit())\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "@patch(\"a\")\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "@pytest.mark.x(quit())\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "@pytest.mark.x(a)\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "@pytest.mark.x(1); quit()\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "@pytest.mark.skip\n"},
		{"test_a.py", pyTests, "def test_a", "@pytest.mark.skip\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "if False:\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    x = \"\"\"\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    x = (\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    x = f\"{\"#\"}\" \"\"\"\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    x = f\"{'}'\"#\"}\" \"\"\"\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    x = f\"{1 #}\"\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    x = ''' ''''\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "def test_new():\n    \x0cpass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "# pylint: disable=all\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", "import sys\n\nassert \"ä\"\n", "import sys", "# -*- coding: latin-1 -*-\ndef test_new():\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "class TestNew(metaclass=M):\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "class Helper:\n    pass\n\n\n"},
		{"test_a.py", pyTests, "def test_a", "class TestD:\n    pass\n\n\n"},
		{"test_a.py", pyTests, "    x = 1", "    def test_new():\n        pass\n"},
		{"test_a.py", pyTests, "    x = 1", "    def test_new(self):\n        pass\n"},
		{"test_a.py", pyTests, "    x = 1", "\n\ndef test_new():\n"},
		{"test_a.py", pyTests, "    assert a", "    return\n"},
		{"test_a.py", pyTests, "    assert a", "\ndef test_new():\n    x = 1\n"},
		{"test_a.py", pyTests, "first", pyNew},
		{"test_a.py", pyTests, "first", "\n"},
		{"test_a.py", pyTests, "\"\"\"Tests", pyNew},
		{"test_a.py", pyTests, "@pytest.mark.parametrize", pyNew},
		{"test_a.py", pyTests, "def test_b", pyNew},
		{"test_a.py", pyTests, "def test_c", pyNew},
		{"test_a.py", pyTests, "@pytest.mark.slow\ndef test_c", pyNew},
		{"test_a.py", pyTests, "    def test_linux", pyMethod},
		{"test_a.py", pyTests, "    def test_d1", pyNew},
		{"test_a.py", pyTests, "    def test_d2", pyNew},
		{"test_a.py", pyTests, "    def test_d2", "class TestNew:\n\n"},
		{"test_a.py", pyTests, "    def test_d2", "class TestNew:\n    pass\n\n"},
		{"test_a.py", pyTests, "    def test_d2", "    def test_new():\n        pass\n\n"},
		{"test_a.py", pyTests, "    \"\"\"D", pyMethod},
		{"test_a.py", pyTests, "    def test_inner", pyMethod},
		{"test_a.py", pyTests, "    return", pyMethod},
		{"test_a.py", pyTests, "        2)", pyNew},
		{"a.test.js", jsTests, "test('a'", "test.only('new', () => {});\n"},
		{"a.test.js", jsTests, "test('a'", "describe('new', () => {\n  it.only('x', () => {});\n});\n"},
		{"a.test.js", jsTests, "test('a'", "describe('new', () => {\n  it['only']('x', () => {});\n});\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', { only: true }, () => {});\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', quit());\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {}, quit());\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', function () { quit(); }());\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {}); quit();\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {}) ||\n"},
		{"a.test.js", jsTests, "test('a'", "test(name, () => {});\n"},
		{"a.test.js", jsTests, "test('a'", "test.each([quit()])('new', () => {});\n"},
		{"a.test.js", jsTests, "test('a'", "describe('new', () => {\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {\n  a(`\n});\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {\n  a(`${`}`);\n});\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {\n  if (a) /`/.test(a);\n});\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {\n  <!-- `\n});\n"},
		{"a.test.js", jsTests, "test('a'", "test('new', () => {\n  a('\u2028);\n});\n"},
		{"a.test.js", jsTests, "test('a'", "// eslint-disable-next-line\ntest('new', () => {\n});\n"},
		{"a.test.js", jsTests, "test('a'", "if (a)\n"},
		{"a.test.js", jsTests, "test('a'", "a:\n"},
		{"a.test.js", jsTests, "test('a'", "beforeEach(() => {});\n"},
		{"a.test.js", jsTests, "  a();", "  test('new', () => {});\n"},
		{"a.test.js", jsTests, "  a();", "  return;\n"},
		{"a.test.js", jsTests, "  test('windows'", "  test('new', () => {});\n"},
		{"a.test.js", jsTests, ";[1, 2]", jsNew},
		{"a.test.js", jsTests, "'use strict'", jsNew},
		{"a.test.js", jsTests, "${`a`}", jsNew},
		{"a.test.js", jsTests, "    b();", "    it('new', () => {});\n"},
		{"a.test.js", strings.ReplaceAll(jsTests, "\n;[", "\n[") + "a(1)\n  .b();\n", "  .b()", jsNew},
		{"a.test.js", strings.ReplaceAll(jsTests, "describe(", "suspend("), "  it('b2'", "  it('new', () => {});\n"},
		{"a.test.js", strings.ReplaceAll(jsTests, "describe('b', ()", "describe('b', (x = y)"), "  it('b2'", "  it('new', () => {});\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "fn new() {}\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[cfg(test)]\nfn new() {}\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[should_panic]\nfn new() {}\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn two() {}\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn new() {\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn new() {} fn more() {}\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn new() { a('\"'); b(\"); }\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn new() { /* /* */ }\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[test]\nfn new() { a(r#\"\"); }\n\n"},
		{"tests/a.rs", rsTests, "#[test]\nfn last", "#[ignore]\n"},
		{"tests/a.rs", rsTests, "fn last", "#[ignore]\n"},
		{"tests/a.rs", rsTests, "fn last", "#[should_panic]\n"},
		{"tests/a.rs", rsTests, "#[ignore]", "fn new() {}\n\n"},
		{"tests/a.rs", rsTests, "#[ignore]", rsNew},
		{"tests/a.rs", rsTests, "fn two", rsNew},
		{"tests/a.rs", rsTests, "fn b()", rsNew},
		{"tests/a.rs", rsTests, "    assert_eq!(a(2)", rsNew},
		{"tests/a.rs", rsTests, "    () => {}", rsNew},
		{"tests/a.rs", rsTests, "    assert_eq!(a(2)", "    return;\n"},
	} {
		if work := c.work(t); Only(c.file, []byte(c.base), []byte(work)) {
			t.Errorf("%s before %q:\n%s", c.file, c.before, c.piece)
		}
	}
}
