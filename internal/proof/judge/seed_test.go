package judge

import (
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// The rows with which tests fill a database judge, its tables do not.
func TestSeeds(t *testing.T) {
	t.Parallel()
	const rows, tables = "INSERT INTO rates VALUES (1);\n", "CREATE TABLE rates (n INT);\n"
	for _, c := range []struct {
		what, gate string
		more       prooftest.Tree
		file       string
		judges     bool
	}{
		{"that a test opens", "pytest", prooftest.Tree{"tests/test_a.py": "open('db/seed.sql')", "db/seed.sql": rows}, "db/seed.sql", true},
		{"that conftest.py opens", "pytest", prooftest.Tree{"conftest.py": "open('db/seed.sql')", "db/seed.sql": rows}, "db/seed.sql", true},
		{"that the product opens, too", "pytest", prooftest.Tree{"conftest.py": "open('db/seed.sql')", "b.py": "open('db/seed.sql')", "db/seed.sql": rows}, "db/seed.sql", false},
		{"in a folder that a test searches", "pytest", prooftest.Tree{"tests/test_a.py": "for p in (ROOT / 'db' / 'seeds').glob('*.sql'): run(p)\n", "db/seeds/one.sql": rows}, "db/seeds/one.sql", true},
		{"in a folder that a test of Go searches", "go test ./...", prooftest.Tree{"a.go": "package a", "a_test.go": "package a\nvar x = filepath.Glob(\"db/seeds/*.sql\")\n", "db/seeds/one.sql": rows}, "db/seeds/one.sql", true},
		{"in a folder that the product searches, too", "pytest", prooftest.Tree{"tests/test_a.py": "glob('db/seeds/*.sql')\n", "b.py": "SEEDS = list(Path('db/seeds/').iterdir())\n", "db/seeds/one.sql": rows}, "db/seeds/one.sql", false},
		{"in a folder with the name of a key", "pytest", prooftest.Tree{"tests/test_a.py": "glob('x'); assert load()['seeds'] == 1\n", "db/seeds/one.sql": rows}, "db/seeds/one.sql", false},
		{"that a goal of make loads", "make test", prooftest.Tree{"Makefile": "test:\n\tsqlite3 t.db < db/seed.sql\n\tpytest\n", "db/seed.sql": rows}, "db/seed.sql", true},
		{"that a goal of make gives by an option", "make test", prooftest.Tree{"Makefile": "test:\n\tpsql -q -f db/seed.sql\n\tpytest\n", "db/seed.sql": rows}, "db/seed.sql", true},
		{"cases in a folder that a test searches", "pytest", prooftest.Tree{"tests/test_a.py": "import a\nfor p in (ROOT / 'examples').glob('*.in'): run(p)\n", "examples/one.in": "1\n"}, "examples/one.in", true},
		{"cases in a folder that a test joins", "pytest", prooftest.Tree{"tests/test_a.py": "from a import f\nfor p in os.listdir(os.path.join(ROOT, 'examples')): run(p)\n", "examples/one.in": "1\n"}, "examples/one.in", true},
		{"cases of a test that gets the product from conftest.py", "pytest", prooftest.Tree{"tests/test_a.py": "def test_a(f):\n    for p in (ROOT / 'examples').glob('*.in'): f(p)\n", "tests/conftest.py": "import a\n", "examples/one.in": "1\n"}, "examples/one.in", true},
		{"files that a test only checks", "pytest", prooftest.Tree{"tests/test_a.py": "import yaml\nfor p in (ROOT / 'deploy').glob('*.yaml'): yaml.safe_load(p.read_text())\n", "deploy/one.yaml": "a: 1\n"}, "deploy/one.yaml", false},
		{"texts of which the product makes the names", "pytest", prooftest.Tree{"tests/test_a.py": "open(DIR / 'de.json')\n", "shop/text.py": "open(ROOT / \"locales\" / f\"{language}.json\")\n", "locales/de.json": "{}"}, "locales/de.json", false},
		{"texts beside the module that makes their names", "npm test", prooftest.Tree{"test/a.test.js": "read('de.json')\n", "locales/index.js": "read(`${language}.json`)\n", "locales/de.json": "{}"}, "locales/de.json", false},
		{"tables that a test makes", "pytest", prooftest.Tree{"tests/test_a.py": "open('db/schema.sql')", "db/schema.sql": tables}, "db/schema.sql", false},
		{"tables that a goal of make makes", "make test", prooftest.Tree{"Makefile": "test:\n\tpsql -f db/schema.sql\n\tpytest\n", "db/schema.sql": tables}, "db/schema.sql", false},
		{"tables with rows", "pytest", prooftest.Tree{"tests/test_a.py": "open('db/all.sql')", "db/all.sql": tables + rows}, "db/all.sql", true},
	} {
		base := prooftest.Tree{"a.py": "x", "tests/test_b.py": "x"}
		for p, text := range c.more {
			base[p] = text
		}
		k, _ := change(c.gate, base, prooftest.Tree{c.file: base[c.file] + "-- changed\n"})
		j, err := k.Judges()
		if judges := slices.Contains(j.SetAside, c.file); judges != c.judges || err != nil {
			t.Errorf("%s: judges %v, want %v: %v", c.what, judges, c.judges, err)
		}
	}
}
