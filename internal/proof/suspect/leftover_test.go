package suspect

import (
	"strings"
	"testing"
)

// TestLeftover: marks for what is left to do, and packed data.
func TestLeftover(t *testing.T) {
	t.Parallel()
	packed := strings.Repeat("eJwLycgsVgCi", 8)
	for _, c := range []struct{ file, base, text, want string }{
		{"a.go", "", "package a\n\n// set is it.\nfunc set() {\n\t// TODO: expiry\n\tstore()\n}\n", "5 " + saysMore},
		{"a.py", "", "def tax(c):\n    return rate * c  # not yet implemented: reduced rates\n", "2 " + saysMore},
		{"a.js", "", "const list = 'TODO';\n", ""},
		{"a.py", "# TODO: more\n", "# TODO: more\nx = 1\n", ""},
		{"a.py", "", "# the to-do list, todo by todo\nx = 1\n", ""},
		{"a.py", "", "import base64\nDATA = \"" + packed + "\"\ntext = base64.b64decode(DATA)\n", "2 " + hiddenCode},
		{"a.js", "", "const data = '" + packed + "';\nconst text = Buffer.from(data, 'base64');\n", "1 " + hiddenCode},
		{"a.py", "", "KEY = \"" + packed + "\"\n", ""},
		{"a.py", "", "import base64\ntext = base64.b64decode(request.body)\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, c.base, c.text), ", "); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
