package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestUnexplained: data that a script of the gate reads beside the product, and that no source
// names, is put back apart from judge files.
func TestUnexplained(t *testing.T) {
	t.Parallel()
	const (
		loop   = "while read -r args want; do\n\tgot=$(sh calc.sh $args)\n\t[ \"$got\" = \"$want\" ] || exit 1\ndone < cases.txt\n"
		python = "import glob, json, shop\nfor n in glob.glob('samples/*.json'):\n    for s in json.load(open(n)):\n        if shop.total(s['in']) != s['out']:\n            raise SystemExit(1)\n"
	)
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want          []string
	}{
		"a list of cases":              {"sh check.sh", prooftest.Tree{"check.sh": loop, "calc.sh": "x", "cases.txt": "1 2"}, prooftest.Tree{"cases.txt": "1 0"}, []string{"cases.txt"}},
		"one of a goal":                {"make check", prooftest.Tree{"Makefile": "check:\n\twhile IFS='|' read a w; do test \"$$(sh calc.sh $$a)\" = \"$$w\" || exit 1; done < cases.txt\n", "calc.sh": "x", "cases.txt": "1 2"}, prooftest.Tree{"cases.txt": "1 0"}, []string{"cases.txt"}},
		"samples that a program finds": {"python3 check.py", prooftest.Tree{"check.py": python, "shop.py": "x", "samples/a.json": "1", "samples/b.json": "1"}, prooftest.Tree{"samples/a.json": "2", "samples/b.json": ""}, []string{"samples/a.json", "samples/b.json"}},
		"that the product finds, too":  {"python3 check.py", prooftest.Tree{"check.py": python, "shop.py": "glob.glob('samples/*.json')", "samples/a.json": "1"}, prooftest.Tree{"samples/a.json": "2"}, nil},
		"a list that is the work":      {"sh check.sh", prooftest.Tree{"check.sh": "while read -r p; do\n\ttest -e $p || exit 1\ndone < packages.txt\n", "a.py": "x", "packages.txt": "a"}, prooftest.Tree{"packages.txt": "b"}, nil},
		"a program without an ending":  {"sh check.sh", prooftest.Tree{"check.sh": "test $(bin/greet a) = a && sh calc.sh\n", "calc.sh": "x", "bin/greet": "exec:x"}, prooftest.Tree{"bin/greet": "exec:y"}, nil},
		"what the base ignores":        {"sh check.sh", prooftest.Tree{"check.sh": "[ -e .deps/run.py ] || make .deps\npython3 .deps/run.py\n", "shop.py": "x", ".gitignore": ".deps/\n!.deps/kept.py\n*.log\n"}, prooftest.Tree{".deps/run.py": "x", ".deps/kept.py": "x", "a/b.log": "x", "c.py": "x"}, []string{".deps/run.py", "a/b.log"}},
		"one that only a module reads": {"sh check.sh", prooftest.Tree{"check.sh": "python3 -m json.tool conf.json\n", "calc.py": "x", "conf.json": "1"}, prooftest.Tree{"conf.json": "2"}, nil},
		"a document":                   {"sh check.sh", prooftest.Tree{"check.sh": "sh calc.sh 1 | grep -f README.md\n", "calc.sh": "x", "README.md": "a"}, prooftest.Tree{"README.md": "b"}, nil},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		judges, err := k.Judges()
		var got []string
		for _, e := range judges.Unexplained {
			got = append(got, e.Path)
		}
		if d := cmp.Diff(c.want, got); d != "" || err != nil {
			t.Errorf("%s: %v %s %v", what, err, d, judges.SetAside)
		}
	}
}
