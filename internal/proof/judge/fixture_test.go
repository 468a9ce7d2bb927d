package judge

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestFilesThatBelongToTests: data that only tests name, programs that a script of the
// gate runs and that assert, and what tools remember judge.
func TestFilesThatBelongToTests(t *testing.T) {
	t.Parallel()
	const asserting = "from app import f\n\nassert f() == 1\n"
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want          []string
	}{
		"data of tests":               {"go test ./...", prooftest.Tree{"a_test.go": "os.ReadFile(\"cases.json\")", "cases.json": "1", "a.go": "x"}, prooftest.Tree{"cases.json": "2"}, []string{"cases.json"}},
		"settings of a check":         {"python3 tools/lint.py", prooftest.Tree{"tools/lint.py": "c.read(\"lint.cfg\")", "lint.cfg": "1", "a.py": "x"}, prooftest.Tree{"lint.cfg": "2"}, []string{"lint.cfg"}},
		"cases in a module":           {"pytest", prooftest.Tree{"test_app.py": "import app\nimport cases\n", "cases.py": "ALL = [(1, 2)]\n", "app.py": "x"}, prooftest.Tree{"cases.py": "ALL = []\n"}, []string{"cases.py"}},
		"cases of both":               {"pytest", prooftest.Tree{"test_app.py": "import app\nimport cases\n", "cases.py": "ALL = [(1, 2)]\n", "app.py": "import cases\n"}, prooftest.Tree{"cases.py": "ALL = []\n"}, nil},
		"expected values of node":     {"node --test", prooftest.Tree{"a.test.js": "require('./a.js');\nrequire('./expected-totals');\n", "expected-totals.js": "module.exports = [1]\n", "a.js": "x"}, prooftest.Tree{"expected-totals.js": "module.exports = []\n"}, []string{"expected-totals.js"}},
		"a check of shell scripts":    {"make check", prooftest.Tree{"Makefile": "check:\n\tsh check.sh\n", "check.sh": "sh calc.sh 1\n", "calc.sh": "x"}, prooftest.Tree{"check.sh": "exit 0\n", "calc.sh": "y"}, []string{"check.sh"}},
		"a script that checks a disk": {"make check", prooftest.Tree{"Makefile": "check:\n\tsh disk-check-all.sh\n", "disk-check-all.sh": "x"}, prooftest.Tree{"disk-check-all.sh": "y"}, nil},
		"data of both":                {"go test ./...", prooftest.Tree{"a_test.go": "os.ReadFile(\"cases.json\")", "cases.json": "1", "a.go": "//go:embed cases.json"}, prooftest.Tree{"cases.json": "2"}, nil},
		"data of the product":         {"go test ./...", prooftest.Tree{"a_test.go": "x", "cases.json": "1", "a.go": "x"}, prooftest.Tree{"cases.json": "2"}, nil},
		"a script of npm":             {"npm test", prooftest.Tree{"package.json": `{"scripts": {"test": "node run-all.js"}}`, "run-all.js": "x", "app.js": "x"}, prooftest.Tree{"run-all.js": "y", "app.js": "y"}, []string{"run-all.js"}},
		"a program of a Makefile":     {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 all.py\n", "all.py": asserting, "app.py": "x"}, prooftest.Tree{"all.py": "y", "app.py": "y"}, []string{"all.py"}},
		"the product of one":          {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 main.py <in | diff - out\n", "main.py": "import sys\n" + asserting + "sys.stdin.read()\n", "app.py": "x"}, prooftest.Tree{"main.py": "y"}, nil},
		"no program of a Makefile":    {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 -m unittest\n", "all.py": asserting, "app.py": "x"}, prooftest.Tree{"all.py": "y"}, nil},
		"memories of tools":           {"make", prooftest.Tree{"Makefile": "x:"}, prooftest.Tree{".mypy_cache/3.11/a.data.json": "x", "web/.turbo/x.json": "x", "tsconfig.tsbuildinfo": "x", "target/debug/.fingerprint/a/x": "x", "cache/a.txt": "x"}, []string{".mypy_cache/3.11/a.data.json", "target/debug/.fingerprint/a/x", "tsconfig.tsbuildinfo", "web/.turbo/x.json"}},
		"a module of unit tests":      {"cargo test", prooftest.Tree{"Cargo.toml": "x", "src/lib.rs": "#[cfg(test)]\nmod unit_checks;\n", "src/unit_checks.rs": "x"}, prooftest.Tree{"src/unit_checks.rs": "y", "src/lib.rs": "#[cfg(test)]\nmod unit_checks;\n// y\n"}, []string{"src/unit_checks.rs"}},
		"a check of itself":           {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 -m app selfcheck\n", "app/selfcheck.py": "x", "app/__main__.py": "x"}, prooftest.Tree{"app/selfcheck.py": "y", "app/__main__.py": "y"}, []string{"app/selfcheck.py"}},
		"one in a folder":             {"make check", prooftest.Tree{"Makefile": "check:\n\tgo build -o app .\n\t./app self-test\n", "go.mod": "x", "internal/selftest/run.go": "x", "main.go": "x"}, prooftest.Tree{"internal/selftest/run.go": "y", "main.go": "y"}, []string{"internal/selftest/run.go"}},
		"one that no command asks":    {"make check", prooftest.Tree{"Makefile": "check:\n\tpytest\n", "app/selfcheck.py": "x"}, prooftest.Tree{"app/selfcheck.py": "y"}, nil},
		"one at a path":               {"cargo test", prooftest.Tree{"Cargo.toml": "x", "src/a.rs": "#[cfg(all(test, unix))]\n#[path = \"odd/all.rs\"]\nmod unit;\n", "src/odd/all.rs": "x", "src/odd/b.rs": "x"}, prooftest.Tree{"src/odd/all.rs": "y", "src/odd/b.rs": "y"}, []string{"src/odd/all.rs"}},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
}

// TestDataThatTheGateReads: data that a script, program or makefile of the gate reads
// judges, unless a source of the product reads it too, or the gate only looks for a text
// in it.
func TestDataThatTheGateReads(t *testing.T) {
	t.Parallel()
	product := prooftest.Tree{"cli.py": "import app\n", "app.py": "def f(): pass\n"}
	const inPairs = "for f in cases/*.in; do\n\tgot=$(python3 cli.py <$f)\n\t[ \"$got\" = \"$(cat ${f%.in}.want)\" ] || exit 1\ndone\n"
	for what, c := range map[string]struct {
		gate  string
		files prooftest.Tree
		data  string
		want  bool
	}{
		"what sources are made from":      {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 tools/gen.py\n\tgit diff --exit-code\n", "tools/gen.py": "rows = open('rates.csv').read()\nopen('app.py', 'w').write(rows)\n", "rates.csv": "1"}, "rates.csv", false},
		"what a golden is made from":      {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 tools/gen.py\n\tgit diff --exit-code\n", "tools/gen.py": "import app\nrows = open('rates.csv').read()\nopen('out.txt', 'w').write(app.f(rows))\n", "rates.csv": "1", "out.txt": "1"}, "rates.csv", true},
		"sources that the product makes":  {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 tools/gen.py\n\tgit diff --exit-code\n", "tools/gen.py": "import app\nrows = open('rates.csv').read()\nopen('app.py', 'w').write(app.f(rows))\n", "rates.csv": "1"}, "rates.csv", true},
		"limits of what is checked":       {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 tools/gen.py\n", "tools/gen.py": "import sys\nrows = open('rates.csv').read()\nopen('app.py', 'w').write(rows)\nsys.exit(rows > '9')\n", "rates.csv": "1"}, "rates.csv", true},
		"compared by a script":            {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py | diff expected.txt -\n", "expected.txt": "1"}, "expected.txt", true},
		"a name without an ending":        {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py | diff expected -\n", "expected": "1"}, "expected", true},
		"named by a variable":             {"./check.sh", prooftest.Tree{"check.sh": "F=want/a.txt\npython3 cli.py | diff $F -\n", "want/a.txt": "1"}, "want/a.txt", false},
		"in a folder of a variable":       {"./check.sh", prooftest.Tree{"check.sh": "python3 cli.py | diff \"$HERE/a.txt\" -\n", "want/a.txt": "1"}, "want/a.txt", true},
		"patterns of grep":                {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py | grep -qxf want.txt\n", "want.txt": "1"}, "want.txt", true},
		"what grep finds":                 {"sh check.sh", prooftest.Tree{"check.sh": "[ $(grep 50 want.txt) = 3 ]\n", "want.txt": "1"}, "want.txt", false},
		"printed":                         {"sh check.sh", prooftest.Tree{"check.sh": "cat answer.txt\ngrep -qx 3 answer.txt\n", "answer.txt": "1"}, "answer.txt", false},
		"compared with one of the tree":   {"sh check.sh", prooftest.Tree{"check.sh": "diff answer.txt other.txt\n", "answer.txt": "1"}, "answer.txt", false},
		"sourced":                         {"sh check.sh", prooftest.Tree{"check.sh": ". ./.env\n[ $WANT = 1 ]\n", ".env": "WANT=1"}, ".env", true},
		"included by make, by a list":     {"make check", prooftest.Tree{"Makefile": "SRC = a.c\ncheck: a\n\t./a\n-include $(SRC:.c=.d)\n", "a.c": "", "a.d": "x:\n"}, "a.d", true},
		"included by make, by a pattern":  {"make check", prooftest.Tree{"Makefile": "check: a\n\t./a\n-include $(wildcard .deps/*.dep)\n", "a.c": "", ".deps/a.dep": "x:\n"}, ".deps/a.dep", true},
		"included by make, by a variable": {"make check", prooftest.Tree{"Makefile": "check: a\n\t./a\n-include $(DEPS)\n", "a.c": "", "a.d": "x:\n"}, "a.d", true},
		"of another ending than included": {"make check", prooftest.Tree{"Makefile": "SRC = a.c\ncheck: a\n\t./a\n-include $(SRC:.c=.d)\n", "a.c": "", "a.tbl": "x\n"}, "a.tbl", false},
		"included by make":                {"make check", prooftest.Tree{"Makefile": "include .env\ncheck:\n\ttest $(WANT) = 1\n", ".env": "WANT=1"}, ".env", true},
		"compared by make":                {"make check", prooftest.Tree{"Makefile": "check: all\nall:\n\tpython3 cli.py | diff expected.txt -\n", "expected.txt": "1"}, "expected.txt", true},
		"opened by a program":             {"python3 verify.py", prooftest.Tree{"verify.py": "import app\nfor a in open('verify.json'): assert a\n", "verify.json": "[]"}, "verify.json", true},
		"joined to the program's folder":  {"python3 checks/verify.py", prooftest.Tree{"checks/verify.py": "(Path(__file__).parent / \"cases.json\")", "checks/cases.json": "[]"}, "checks/cases.json", true},
		"of a program that a script runs": {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 all.py\n", "all.py": "import app\n\nassert open('a.csv')\n", "a.csv": "1"}, "a.csv", true},
		"of the product, too":             {"python3 verify.py", prooftest.Tree{"verify.py": "open('rates.json')", "lib.py": "open('rates.json')", "rates.json": "1"}, "rates.json", false},
		"another target of make":          {"make check", prooftest.Tree{"Makefile": "check:\n\tpython3 cli.py\ndeploy:\n\tsend app.yaml\n", "app.yaml": "1"}, "app.yaml", false},
		"make is not run":                 {"go test ./...", prooftest.Tree{"Makefile": "check:\n\tdiff a.txt b.txt\n", "a.txt": "1"}, "a.txt", false},
		"text that is looked for":         {"sh check.sh", prooftest.Tree{"check.sh": "grep -q fixed page.html\ntest -s page.html\n", "page.html": "1"}, "page.html", false},
		"checked by a tool of data":       {"sh check.sh", prooftest.Tree{"check.sh": "python3 -m json.tool page.json >/dev/null\nyamllint page.json\n", "page.json": "1"}, "page.json", false},
		"written":                         {"sh check.sh", prooftest.Tree{"check.sh": "rm -f out.txt\npython3 cli.py > out.txt\npython3 cli.py 2>out.txt\n", "out.txt": "1"}, "out.txt", false},
		"another file of the name":        {"sh check.sh", prooftest.Tree{"check.sh": "diff want/a.txt b\n", "docs/a.txt": "1"}, "docs/a.txt", false},
		"compared with what it makes":     {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py in.csv build/out.txt\ncmp build/out.txt want/out.txt\n", "want/out.txt": "1"}, "want/out.txt", true},
		"made and compared with the work": {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py build/api.json\ndiff build/api.json docs/api.json\n", "docs/api.json": "1"}, "docs/api.json", false},
		"given to a product before that":  {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py in.csv build/out.txt\ncmp build/out.txt want/out.txt\n", "want/out.txt": "1", "in.csv": "1"}, "in.csv", true},
		"given where nothing is compared": {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py in.csv build/out.txt\ntest -s build/out.txt\n", "in.csv": "1"}, "in.csv", false},
		"made before it is compared":      {"sh check.sh", prooftest.Tree{"check.sh": "python3 cli.py > out.txt\nrm -f old.txt\ndiff out.txt want.txt\n", "want.txt": "1", "out.txt": "1"}, "out.txt", false},
		"expected in a pair":              {"sh check.sh", prooftest.Tree{"check.sh": inPairs, "cases/a.in": "1", "cases/a.want": "1"}, "cases/a.want", true},
		"input of a pair":                 {"sh check.sh", prooftest.Tree{"check.sh": inPairs, "cases/a.in": "1", "cases/a.want": "1"}, "cases/a.in", true},
		"no pair":                         {"sh check.sh", prooftest.Tree{"check.sh": inPairs, "cases/a.in": "1", "cases/b.want": "1"}, "cases/b.want", false},
		"pairs that are not compared":     {"sh check.sh", prooftest.Tree{"check.sh": "for f in docs/*.txt; do lint $f ${f%.txt}.html; done\n", "docs/a.txt": "1", "docs/a.html": "1"}, "docs/a.txt", false},
		"pairs that the product names":    {"sh check.sh", prooftest.Tree{"check.sh": inPairs, "lib.py": "open('cases/' + name)", "cases/a.in": "1", "cases/a.want": "1"}, "cases/a.in", false},
		"a word of a comment":             {"sh check.sh", prooftest.Tree{"check.sh": "# see VERSION and a.txt\ntrue\n", "VERSION": "1", "a.txt": "1"}, "VERSION", false},
	} {
		base := maps.Clone(product)
		maps.Copy(base, c.files)
		k, _ := change(c.gate, base, prooftest.Tree{c.data: "2", "app.py": "changed"})
		got, err := k.Judges()
		var want []string
		if c.want {
			want = []string{c.data}
		}
		if d := cmp.Diff(want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
	}
	ofShell := prooftest.Tree{"Makefile": "check:\n\tsh tests/run.sh\n", "lib.sh": "x", "tests/run.sh": inPairs, "cases/a.in": "1", "cases/a.want": "1"}
	inShell, _ := change("make check", ofShell, prooftest.Tree{"cases/a.want": "2"})
	if got, err := inShell.Judges(); err != nil || !slices.Equal(got.SetAside, []string{"cases/a.want"}) {
		t.Error("a script among the tests of a project of shell scripts:", got.SetAside, err)
	}
	shared := prooftest.Tree{"check.sh": "bin/greet <in.txt | diff names.txt -\n", "bin/greet": "exec:#!/bin/sh\ncat names.txt\n", "names.txt": "1", "in.txt": "1"}
	k, _ := change("sh check.sh", shared, prooftest.Tree{"names.txt": "2", "in.txt": "2"})
	if got, err := k.Judges(); err != nil || len(got.SetAside) != 0 {
		t.Error("data that the program under test reads, too:", got.SetAside, err)
	}
	k, _ = change("sh check.sh", prooftest.Tree{"check.sh": "[ ! -f .env ] || . ./.env\n", "app.py": "x"}, prooftest.Tree{".env": "WANT=0", "notes.env": "x"})
	if got, err := k.Judges(); err != nil || !slices.Equal(got.SetAside, []string{".env"}) {
		t.Error("a new file that the script sources:", got.SetAside, err)
	}
}

// TestIncludedByForm: a new file that make includes by a pattern or a variable judges.
func TestIncludedByForm(t *testing.T) {
	t.Parallel()
	for include, judges := range map[string]bool{
		"-include $(SRC:.c=.d)": true, "-include *.d": true, "include $(wildcard deps/*.d)": true, "sinclude $(OBJ:%.o=.deps/%.d)": true, "-include $(DEPS)": true,
		"-include $(SRC:.c=.dep)": false, "include local.mk": false, "# -include *.d": false,
	} {
		k, _ := change("make -s check", prooftest.Tree{"Makefile": "SRC = a.c\nOBJ = $(SRC:.c=.o)\n\ncheck: a\n\t./a\n\n" + include + "\n", "a.c": "int main() {}\n"}, prooftest.Tree{"a.c": "int main() { return 0; }\n", "a.d": "check:\n\t@true\n"})
		got, err := k.Judges()
		if err != nil || slices.Contains(got.SetAside, "a.d") != judges || slices.Contains(got.SetAside, "a.c") {
			t.Errorf("%s: %q %v, want %t", include, got.SetAside, err, judges)
		}
	}
}
