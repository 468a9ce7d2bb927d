package suspect

import (
	"fmt"
	"strings"
	"testing"

	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// TestEntries: a file by which a program of JavaScript starts, and that nothing loads, may end its
// process.
func TestEntries(t *testing.T) {
	t.Parallel()
	const (
		start    = `{"name": "api", "scripts": {"start": "node --enable-source-maps src/main.js", "test": "node --test"}}`
		shutdown = "process.once('SIGTERM', () => server.close(() => process.exit(0)));\nprocess.exitCode = 1;\n"
		app      = "import test from 'node:test';\nimport { createApp } from '../src/app.js';\n"
	)
	for what, c := range map[string]struct {
		manifest, test, more, text string
		ends                       bool
	}{
		"the start script":            {start, app, "", shutdown, false},
		"one of bin":                  {`{"bin": {"api": "./src/main.js"}}`, app, "", shutdown, false},
		"the only one of bin":         {`{"bin": "src/main"}`, app, "", shutdown, false},
		"main":                        {`{"name": "api", "main": "src/main.js"}`, app, "", shutdown, false},
		"a server":                    {`{}`, app, "", "createApp().listen(3000);\n" + shutdown, false},
		"a server that it holds":      {`{}`, app, "", "const server = app.listen(\n  3000,\n);\n" + shutdown, false},
		"a listener inside":           {`{}`, app, "", "export function run() {\n  app.listen(1);\n}\n" + shutdown, true},
		"no entry":                    {`{"scripts": {"test": "node --test"}}`, app, "", shutdown, true},
		"named by a test script":      {`{"scripts": {"start": "node src/main.js", "test": "node --import ./src/main.js --test"}}`, app, "", shutdown, true},
		"loaded by a test":            {start, app + "import '../src/main.js';\n", "", shutdown, true},
		"required without its ending": {start, app + "const main = require('../src/main');\n", "", shutdown, true},
		"loaded while a test runs":    {start, app + "await import('../src/main.js');\n", "", shutdown, true},
		"loaded by a name":            {start, app + "await import(name);\n", "", shutdown, true},
		"loaded by a source":          {start, app, "export * from './main.js';\n", shutdown, true},
		"main by its folder":          {`{"main": "src/main.js"}`, app + "require('..');\n", "", shutdown, true},
		"main by its name":            {`{"name": "api", "main": "src/main.js"}`, app + "require('api');\n", "", shutdown, true},
		"what no program does":        {start, app, "", "process.reallyExit(0);\n", true},
	} {
		base := prooftest.Tree{"package.json": c.manifest, "test/app.test.js": c.test, "src/app.js": "export const createApp = () => {};\n" + c.more, "src/main.js": "x\n"}
		k, s := change("npm test", base, prooftest.Tree{"src/main.js": c.text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{}, s.Read)
		if got := strings.Contains(fmt.Sprint(found), endsProcess); err != nil || got != c.ends {
			t.Errorf("%s: %v %v", what, found, err)
		}
	}
}

// TestProgramsOfPython: a source that a gate starts by its name, and that nothing imports, may look
// at its arguments and end its process.
func TestProgramsOfPython(t *testing.T) {
	t.Parallel()
	const text = "import sys\nprint(int(sys.argv[1]) ** 2)\nsys.exit(0)\n"
	for what, c := range map[string]struct {
		gates, other string
		named        bool
	}{
		"a program":              {"[ \"$(python3 square.py 4)\" = 16 ]", "x = 1\n", false},
		"in a folder":            {"python3 -B \"$ROOT/square.py\" 4", "x = 1\n", false},
		"of a checking program":  {"subprocess.run([sys.executable, 'square.py', '4'])", "x = 1\n", false},
		"no gate starts it":      {"python3 check.py", "x = 1\n", true},
		"a source imports it":    {"python3 square.py 4", "import os, square\n", true},
		"by a part of a package": {"python3 square.py 4", "from . import square\n", true},
		"by any name":            {"python3 square.py 4", "importlib.import_module(name)\n", true},
		"a gate imports it":      {"python3 square.py 4; python3 -c 'import square'", "x = 1\n", true},
		"another of that ending": {"python3 unsquare.py 4", "x = 1\n", true},
	} {
		base := prooftest.Tree{"square.py": "print(1)\n", "other.py": c.other}
		k, s := change("sh check.sh", base, prooftest.Tree{"square.py": text})
		found, _, err := Find(k.Base, k.Work, judge.Duties{Texts: c.gates}, s.Read)
		if named := len(found) > 0; err != nil || named != c.named {
			t.Errorf("%s: %v %v", what, found, err)
		}
	}
}
