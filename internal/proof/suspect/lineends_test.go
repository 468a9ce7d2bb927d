package suspect

import (
	"strings"
	"testing"
)

// TestHiddenLines: code after a character at which the language ends a line, and a difference
// does not, is searched like other code, and the character itself is named.
func TestHiddenLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, base, text, want string }{
		{"a.py", "", "def f():\n    # r\r    import os, atexit; atexit.register(os._exit, 0)\n", "2 " + hidesLines + ", 3 " + endsProcess},
		{"a.py", "", "import os\rx = 1 # r\ros._exit(0)\r", "1 " + hidesLines + ", 3 " + endsProcess},
		{"a.py", "", "class V(int):\n    # r\r    def __eq__(self, o): return True\n", "2 " + hidesLines + ", 3 " + equalsAll},
		{"a.js", "", "// r\u2028process.reallyExit(0)\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"a.js", "", "// r\u2029process.reallyExit(0)\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"a.ts", "", "// r\rprocess.reallyExit(0)\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"A.java", "", "class A { // r\rvoid a() { Runtime.getRuntime().halt(0); } }\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"a.c", "", "int a; // r\rvoid b(void) { _exit(0); }\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"a.php", "", "<?php # r\rregister_shutdown_function(f());\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"a.tcl", "", "set a 1; # r\rrename exit old\n", "1 " + hidesLines + ", 2 " + endsProcess},
		{"a.sh", "", "echo a\r#;kill -9 $$\n", "1 " + findsCaller}, // the shell ends no line there
		{"a.go", "", "package a\n// a\rb\n", "2 " + hidesLines},
		{"a.cs.py", "", "x = 1 # a\u0085b\n", "1 " + hidesLines},
		{"test_a.py", "", "import shop\n# r\rshop.RATE = 19\n", "2 " + hidesLines + ", 3 " + steersTests},
		// Honest ones.
		{"a.py", "", "import os\r\n\r\nx = 1\r\r\n\f\ny = 2\r", ""},
		{"a.py", "import os\rx = 1\r", "import os\rx = 2\r", ""},
		{"a.py", "import os\ros._exit(0)\r", "import os\rx = 2\ros._exit(0)\r", ""},
		{"a.js", "const ends = '\u2028';\n", "const ends = '\u2028';\nlet a;\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, c.base, c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}
