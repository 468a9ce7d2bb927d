package testout

import (
	"strings"
	"testing"
)

// TestPytestNamesWhatDoesNotLoad: not the runner is broken, but a file.
func TestPytestNamesWhatDoesNotLoad(t *testing.T) {
	t.Parallel()
	const conftest = "ImportError while loading conftest '/w/gate-1/tests/conftest.py'.\ntests/conftest.py:6: in <module>\n    from invoicer import Invoice\n"
	for name, c := range map[string]struct{ in, want string }{
		"conftest":  {conftest + "E   ModuleNotFoundError: No module named 'invoicer'\n", "tests/conftest.py"},
		"product":   {conftest + "src/invoicer/__init__.py:2: in <module>\n    from .model import X\nE   ImportError: cannot import name 'X'\n", "src/invoicer/__init__.py"},
		"syntax":    {conftest + "src/invoicer/__init__.py:2: in <module>\n    from .model import X\nE     File \"/w/gate-1/src/invoicer/model.py\", line 41\nE       def f(x)\nE   SyntaxError: expected ':'\n", "src/invoicer/model.py"},
		"installed": {conftest + ".venv/lib/python3.12/site-packages/a/b.py:2: in <module>\n    x\n../venv/c.py:1: in <module>\n/usr/lib/d.py:1: in <module>\nE   ImportError: no\n", "tests/conftest.py"},
		"no frames": {"ImportError while loading conftest '/w/conftest.py'.\nE   ImportError: no\n", "conftest.py"},
		"no file":   {"ERROR: file or directory not found: tests/unit/test_x.py\n", "tests/unit/test_x.py"},
		"internal":  {"INTERNALERROR> boom\n", "pytest"},
	} {
		p := &pytest{}
		for l := range strings.Lines(c.in) {
			p.line(strings.TrimRight(l, "\n"))
		}
		r, ok := p.report()
		if !ok || len(r.Broken) != 1 || r.Broken[0] != c.want || r.Failures[0].ID != c.want {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
