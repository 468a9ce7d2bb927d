package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/testing/prooftest"
)

// TestExamplesJudge: examples that the work changes or hides are those of the base in
// the variant; other words, and new examples, are the work's.
func TestExamplesJudge(t *testing.T) {
	t.Parallel()
	const python = "def f():\n    \"\"\"Does it.\n\n    >>> f()\n    1\n    \"\"\"\n    return 1\n"
	const rust = "/// Does it.\n///\n/// ```\n/// assert_eq!(a::f(), 1);\n/// ```\npub fn f() -> i32 { 1 }\n"
	const text = "# A\n\n    >>> f()\n    1\n"
	for what, c := range map[string]struct {
		gate          string
		base, changes prooftest.Tree
		want          []string
	}{
		"an expected value":        {"pytest --doctest-modules", prooftest.Tree{"a.py": python}, prooftest.Tree{"a.py": strings.Replace(python, "    1\n", "    2\n", 1)}, []string{"a.py"}},
		"a removed example":        {"python3 -m doctest a.py", prooftest.Tree{"a.py": python}, prooftest.Tree{"a.py": "def f():\n    return 2\n"}, []string{"a.py"}},
		"an option":                {"python3 -m doctest a.py", prooftest.Tree{"a.py": python}, prooftest.Tree{"a.py": strings.Replace(python, ">>> f()", ">>> f() # doctest: +SKIP", 1)}, []string{"a.py"}},
		"another object":           {"python3 -m doctest a.py", prooftest.Tree{"a.py": python}, prooftest.Tree{"a.py": python + "\n\nf = g\n"}, []string{"a.py"}},
		"a decorator":              {"python3 -m doctest a.py", prooftest.Tree{"a.py": python}, prooftest.Tree{"a.py": "@wrap\n" + python}, []string{"a.py"}},
		"other words and one more": {"pytest", prooftest.Tree{"pytest.ini": "[pytest]\naddopts = --doctest-modules\n", "a.py": python}, prooftest.Tree{"a.py": strings.Replace(python, "    1\n", "    1\n\n    >>> 2\n    2\n", 1)}, nil},
		"no doctests":              {"pytest", prooftest.Tree{"a.py": python}, prooftest.Tree{"a.py": "def f():\n    return 2\n"}, nil},
		"from a test":              {"python3 -m unittest", prooftest.Tree{"test_a.py": "import doctest, a\n", "a.py": python}, prooftest.Tree{"a.py": "def f():\n    return 2\n"}, []string{"a.py"}},
		"a document":               {"pytest --doctest-glob=*.md", prooftest.Tree{"README.md": text}, prooftest.Tree{"README.md": "# B\n"}, []string{"README.md"}},
		"words of a document":      {"pytest --doctest-glob=*.md", prooftest.Tree{"README.md": text}, prooftest.Tree{"README.md": text + "\nMore.\n"}, nil},
		"rustdoc":                  {"cargo test", prooftest.Tree{"src/lib.rs": rust}, prooftest.Tree{"src/lib.rs": strings.Replace(rust, "1)", "2)", 1)}, []string{"src/lib.rs"}},
		"rustdoc, ignored":         {"cargo test", prooftest.Tree{"src/lib.rs": rust}, prooftest.Tree{"src/lib.rs": strings.Replace(rust, "/// ```\n", "/// ```ignore\n", 1)}, []string{"src/lib.rs"}},
		"rustdoc, other words":     {"cargo test", prooftest.Tree{"src/lib.rs": rust}, prooftest.Tree{"src/lib.rs": strings.Replace(rust, "Does it.", "Does it well.", 1) + "// end\n"}, nil},
	} {
		k, _ := change(c.gate, c.base, c.changes)
		got, err := k.Judges()
		if d := cmp.Diff(c.want, got.SetAside); d != "" || err != nil {
			t.Errorf("%s: %v %s", what, err, d)
		}
		for _, e := range got.Edits {
			if e.Path != "README.md" && !strings.Contains(string(e.Data), "f()") {
				t.Errorf("%s: the variant has no example: %s", what, e.Data)
			}
		}
	}
}

// TestDocstringsAfterCarriageReturns: Python ends a line there, and doctest runs what is in it.
func TestDocstringsAfterCarriageReturns(t *testing.T) {
	t.Parallel()
	const base = "def tax(c):\n    \"\"\"Tax.\n\n    >>> tax(50)\n    10\n    \"\"\"\n    return c\n"
	for _, work := range []string{
		strings.ReplaceAll(strings.Replace(base, "10", "9", 1), "\n", "\r"),
		strings.Replace(base, "def tax", "# a\r@quiet\ndef tax", 1),
	} {
		if merged, same := mergeDocstrings([]byte(base), []byte(work)); same || !strings.Contains(string(merged), "    10\n") {
			t.Errorf("%q becomes %q", work, merged)
		}
	}
	same := strings.ReplaceAll(base, "\n", "\r")
	if merged, unchanged := mergeDocstrings([]byte(base), []byte(same)); !unchanged {
		t.Errorf("the same examples: %q", merged)
	}
}

// FuzzDocstrings: no source makes the merge lose an example or panic.
func FuzzDocstrings(f *testing.F) {
	f.Add("def f():\n    \"\"\"\n    >>> f()\n    1\n    \"\"\"\n", "def f():\n    pass\n")
	f.Add("'''\n>>> 1", "\\\n(")
	f.Fuzz(func(t *testing.T, base, work string) {
		merged, same := mergeDocstrings([]byte(base), []byte(work))
		if same != (string(merged) == work) {
			t.Fatalf("same is %v, the merged file %q", same, merged)
		}
		if again, same := mergeRustDocs(base, work); same != (again == work) {
			t.Fatalf("same is %v, the merged file %q", same, again)
		}
	})
}
