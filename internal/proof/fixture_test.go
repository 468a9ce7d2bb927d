package proof

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestFilesThatBelongToTests: data that only tests name, programs that a script of the
// gate runs and that assert, and what tools remember judge.
func TestFilesThatBelongToTests(t *testing.T) {
	t.Parallel()
	const asserting = "from app import f\n\nassert f() == 1\n"
	for what, c := range map[string]struct {
		gate          string
		base, changes tree
		want          []string
	}{
		"data of tests":            {"go test ./...", tree{"a_test.go": "os.ReadFile(\"cases.json\")", "cases.json": "1", "a.go": "x"}, tree{"cases.json": "2"}, []string{"cases.json"}},
		"data of both":             {"go test ./...", tree{"a_test.go": "os.ReadFile(\"cases.json\")", "cases.json": "1", "a.go": "//go:embed cases.json"}, tree{"cases.json": "2"}, nil},
		"data of the product":      {"go test ./...", tree{"a_test.go": "x", "cases.json": "1", "a.go": "x"}, tree{"cases.json": "2"}, nil},
		"a script of npm":          {"npm test", tree{"package.json": `{"scripts": {"test": "node run-all.js"}}`, "run-all.js": "x", "app.js": "x"}, tree{"run-all.js": "y", "app.js": "y"}, []string{"run-all.js"}},
		"a program of a Makefile":  {"make test", tree{"Makefile": "test:\n\tpython3 all.py\n", "all.py": asserting, "app.py": "x"}, tree{"all.py": "y", "app.py": "y"}, []string{"all.py"}},
		"the product of one":       {"make test", tree{"Makefile": "test:\n\tpython3 main.py <in | diff - out\n", "main.py": "import sys\n" + asserting + "sys.stdin.read()\n", "app.py": "x"}, tree{"main.py": "y"}, nil},
		"no program of a Makefile": {"make test", tree{"Makefile": "test:\n\tpython3 -m unittest\n", "all.py": asserting, "app.py": "x"}, tree{"all.py": "y"}, nil},
		"memories of tools":        {"make", tree{"Makefile": "x:"}, tree{".mypy_cache/3.11/a.data.json": "x", "web/.turbo/x.json": "x", "tsconfig.tsbuildinfo": "x", "target/debug/.fingerprint/a/x": "x", "cache/a.txt": "x"}, []string{".mypy_cache/3.11/a.data.json", "target/debug/.fingerprint/a/x", "tsconfig.tsbuildinfo", "web/.turbo/x.json"}},
		"a module of unit tests":   {"cargo test", tree{"Cargo.toml": "x", "src/lib.rs": "#[cfg(test)]\nmod unit_checks;\n", "src/unit_checks.rs": "x"}, tree{"src/unit_checks.rs": "y", "src/lib.rs": "#[cfg(test)]\nmod unit_checks;\n// y\n"}, []string{"src/unit_checks.rs"}},
		"one at a path":            {"cargo test", tree{"Cargo.toml": "x", "src/a.rs": "#[cfg(all(test, unix))]\n#[path = \"odd/all.rs\"]\nmod unit;\n", "src/odd/all.rs": "x", "src/odd/b.rs": "x"}, tree{"src/odd/all.rs": "y", "src/odd/b.rs": "y"}, []string{"src/odd/all.rs"}},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}
