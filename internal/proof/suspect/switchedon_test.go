package suspect

import (
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestSwitchedOn: a variable that the new tests set, and of which the task says nothing, leaves
// the work off for everyone else.
func TestSwitchedOn(t *testing.T) {
	t.Parallel()
	const (
		python = "import os\n\nFOLD = os.environ.get('STORE_FOLD') == '1'\n\n\ndef find(q):\n    return q.lower() if FOLD else q\n"
		script = "export const find = (q) => process.env.STORE_FOLD ? q.toLowerCase() : q;\n"
		source = "package a\n\nfunc Find(q string) string {\n\tif os.Getenv(\"STORE_FOLD\") != \"\" {\n\t\treturn strings.ToLower(q)\n\t}\n\treturn q\n}\n"
	)
	for what, c := range map[string]struct {
		task, file, text string
		more             prooftest.Tree
		line             int
	}{
		"Python, a patched value":    {"find(q) must ignore case.", "a.py", python, prooftest.Tree{"test_b.py": "def test_x(monkeypatch):\n    monkeypatch.setattr(a, 'FOLD', True)\n"}, 3},
		"Python, the variable":       {"find(q) must ignore case.", "a.py", python, prooftest.Tree{"test_b.py": "os.environ['STORE_FOLD'] = '1'\n"}, 3},
		"JavaScript":                 {"find(q) must ignore case.", "a.js", script, prooftest.Tree{"b.test.js": "process.env.STORE_FOLD = '1';\n"}, 1},
		"Go":                         {"Find(q) must ignore case.", "a.go", source, prooftest.Tree{"b_test.go": "t.Setenv(\"STORE_FOLD\", \"1\")\n"}, 4},
		"the task names it":          {"find(q) must ignore case where STORE_FOLD is set.", "a.py", python, prooftest.Tree{"test_b.py": "os.environ['STORE_FOLD'] = '1'\n"}, 0},
		"the task asks for a switch": {"Put folding behind a feature flag.", "a.py", python, prooftest.Tree{"test_b.py": "os.environ['STORE_FOLD'] = '1'\n"}, 0},
		"no test sets it":            {"find(q) must ignore case.", "a.py", python, prooftest.Tree{"test_b.py": "assert find('A') == 'a'\n"}, 0},
		"the base knows it":          {"find(q) must ignore case.", "a.py", python, prooftest.Tree{"test_b.py": "os.environ['STORE_FOLD'] = '1'\n", "README.md": "STORE_FOLD\n"}, 0},
		"a value":                    {"find(q) must ignore case.", "a.py", "import os\n\nURL = os.environ.get('STORE_FOLD', 'x')\n", prooftest.Tree{"test_b.py": "os.environ['STORE_FOLD'] = '1'\n"}, 0},
		"no task":                    {"", "a.py", python, prooftest.Tree{"test_b.py": "os.environ['STORE_FOLD'] = '1'\n"}, 0},
	} {
		base, work := prooftest.Tree{c.file: "\n"}, prooftest.Tree{c.file: c.text}
		for p, text := range c.more {
			if p == "README.md" {
				base[p] = text
			} else {
				work[p] = text
			}
		}
		k, s := change("make", base, work)
		found, all, err := Find(k.Base, k.Work, judge.Duties{Task: c.task}, s.Read)
		line := 0
		for _, f := range found {
			if f.What == onlySwitched {
				line = f.Line
			}
		}
		if line != c.line || !all || err != nil {
			t.Errorf("%s: %v, want %d: %v %v", what, found, c.line, all, err)
		}
	}
}
