package suspect

import (
	"slices"
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

// TestAskedFor: a parameter or value that is off, and that new tests alone switch on.
func TestAskedFor(t *testing.T) {
	t.Parallel()
	const task = "register(email) must refuse addresses without an @."
	for what, c := range map[string]struct{ task, file, text, test, tests string }{
		"a parameter":            {task, "a.py", "def register(email, strict=False):\n    if strict and '@' not in email:\n        raise ValueError\n", "test_b.py", "with raises(ValueError):\n    register('a', strict=True)\n"},
		"one with a type":        {task, "a.py", "def register(email, strict: bool = False):\n    return strict\n", "test_b.py", "register('a', strict=True)\n"},
		"a value of the module":  {task, "a.py", "VALIDATE = False\n\n\ndef register(email):\n    return VALIDATE\n", "test_b.py", "monkeypatch.setattr(a, \"VALIDATE\", True)\n"},
		"JavaScript":             {task, "a.js", "export function register(email, { checked = false } = {}) {\n  return checked;\n}\n", "b.test.js", "register('a', { checked: true });\n"},
		"-the product asks, too": {task, "a.py", "def register(email, strict=False):\n    return strict\n\n\ndef main(email):\n    register(email, strict=True)\n", "test_b.py", "register('a', strict=True)\n"},
		"-no test asks":          {task, "a.py", "def register(email, strict=False):\n    return strict\n", "test_b.py", "register('a')\n"},
		"-the task's":            {task + " With lenient it takes them.", "a.py", "def register(email, lenient=False):\n    return lenient\n", "test_b.py", "register('a', lenient=True)\n"},
		"a word of the task":     {task + " Checks are strict.", "a.py", "def register(email, strict=False):\n    return strict\n", "test_b.py", "register('a', strict=True)\n"},
		"-code of the task":      {task + " `strict=True` refuses more.", "a.py", "def register(email, strict=False):\n    return strict\n", "test_b.py", "register('a', strict=True)\n"},
		"-a task for an option":  {"Add an option by which register is strict.", "a.py", "def register(email, strict=False):\n    return strict\n", "test_b.py", "register('a', strict=True)\n"},
		"-the base's":            {task, "a.py", "def register(email, old=False):\n    return old\n", "test_b.py", "register('a', old=True)\n"},
	} {
		k, s := change("make", prooftest.Tree{c.file: "old = 1\n"}, prooftest.Tree{c.file: c.text, c.test: c.tests})
		found, _, err := Find(k.Base, k.Work, judge.Duties{Task: c.task}, s.Read)
		if named := slices.ContainsFunc(found, func(f Finding) bool { return f.What == onlyAsked }); named == (what[0] == '-') || err != nil {
			t.Errorf("%s: %v %v", what, found, err)
		}
	}
}
