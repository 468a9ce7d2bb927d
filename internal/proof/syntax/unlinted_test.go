package syntax

import "testing"

func TestUnlinted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, source, want string }{
		{"a.go", "package a\nfunc f() { return; }\n", "package a\n\nfunc f() { return }\n"},
		{"a.go", "package a\nfunc f( {\n", "package a\nfunc f( {\n"},
		{"a.py", "x=1", "x=1" + forLinters},
		{"a.ts", "let x=1\n", forESLint + "let x=1\n"},
		{"a.js", "#!/usr/bin/env node\n", "#!/usr/bin/env node\n"},
		{"a.js", "\n/** @jest-environment jsdom */\n", "\n/** @jest-environment jsdom */\n"},
		{"a.py", "", ""},
		{"a.rs", "fn a(){}\n", "fn a(){}\n"},
	} {
		if got := string(Unlinted(c.file, []byte(c.source))); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.source, got, c.want)
		}
	}
}
