package judge

import (
	"maps"
	"slices"
	"testing"

	"ralph/internal/testing/prooftest"
)

// TestScriptsOfAwk: a script of awk is the product where commands of a shell run it on what the base
// has, and others compare what it prints. In any other use it judges.
func TestScriptsOfAwk(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		gate   string
		base   prooftest.Tree
		judges bool
	}{
		"compared":             {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax.awk in.csv | diff - want.txt\n"}, false},
		"from words":           {"make test", prooftest.Tree{"Makefile": "test:\n\t@test \"$$(echo 100 | awk -F, -f tax.awk)\" = 19\n"}, false},
		"into a file":          {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax.awk in.csv > out.txt\n\tcmp out.txt want.txt\n"}, false},
		"in a loop":            {"sh test.sh", prooftest.Tree{"Makefile": "all:\n\ttrue\nrun:\n\tawk -f tax.awk $(IN)\n", "test.sh": "for f in cases/*.in; do\n  awk -f tax.awk \"$f\" | diff - \"${f%.in}.out\" || exit 1\ndone\n", "cases/a.in": "1\n", "cases/a.out": "2\n"}, false},
		"beside a script":      {"make test", prooftest.Tree{"Makefile": "test:\n\ttests/run.sh\n\nrun:\n\tawk -f tax.awk $(IN)\n", "tests/run.sh": "exec:here=$(dirname \"$0\")\n[ \"$(awk -f \"$here/../tax.awk\" \"$here/../in.csv\")\" = 2 ]\n"}, false},
		"after the product":    {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 app.py 1 | awk -f tax.awk | diff - want.txt\n"}, true},
		"after a filter":       {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 app.py 1 | sort | awk -f tax.awk | diff - want.txt\n"}, true},
		"of what is made":      {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 app.py -o out.txt\n\tawk -f tax.awk out.txt | diff - want.txt\n"}, true},
		"of what is made, cat": {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 app.py -o out.txt\n\tcat out.txt | awk -f tax.awk | diff - want.txt\n"}, true},
		"of a file in its way": {"make test", prooftest.Tree{"Makefile": "test:\n\tpython3 app.py >in.csv\n\tawk -f tax.awk in.csv | diff - want.txt\n"}, true},
		"of folders made":      {"make test", prooftest.Tree{"Makefile": "test:\n\tfor f in out/*; do awk -f tax.awk $$f | diff - want.txt; done\n"}, true},
		"of both":              {"make test", prooftest.Tree{"Makefile": "test:\n\tfor f in in.*; do awk -f tax.awk $$f | diff - want.txt; done\n\tfor f in out/*; do awk -f tax.awk $$f | diff - want.txt; done\n"}, true},
		"of a variable":        {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax.awk $(IN) | diff - want.txt\n"}, true},
		"of a command":         {"make test", prooftest.Tree{"Makefile": "test:\n\t@test \"$$(awk -f tax.awk \"$$(python3 app.py)\")\" = 19\n"}, true},
		"checks data":          {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax.awk in.csv\n"}, true},
		"says that it is well": {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax.awk in.csv | grep -q OK\n"}, true},
		"named like a check":   {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax_check.awk in.csv | diff - want.txt\n"}, true},
		"both":                 {"make test", prooftest.Tree{"Makefile": "test: one\n\tpython3 app.py | awk -f tax.awk | diff - want.txt\none:\n\tawk -f tax.awk in.csv | diff - want.txt\n"}, true},
		"also in a test":       {"make test", prooftest.Tree{"Makefile": "test:\n\tawk -f tax.awk in.csv | diff - want.txt\n\tpytest\n", "tests/test_app.py": "run(['awk', '-f', 'tax.awk'], input=app())\n"}, true},
	} {
		base := prooftest.Tree{"app.py": "x", "in.csv": "1\n", "want.txt": "2\n", "tax.awk": "{ print 1 }\n", "tax_check.awk": "{ print 1 }\n"}
		maps.Copy(base, c.base)
		file := "tax.awk"
		if what == "named like a check" {
			file = "tax_check.awk"
		}
		k, _ := change(c.gate, base, prooftest.Tree{file: "{ print 2 }\n"})
		k.Opened = []string{file}
		got, err := k.Judges()
		if judges := slices.Contains(got.SetAside, file); err != nil || judges != c.judges {
			t.Errorf("%s: judges: %t, want %t: %v", what, judges, c.judges, err)
		}
	}
}
