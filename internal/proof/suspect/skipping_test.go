package suspect

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/proof"
)

// TestSkipping: what skips a new test in each run is named, what has a condition is not.
func TestSkipping(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, text string
		line       int
	}{
		{"tests/test_a.py", "import pytest\n\n\n@pytest.mark.skip(reason=\"later\")\ndef test_a(): pass\n", 4},
		{"tests/test_a.py", "@pytest.mark.xfail\ndef test_a(): pass\n", 1},
		{"tests/test_a.py", "@pytest.mark.xfail(reason=\"later\")\ndef test_a(): pass\n", 1},
		{"tests/test_a.py", "CASES = [pytest.param(1, marks=pytest.mark.xfail)]\n", 1},
		{"tests/test_a.py", "def test_a():\n    pytest.skip(\"later\")\n", 2},
		{"tests/test_a.py", "class T(unittest.TestCase):\n    @unittest.expectedFailure\n    def test_a(self): pass\n", 2},
		{"tests/test_a.py", "class T(unittest.TestCase):\n    def test_a(self):\n        self.skipTest(\"later\")\n", 3},
		{"tests/test_a.py", "@pytest.mark.skipif(sys.platform == \"win32\", reason=\"x\")\ndef test_a(): pass\n\n\n@pytest.mark.xfail(WINDOWS, reason=\"x\")\ndef test_b():\n    if not net():\n        pytest.skip(\"no network\")\n\n\n@unittest.skipUnless(X, \"x\")\ndef test_c(): pass\n", 0},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tt.Skip(\"later\")\n}\n", 4},
		{"a_test.go", "package a\n\nfunc TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip(\"slow\")\n\t}\n}\n", 0},
		{"a.test.js", "test.skip(\"a\", () => {});\n", 1},
		{"a.test.js", "describe(\"a\", () => {\n  it.todo(\"b\");\n  it(\"c\", () => {});\n});\n", 2},
		{"a.test.js", "test(\"a\", { skip: true }, () => {});\n", 1},
		{"a.test.js", "test(\"a\", { skip: !net }, () => {});\ntest.each([1])(\"x\", () => {});\n", 0},
		{"tests/a.rs", "#[test]\n#[ignore]\nfn a() {}\n", 2},
	} {
		want := ""
		if c.line > 0 {
			want = fmt.Sprintf("%d %s", c.line, skipsTest)
		}
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != want {
			t.Errorf("%s\n%s: %q, want %q", c.file, c.text, got, want)
		}
		if got := suspectsOf(t, c.file, c.text, c.text+"\n"); got != nil {
			t.Errorf("%s\n%s as before: %q", c.file, c.text, got)
		}
	}
}

// TestSkippedElsewhere: places where new tests are skipped for another system.
func TestSkippedElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, base, work string
		want             int
	}{
		{"tests/test_a.py", "", "@unittest.skipUnless(sys.platform == \"win32\", \"drives\")\ndef test_a(): pass\n\n\n@pytest.mark.skipif(os.name == 'nt', reason='x')\ndef test_b(): pass\n", 2},
		{"tests/test_a.py", "@pytest.mark.skipif(os.name == 'nt', reason='x')\ndef test_b(): pass\n", "@pytest.mark.skipif(os.name == 'nt', reason='x')\ndef test_b(): pass\n\n", 0},
		{"tests/test_a.py", "", "# @pytest.mark.skipif(os.name == 'nt', reason='x')\n@pytest.mark.skip\ndef test_b(): pass\n", 0},
		{"a_test.go", "", "package a\n\nfunc TestA(t *testing.T) {\n\tif runtime.GOOS != \"windows\" {\n\t\tt.Skip(\"drives\")\n\t}\n}\n", 1},
		{"a.test.js", "", "test('a', { skip: process.platform !== 'win32' }, () => {});\n", 1},
		{"a.test.js", "", "const windows = process.platform === 'win32';\n\ntest('a', { skip: windows }, () => {});\ntest('b', { skip: !windows && 'needs Windows' }, () => {});\n", 2},
		{"tests/test_a.py", "", "WINDOWS = sys.platform == 'win32'\n\n\n@unittest.skipIf(WINDOWS, 'x')\ndef test_b(): pass\n", 1},
		{"a.test.js", "", "test('a', { skip: !net }, () => {});\n", 0},
	} {
		texts := map[string]string{"base": c.base, "work": c.work}
		before := map[string]proof.File{}
		if c.base != "" {
			before[c.file] = proof.File{Path: c.file, Mode: "100644", ID: "base"}
		}
		got, err := SkippedElsewhere(before, map[string]proof.File{c.file: {Path: c.file, Mode: "100644", ID: "work"}}, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
		if got != c.want || err != nil {
			t.Errorf("%s: %d %v, want %d", c.work, got, err, c.want)
		}
	}
}
