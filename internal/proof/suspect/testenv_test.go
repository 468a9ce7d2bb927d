package suspect

import (
	"slices"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestAsksTests: a variable that only tests of the base know tells the product that it is
// tested; one that other files name, or that the work's own tests bring, does not.
func TestAsksTests(t *testing.T) {
	t.Parallel()
	const reads = "x = 1\nif os.environ.get(\"SHOP_STRICT\") == \"1\":\n    x = 2\n"
	sets := prooftest.Tree{"tests/conftest.py": "os.environ['SHOP_STRICT'] = '1'\n"}
	for what, c := range map[string]struct {
		file, text string
		base       prooftest.Tree
		line       int
	}{
		"Python":              {"a.py", reads, sets, 2},
		"Python, in":          {"a.py", "x = 'SHOP_STRICT' in os.environ\n", sets, 1},
		"JavaScript":          {"a.js", "const x = process.env.SHOP_STRICT;\n", prooftest.Tree{"test/a.test.js": "process.env.SHOP_STRICT = '1';\n"}, 1},
		"Go":                  {"a.go", "package a\n\nvar x = os.Getenv(\"SHOP_STRICT\")\n", prooftest.Tree{"b_test.go": "t.Setenv(\"SHOP_STRICT\", \"1\")\n"}, 3},
		"Rust":                {"src/a.rs", "let x = env::var(\"SHOP_STRICT\");\n", prooftest.Tree{"tests/b.rs": "\"SHOP_STRICT\"\n"}, 1},
		"that a document has": {"a.py", reads, prooftest.Tree{"tests/conftest.py": sets["tests/conftest.py"], "README.md": "SHOP_STRICT\n"}, 0},
		"of every system":     {"a.py", "x = os.environ.get(\"XDG_CONFIG_HOME\")\ny = os.environ[\"HOME\"]\n", prooftest.Tree{"tests/conftest.py": "'HOME' 'XDG_CONFIG_HOME'\n"}, 0},
		"of no test":          {"a.py", reads, prooftest.Tree{"tests/conftest.py": ""}, 0},
	} {
		base := prooftest.Tree{c.file: "\n"}
		for p, text := range c.base {
			base[p] = text
		}
		k, s := change("make", base, prooftest.Tree{c.file: c.text})
		found, all, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		var lines []int
		for _, f := range found {
			if f.What == findsTests {
				lines = append(lines, f.Line)
			}
		}
		if want := []int{c.line}; !slices.Equal(lines, want[:min(c.line, 1)]) || !all || err != nil {
			t.Errorf("%s: %v, want %d: %v %v", what, found, c.line, all, err)
		}
	}
}
