package proof

import (
	"strings"
	"testing"
)

// TestStubs: a function that says that it is not implemented is named, a method of a base class,
// which others override, is not.
func TestStubs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"a.py", "def tax(c):\n    raise NotImplementedError\n", "1 " + notImplemented},
		{"a.py", "\n\nasync def tax(\n    c,\n):\n    \"\"\"The tax.\n\n    Of c.\n    \"\"\"\n    # later\n    raise NotImplementedError(\"tax\")\n", "3 " + notImplemented},
		{"a.py", "class Base:\n    def tax(self):\n        raise NotImplementedError\n", ""},
		{"a.py", "def tax(c):\n    if c > 3:\n        raise NotImplementedError\n    return 1\n", ""},
		{"a.go", "package a\n\nfunc Tax(c int) int {\n\tpanic(\"not implemented\")\n}\n", "3 " + notImplemented},
		{"a.go", "package a\n\nfunc (t T) Tax(c int) int { panic(\"TODO\") }\n", "3 " + notImplemented},
		{"a.go", "package a\n\nfunc must(err error) {\n\tpanic(err)\n}\n\n// TODO: more\n", ""},
		{"a.js", "function tax(c) {\n  throw new Error(\"not implemented\");\n}\n", "1 " + notImplemented},
		{"a.js", "export const tax = async (c) => {\n  throw new Error(\"Not yet implemented\");\n};\n", "1 " + notImplemented},
		{"a.ts", "class Base {\n  tax(): number {\n    throw new Error(\"not implemented\");\n  }\n}\n", ""},
		{"a.js", "function tax(c) {\n  throw new Error(\"no tax\");\n}\n// TODO: a class\n", ""},
		{"a.rs", "pub fn tax(c: u32) -> u32 {\n    todo!()\n}\n", "2 " + notImplemented},
	} {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s\n%s: %q, want %q", c.file, c.text, got, c.want)
		}
		if got := suspectsOf(t, c.file, c.text, c.text+"\n"); got != nil {
			t.Errorf("%s\n%s as before: %q", c.file, c.text, got)
		}
	}
}
