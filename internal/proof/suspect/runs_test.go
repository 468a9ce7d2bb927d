package suspect

import (
	"strings"
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// Text that a source runs as code is searched like it.
func TestRunsAsCode(t *testing.T) {
	t.Parallel()
	python, node := "x = 1\ny = 'py' in s.argv\nimport os as o; o._exit(0)\n", "process.exit(0)\n"
	for _, c := range []struct{ name, text, data, code, want string }{
		{"a.py", "import runpy\nrunpy.run_path('b.cfg')\n", "b.cfg", python, "a.py:2 " + runsFile + ", b.cfg:3 " + endsProcess},
		{"a.py", "import runpy as r\nr.run_path(os.path.join(here, 'b.cfg'))\n", "data/b.cfg", python, "a.py:2 " + runsFile + ", data/b.cfg:3 " + endsProcess},
		{"a.py", "from importlib.util import spec_from_file_location as s\n\ns('b', 'b.txt')\n", "b.txt", python, "a.py:1 " + runsFile + ", a.py:3 " + runsFile + ", b.txt:3 " + endsProcess},
		{"a.py", "from importlib.machinery import SourceFileLoader\n", "b.txt", python, "a.py:1 " + runsFile},
		{"a.py", "exec(open('b').read())\n", "b", python, "a.py:1 " + changesCode + ", b:3 " + endsProcess},
		{"a.py", "x = open('b.txt').read()\n", "b.txt", python, ""},
		{"a.js", "const f = Function(read('./b.txt'))\n", "b.txt", node, "a.js:1 " + changesCode + ", b.txt:1 " + endsProcess},
		{"src/a.js", "require('./b.cfg')\n", "src/b.cfg", node, "src/b.cfg:1 " + endsProcess},
		{"src/a.js", "import './b.js'\nimport c from \"./b.cfg\"\n", "src/b.cfg", node, "src/b.cfg:1 " + endsProcess},
		{"src/a.js", "import './b.cfg'\n", "src/b.cfg", node, "src/b.cfg:1 " + endsProcess},
		{"src/a.js", "const c = await import(`./b.cfg`)\n", "src/b.cfg", node, "src/b.cfg:1 " + endsProcess},
		{"a.js", "const x = read('./b.txt')\n", "b.txt", node, ""},
		{"a.sh", "total() { echo 1; }\n. ./cart.conf\n", "cart.conf", "typeset -n got=want\n", "cart.conf:1 " + changesCode},
		{"a.sh", "if . ./cart.conf; then :; fi\n(. './cart.conf')\n", "cart.conf", "typeset -n got=want\n", "cart.conf:1 " + changesCode},
		{"a.sh", "cat ./cart.conf\n", "cart.conf", "typeset -n got=want\n", ""},
		{"a.h", "#include \"b.inc\"\n", "b.inc", "int x;\n# define if(c) if ((c) && 0)\n", "b.inc:2 " + changesCode},
		{"a.h", "#include \"b.def\"\n", "b.def", "TOKEN(IF, \"if\")\n", ""},
		{"a.py", "x = 1\n", "b.conf", "#define if(c) 0\n", ""},
	} {
		texts := map[string]string{"1": c.text, "2": c.code}
		found, all, err := Find(nil, []proof.File{{Path: c.name, Mode: "100644", ID: "1"}, {Path: c.data, Mode: "100644", ID: "2"}}, judge.Duties{}, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
		if err != nil || !all {
			t.Fatal(err, all)
		}
		var got []string
		for _, f := range found {
			got = append(got, f.String())
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}

// Text that stays as on the base is not searched.
func TestRunsOldText(t *testing.T) {
	t.Parallel()
	data := proof.File{Path: "b.cfg", Mode: "100644", ID: "2"}
	texts := map[string]string{"1": "exec(open('b.cfg').read())\n", "2": "import os\nos._exit(0)\n"}
	found, all, err := Find([]proof.File{data}, []proof.File{{Path: "a.py", Mode: "100644", ID: "1"}, data}, judge.Duties{}, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
	if err != nil || !all || len(found) != 1 {
		t.Error(found, all, err)
	}
}

// What the work changes is searched, too, where a source that stays as it was runs it.
func TestRunsChangedText(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"1": "exec(open('b.json').read())\n", "2": "x = 1\n", "3": "import os\nos._exit(0)\n"}
	source := proof.File{Path: "a.py", Mode: "100644", ID: "1"}
	found, all, err := Find([]proof.File{source, {Path: "b.json", Mode: "100644", ID: "2"}, {Path: "c.md", Mode: "100644", ID: "2"}}, []proof.File{source, {Path: "b.json", Mode: "100644", ID: "3"}, {Path: "c.md", Mode: "100644", ID: "3"}}, judge.Duties{},
		func(id string) ([]byte, error) { return []byte(texts[id]), nil })
	if err != nil || !all || len(found) != 1 || found[0].String() != "b.json:2 "+endsProcess {
		t.Error(found, all, err)
	}
}
