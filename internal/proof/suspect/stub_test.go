package suspect

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
		{"a.go", "package a\n\nfunc must(err error) {\n\tpanic(err)\n}\n\n// more\n", ""},
		{"a.js", "function tax(c) {\n  throw new Error(\"not implemented\");\n}\n", "1 " + notImplemented},
		{"a.js", "export const tax = async (c) => {\n  throw new Error(\"Not yet implemented\");\n};\n", "1 " + notImplemented},
		{"a.ts", "class Base {\n  tax(): number {\n    throw new Error(\"not implemented\");\n  }\n}\n", ""},
		{"a.js", "function tax(c) {\n  throw new Error(\"no tax\");\n}\n// A class.\n", ""},
		{"a.rs", "pub fn tax(c: u32) -> u32 {\n    todo!()\n}\n", "2 " + notImplemented},
		{"a.py", "def tax(c):\n    \"\"\"The tax.\"\"\"\n    return 10\n", "1 " + ignoresInput},
		{"a.py", "def valid(\n    text: str,\n) -> bool:\n    # always\n    return True\n", "1 " + ignoresInput},
		{"a.py", "def rate():\n    return 19\n\n\ndef always(_event):\n    return True\n\n\nclass All:\n    def has(self, x):\n        return True\n", ""},
		{"a.py", "def tax(c):\n    return c\n", ""},
		{"a.go", "package a\n\nfunc Tax(c int) int { return 10 }\n", "3 " + ignoresInput},
		{"a.go", "package a\n\n// Check looks at c.\nfunc Check(c int) error {\n\t// later\n\treturn nil\n}\n", "4 " + ignoresInput},
		{"a.go", "package a\n\nfunc (All) Has(x int) bool { return true }\n\nfunc rate() int { return 19 }\n\nfunc never(_ int) bool { return false }\n\nfunc both(a int) (int, error) { return 1, nil }\n", ""},
		{"a.js", "export function tax(c) {\n  return 10;\n}\n", "1 " + ignoresInput},
		{"a.ts", "export const tax = (c: number): number => {\n  return 10;\n};\n", "1 " + ignoresInput},
		{"a.js", "export function rate() {\n  return 19;\n}\n\nlist.map((x) => {\n  return 1;\n});\n\nclass All {\n  has(x) {\n    return true;\n  }\n}\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s\n%s: %q, want %q", c.file, c.text, got, c.want)
		}
		if got := suspectsOf(t, c.file, c.text, c.text+"\n"); got != nil {
			t.Errorf("%s\n%s as before: %q", c.file, c.text, got)
		}
	}
}
