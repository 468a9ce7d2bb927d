package suspect

import (
	"strings"
	"testing"
)

// What a source imports is known under any name that it gives it.
func TestSuspectsByOtherNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"a.py", "import inspect as i\n\nx = i.stack()[1].function\n", "3 " + findsCaller},
		{"a.py", "import os as o\no._exit(0)\n", "2 " + endsProcess},
		{"a.py", "import os\nx = 1; import os as o\no . _exit(0)\n", "3 " + endsProcess},
		{"a.py", "from os import _exit as done\ndone(0)\n", "1 " + endsProcess + ", 2 " + endsProcess},
		{"a.py", "from os import (\n    path,\n    execv as go,  # later\n)\ngo('a', [])\n", "3 " + endsProcess + ", 5 " + endsProcess},
		{"a.py", "import sys as s\nx = 'pyt' + 'est' in s.modules\ns._getframe(1)\ns.settrace(f)\n", "2 " + findsTests + ", 3 " + findsCaller + ", 4 " + changesCode},
		{"a.py", "import os\no = os\no.abort()\n", "3 " + endsProcess},
		{"a.py", "import os \\\n  as o\ndef f(p=o):\n    p.abort()\n", "4 " + endsProcess},
		{"a.py", "import importlib\nimportlib.import_module('os')._exit(0)\n", "2 " + endsProcess},
		{"a.py", "from importlib import import_module as im\no = im('os')\no._exit(0)\n", "3 " + endsProcess},
		{"a.py", "from os import *\n_exit(0)\n", "1 " + changesCode},
		{"a.py", "from .other import stack\nfrom .os import kill as k\nimport calc as c\nx = stack() + k() + c.kill()\n", ""},
		{"a.py", "from datetime import datetime as d, timezone\nfrom os import path, environ\nx = d.now(timezone.utc)\ny = path.join('a', environ['B'])\n", ""},
		{"a.go", "package a\n\nimport o \"os\"\n\nfunc init() { o.Exit(0) }\n", "5 " + endsProcess},
		{"a.go", "package a\n\nimport (\n\to \"os\"; s \"syscall\"\n)\n\nvar quit = o.Exit\nvar stop = s.RawSyscall\n", "7 " + endsProcess + ", 8 " + endsProcess},
		{"a.go", "package a\n\nimport u `golang.org/x/sys/unix`\n\nvar end = u.Kill\n", "5 " + endsProcess},
		{"a.go", "package a\n\nimport o \"os\"\n\nvar here = o.Args[0] + o . Args[0]\n", "5 " + findsTests},
		{"a.go", "package a\n\nimport . \"syscall\"\n\nfunc init() { Exit(0) }\n", "3 " + changesCode},
		{"a.go", "package a\n\nimport sys \"example.test/os\"\n\nvar o int\nvar x = sys.Open(o)\n", ""},
		{"a.go", "package a\n\nvar n = runtime.NumGoroutine()\n", "3 " + findsCaller},
		{"a.go", "package a\n\nvar l = log.New(&b, \"\", log.Lshortfile)\nvar h = slog.HandlerOptions{AddSource: true}\n", "3 " + findsCaller + ", 4 " + findsCaller},
		{"a.go", "package a\n\nvar l = log.New(&b, \"\", 16)\n", "3 " + findsCaller},
		{"a.go", "package a\n\nvar l = log.New(&b, \"\", 0)\nvar m = log.New(&b, \"\", log.LstdFlags)\n", ""},
		{"main.go", "package main\n\nfunc main() { log.SetFlags(log.Lshortfile) }\n", ""},
		{"a.go", "package a\n\nvar p = pprof.Lookup(\"goroutine\")\n", "3 " + findsCaller},
		{"a.go", "package a\n\nvar where = os.Executable\n", "3 " + startsSelf},
		{"a.js", "import { exit } from \"node:process\";\nexit(0);\n", "1 " + endsProcess + ", 2 " + endsProcess},
		{"a.js", "import{exit as q}from'process'\nq(0)\n", "1 " + endsProcess + ", 2 " + endsProcess},
		{"a.js", "import p, { pid } from \"node:process\";\n\np.reallyExit(0);\n", "1 " + looksAround + ", 3 " + endsProcess},
		{"a.js", "import * as p from \"node:process\";\n\np.exit(0);\n", "3 " + endsProcess},
		{"a.js", "export { exit as done } from \"node:process\";\n", "1 " + endsProcess},
		{"a.js", "import { argv as a } from \"node:process\";\nconst live = a[1]?.endsWith(\"st.js\");\nconst on = a?.[1];\n", "2 " + findsTests + ", 3 " + findsTests},
		{"a.js", "const { exit: q } = require(\"process\");\nq(0);\n", "1 " + endsProcess + ", 2 " + endsProcess},
		{"a.js", "const { exit: q } = process;\n\nq(0);\n", "1 " + endsProcess + ", 3 " + endsProcess},
		{"a.js", "const p = process\nlet g = p\ng?.exit(0)\nprocess['exit'](0)\n", "3 " + endsProcess + ", 4 " + endsProcess},
		{"a.js", "require(\"node:process\").kill(1);\n", "1 " + endsProcess},
		{"a.js", "(await import(\"node:process\")).abort();\n", "1 " + endsProcess},
		{"a.js", "process.getBuiltinModule('process').abort()\n", "1 " + endsProcess},
		{"a.js", "import { exit, kill } from \"./game.js\";\nexit(kill());\n", ""},
		{"a.js", "import { argv } from \"node:process\";\nimport { join as j } from \"node:path\";\nconst { env } = process\nconst name = argv[2] || env.NAME || j(\"a\", \"b\");\n", ""},
		{"cli.js", "import { argv, exit } from \"node:process\";\nexit(main(argv.slice(2)));\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// An old line that means something else after the work is new.
func TestSuspectsBehindAnOldName(t *testing.T) {
	t.Parallel()
	const rest = "\ndef stop():\n    o._exit(0)\n"
	if got := strings.Join(suspectsOf(t, "a.py", "import game as o"+rest, "import os as o"+rest), ", "); got != "3 "+endsProcess {
		t.Errorf("%q", got)
	}
	if got := suspectsOf(t, "a.py", "import os as o"+rest, "import os"+strings.ReplaceAll(rest, "o._", "os._")); got != nil {
		t.Errorf("another name for the same: %q", got)
	}
}
