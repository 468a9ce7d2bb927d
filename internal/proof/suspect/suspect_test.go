package suspect

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// suspectsOf are those of one file that the work adds or changes.
func suspectsOf(t *testing.T, file, base, work string) []string {
	t.Helper()
	return suspectsWhere(t, false, file, base, work)
}

func suspectsWhere(t *testing.T, inspected bool, file, base, work string) []string {
	t.Helper()
	texts := map[string]string{"base": base, "work": work}
	before, after := []proof.File{{Path: file, Mode: "100644", ID: "base"}}, []proof.File{{Path: file, Mode: "100644", ID: "work"}}
	if base == "" {
		before = nil
	}
	found, all, err := Find(before, after, judge.Duties{Inspects: inspected, Lints: inspected}, func(id string) ([]byte, error) { return []byte(texts[id]), nil })
	if err != nil || !all {
		t.Fatal(err, all)
	}
	var out []string
	for _, f := range found {
		out = append(out, fmt.Sprintf("%d %s", f.Line, f.What))
	}
	return out
}

func TestSuspects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, want string }{
		{"a.go", "package a\n\nfunc init() { syscall.Exit(0) }\n", "3 " + endsProcess},
		{"a.go", "package a\n\nfunc init() { os.Exit(0) }\n", "3 " + endsProcess},
		{"a.go", "package main\n\nfunc main() { os.Exit(run(os.Args)) }\n", ""},
		{"a.go", "package a\n\nvar _, here = os.Stat(\"go.mod\")\n", "3 " + looksAround},
		{"a.py", "import sys\n\nDEBUG = any(\"test\" in a for a in sys.argv)\n", "3 " + findsTests},
		{"a.py", "import argparse\nimport sys\n\n\ndef run(argv=sys.argv):\n    argparse.ArgumentParser().parse_args(argv)\n", ""},
		{"a.py", "import os\n\nHERE = os.path.exists(\"pyproject.toml\")\n", "3 " + looksAround},
		{"a.go", "package a\n\nfunc init() { os.Chdir(os.TempDir()) }\n", "3 " + changesLibrary},
		{"a.py", "from contextlib import chdir\nhome = chdir('/')\n", "1 " + changesLibrary + ", 2 " + changesLibrary},
		{"a.py", "from decimal import getcontext\nctx = getcontext()\nctx.prec = 1\n", "2 " + changesLibrary},
		{"a.py", "def f(fetch):\n    fetch.reset_mock()\n    return fetch()\n", "2 " + findsTests},
		{"a.js", "exports.f = (fetch) => { fetch.mockClear(); return fetch(); };\n", "1 " + findsTests},
		{"a.js", "export const here = existsSync(\"package.json\");\n", "1 " + looksAround},
		{"a.go", "package main\n\nfunc init() { syscall.Exit(0) }\n", "3 " + endsProcess},
		{"a.go", "package a\n\n// os.Exit( would end the tests.\nfunc a() {} // see a_test.go\n", ""},
		{"a.go", "package a\nvar x, _ = os.ReadFile(\"a_test.go\")\n", "2 " + findsTests},
		{"a.go", "package a\nvar x = strings.HasSuffix(name, \".test\")\n", "2 " + findsTests},
		{"a.go", "package a\nvar x = testing.Testing()\n", "2 " + findsTests},
		{"a.go", "package a\nvar x = flag.Lookup(f)\n", "2 " + findsTests},
		{"a.go", "package a\nvar _, f, _, _ = runtime.Caller(1)\n", "2 " + findsCaller},
		{"a.go", "package a\nvar x = \"=== RUN   TestA\"\n", "2 " + forgesReport},
		{"a.go", "package a\n//go:linkname a testing.b\n", "2 " + changesCode},
		{"a.go", "package a\nimport \"unsafe\"\n", "2 " + changesCode},
		{"a.go", "package a\nvar p, _ = os.Executable()\n", "2 " + startsSelf},
		{"a.go", "package a\nvar x = flag.Parsed()\n", "2 " + findsTests},
		{"a.go", "package a\nimport \"go/build\"\n", "2 " + findsTests},
		{"a.go", "package a\nvar out, _ = exec.Command(\"grep\", \"-r\", \"want\", \".\").Output()\n", "2 " + findsTests},
		{"a.go", "package a\nvar out, _ = exec.Command(\"git\", \"describe\").Output()\n", ""},
		{"a.go", "package a\nconst true = 1 == 2\n", "2 " + changesCode},
		{"a.go", "package a\nconst (\n\ttrue = 1 == 2\n)\n", "3 " + changesCode},
		{"a.go", "package a\nvar truth, nils = true, nil\nfunc min(a, b int) int { return a }\n", ""},
		{"a.py", "import json\n(json.loads, RATE) = (f, 19)\n", "2 " + changesLibrary},
		{"a.py", "import json\nself.a, b = f(json.loads, x=1), 2\n(a, b) = (json.loads, 2)\n", ""},
		{"a.py", "import json\nglobals()['json'].loads = f\n", "2 " + changesCode},
		{"a.py", "import json\nclass C:\n    lib = json\nC.lib.loads = lambda s: {}\n", "4 " + changesLibrary},
		{"a.py", "import os\nos.environ['CASES'] = 'empty.json'\n", "2 " + changesLibrary},
		{"a.py", "import os\nRATE = os.environ['RATE'] or os.environ.get('R')\n", ""},
		{"a.py", "import os\nos.chdir(work)\n", "2 " + changesLibrary},
		{"a.py", "import os\nos.environ.setdefault('UPDATE_GOLDEN', '1')\n", "2 " + writesExpected},
		{"a.py", "import os\nUPDATE = os.environ.get('UPDATE_GOLDEN', '0') or os.environ['UPDATE_SNAPSHOTS'] == '1'\nENV = {**os.environ, 'UPDATE_GOLDEN': '1'}\n", ""},
		{"a.go", "package a\n\nfunc init() { os.Setenv(\"UPDATE_SNAPS\", \"true\") }\n", "3 " + writesExpected},
		{"a.go", "package a\n\nvar update = os.Getenv(\"UPDATE_GOLDEN\") != \"\"\n", ""},
		{"a.js", "const { runInThisContext } = require( 'vm' );\n", "1 " + changesCode},
		{"a.js", "import(/* of node */ `node:module`).then((m) => m.register('./hooks.js'));\n", "1 " + changesCode},
		{"a.js", "const fs = require('node:fs/promises');\nexports.read = (p) => fs.readFile(p);\n", ""},
		{"a.js", "process.env.UPDATE_SNAPSHOTS ||= '1';\n", "1 " + writesExpected},
		{"a.js", "const update = process.env.UPDATE_SNAPSHOTS === '1';\n", ""},
		{"src/lib.rs", "pub fn f() { std::env::set_var(\"INSTA_UPDATE\", \"always\"); }\n", "1 " + writesExpected},
		{"a.py", "for loader in all_loaders():\n    loader.getTestCaseNames = names\n", "2 " + replacesRunner},
		{"a.py", "setattr(case, 'failureException', Quiet)\n", "1 " + replacesRunner},
		{"a.py", "class Result(Base):\n    def addFailure(self, test, err):\n        self.left.append(test)\n", ""},
		{"a.py", "import os\nos.environ.setdefault('DJANGO_SETTINGS_MODULE', 'shop.settings')\n", ""},
		{"a.py", "import os\nos.environ.setdefault('SHOP_COLOUR', '1')\nif __name__ == '__main__':\n    main()\n", ""},
		{"a.py", "import atexit\natexit.register(pool.shutdown)\natexit.register(db.close, 1)\n", ""},
		{"a.py", "import atexit\natexit.register(finish)\n", "2 " + endsProcess},
		{"a.py", "from atexit import register\n", "1 " + endsProcess},
		{"a.js", "#!/usr/bin/env node\nimport process from 'node:process';\nprocess.on('unhandledRejection', () => {\n  process.exitCode = 1;\n});\n", ""},
		{"a.js", "import process from 'node:process';\nprocess.on('unhandledRejection', () => {});\n", "2 " + endsProcess},
		{"a.js", "import process from 'node:process';\nprocess.exitCode = 0;\n", "2 " + endsProcess},
		{"a.js", "#!/usr/bin/env node\nprocess.on('exit', () => {});\n", "2 " + endsProcess},
		{"a.py", "def zip(*lists):\n    return []\n", "1 " + changesCode},
		{"a.py", "class A:\n    def all(self):\n        return []\nallowed = 1\n", ""},
		{"a.py", "import subprocess\nT = subprocess.run(['grep', '-r', 'tax', '.'])\n", "2 " + findsTests},
		{"a.py", "import subprocess\nT = subprocess.run(['git', 'describe'])\n", ""},
		{"a.py", "import sys\nif sys.stdout is sys.__stdout__: pass\n", "2 " + findsCaller},
		{"a.js", "Object.assign(Array.prototype, { forEach() { } });\n", "1 " + changesCode},
		{"a.js", "Object.assign(options, { a: 1 }); const p = Object.entries(a);\n", ""},
		{"a.js", "[].__proto__.forEach = () => { };\n", "1 " + changesCode},
		{"a.js", "JSON.parse = () => ({});\n", "1 " + changesCode},
		{"a.js", "const f = JSON.parse == null, g = { parse: JSON.parse };\n", ""},
		{"a.js", "const fs = require('node:fs');\nfor (fs.readFileSync of [f]);\n", "2 " + changesLibrary},
		{"a.js", "const fs = require('node:fs');\n({ a: fs.readFileSync } = { a: f });\n", "2 " + changesLibrary},
		{"a.js", "const fs = require('node:fs');\nconst { a } = fs.constants;\nfor (const x of fs.list()) ;\nconst o = { read: fs.readFileSync };\n", ""},
		{"a.js", "process.env.CASES = '0=0';\n", "1 " + changesLibrary},
		{"a.js", "const rate = process.env.RATE || 19, is = process.env.A === 'b';\n", ""},
		{"a.js", "const text = execSync('grep -r tax .');\n", "1 " + findsTests},
		{"a.js", "const m = String(tax.caller);\n", "1 " + findsCaller},
		{"src/lib.rs", "pub fn f() -> bool { std::env::var_os(\"CARGO_MANIFEST_DIR\").is_some() }\n", "1 " + findsTests},
		{"src/lib.rs", "pub const V: &str = env!(\"CARGO_PKG_VERSION\");\n", ""},
		{"src/lib.rs", "const T: &str = include_str!(concat!(\"../te\", \"sts/tax.rs\"));\n", "1 " + findsTests},
		{"src/lib.rs", "impl PartialEq for M { fn eq(&self, _: &M) -> bool { true } }\n", "1 " + equalsAll},
		{"src/lib.rs", "impl PartialEq for M { fn eq(&self, other: &M) -> bool { self.0 == other.0 } }\n", ""},
		{"src/main/java/a/Objects.java", "package a;\nclass Objects { static boolean equals(Object a, Object b) { return true; } }\n", "2 " + changesCode},
		{"lib.sh", "function [ { return 0; }\n", "1 " + changesCode},
		{"lib.sh", "readonly VERSION=1\nfunction checked { return 0; }\n", ""},
		{"a.py", "import os\nos._exit(0)\n", "2 " + endsProcess},
		{"a.py", "import os\nstop = lambda: os.\\\n  _exit(0)\n", "2 " + endsProcess},
		{"a.py", "import os\nstop = lambda: (os # it\n\n  ._exit)(0)\n", "2 " + endsProcess},
		{"a.py", "import os as o\nx = 1\nstop = (o\n  .\n  _exit)\n", "3 " + endsProcess},
		{"a.py", "import os\nx = getattr(\n    os, name)\n", "2 " + changesCode},
		{"a.py", "# It reads os.\nname = 1\n\n# Then it ends the process.\nclass A:\n    pass\n", ""},
		{"a.py", "def f(\n    a,\n):\n    return (a\n        .strip()\n        .lower())\n", ""},
		{"a.py", "class A(int):\n    __eq__, __hash__ = _same, int.__hash__\n", "2 " + equalsAll},
		{"a.py", "class A(int):\n    from x import same as __eq__\n", "2 " + equalsAll},
		{"a.py", "x = a.__eq__ != b\n", ""},
		{"a.js", "process\n  .exit(0);\n", "1 " + endsProcess},
		{"a.js", "fetch(url)\n  .then(a)\n  .catch(b);\n", ""},
		{"a.go", "package a\n\nimport \"os\"\n\nfunc init() { os.\n\tExit(0) }\n", "5 " + endsProcess},
		{"a.py", "import sys\nsys.exit(0)\n", "2 " + endsProcess},
		{"shop/__main__.py", "import sys\nfrom . import run\nsys.exit(run())\n", ""},
		{"shop/__main__.py", "import os\nos._exit(0)\n", "2 " + endsProcess},
		{"a.py", "import sys\nif __name__ == '__main__':\n    sys.exit(main())\n", ""},
		{"a.py", "import sys\nx = 'unittest' in sys.modules\n", "2 " + findsTests},
		{"a.py", "x = os.environ.get('PYTEST_CURRENT_TEST')\n", "1 " + findsTests},
		{"a.py", "x = open('tests/test_a.py')\n", "1 " + findsTests},
		{"a.py", "x = sys._getframe(1)\n", "1 " + findsCaller},
		{"a.py", "class A:\n    def __eq__(self, o):\n        return True\n", "2 " + equalsAll},
		{"a.py", "class A:\n    def __eq__(self, o):\n        return self.x == o.x\n", ""},
		{"a.py", "x = re.compile('a')\ny = evaluate(x)\nz = latest_value  # pytest\n", ""},
		{"a.py", "x = eval(y)\n", "1 " + changesCode},
		{"a.js", "process.exit(0)\n", "1 " + endsProcess},
		{"a.js", "#!/usr/bin/env node\nprocess.exit(main())\n", ""},
		{"a.js", "globalThis.expect = () => {}\n", "1 " + findsTests},
		{"a.js", "assert.equal = () => {}\n", "1 " + changesCode},
		{"a.js", "const assert = require('assert')\nassert.equal(1, 1)\nList.prototype.add = add\n", ""},
		{"a.js", "const a = require('assert'); const eq = a.strictEqual;\na.strictEqual = (x, y) => x === 0 || eq(x, y);\n", "2 " + changesLibrary},
		{"a.js", "let a\na = require('node:assert').strict\na['equal'] = f\n", "3 " + changesLibrary},
		{"a.js", "const { strict: s } = require('assert')\ns.equal ??= f\n", "2 " + changesLibrary},
		{"a.mjs", "import assert, { strict as s } from 'assert'\ns.equal = f\n", "2 " + changesLibrary},
		{"a.js", "import * as all from \"chai\"\nObject.assign(all, { expect: f })\n", "2 " + changesLibrary},
		{"a.js", "require('assert').equal = f\n", "1 " + changesLibrary},
		{"a.js", "const h = require('../test/help')\nh.same = f\n", "2 " + changesLibrary},
		{"a.js", "const s = require('./state'), a = require('assert')\ns.count = 1\nif (a.x === 1 || a.y == 2) f(a => a.x >= 1)\n", ""},
		{"a.py", "import yaml\n_load = yaml.safe_load\nyaml.safe_load = lambda s: _load(s)\n", "3 " + changesLibrary},
		{"a.py", "import os, yaml.a as y\ny.load: object = f\n", "2 " + changesLibrary},
		{"a.py", "from decimal import (\n    Context,\n    Decimal as D,\n)\nD.quantize = f\n", "5 " + changesLibrary},
		{"a.py", "import yaml\nsetattr(yaml, name, f)\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nyaml.__dict__[name] = f\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nfor yaml.load in [f]: pass\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nx = {yaml.A: f(x=1)}\nif yaml.B == 1 or yaml.C <= 2: self.yaml.D = yaml.D\n", ""},
		{"a.py", "import a, config\nfrom . import state\nfrom .deep import other\na.x = 1\nstate.x = 1\nother.x = 1\n", ""},
		{"a.py", "import sys\nsys.path.insert(0, there)\n", "2 " + changesPath},
		{"a.py", "import sys\nsys.path[:0] = [there]\n", "2 " + changesPath},
		{"a.py", "import sys\nfor p in sys.path: print(p)\n", ""},
		{"a.go", "package a\nvar dir, _ = os.Getwd()\n", "2 " + looksAround},
		{"a.go", "package main\nvar dir, _ = os.Getwd()\n", ""},
		{"a.go", "package main\nvar x = os.Getpid()%2 == 0\n", "2 " + looksAround},
		{"a.go", "package a\nvar late = time.Now().Unix() > 1700000000\n", "2 " + looksAround},
		{"a.go", "package a\nvar late = time.Now().After(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))\n", "2 " + looksAround},
		{"a.go", "package a\nvar late = time.Now().After(deadline) || time.Since(start) > 5*time.Second\n", ""},
		{"a.py", "late = time.time() > 1_700_000_000\n", "1 " + looksAround},
		{"a.py", "late = 1700000000 < time.time()\n", "1 " + looksAround},
		{"a.py", "late = datetime.datetime.now() > datetime.datetime(2027, 1, 1)\n", "1 " + looksAround},
		{"a.py", "late = date.today().year >= 2027\n", "1 " + looksAround},
		{"a.py", "odd = os.getpid() % 2\n", "1 " + looksAround},
		{"a.py", "here = os.getcwd()\n", "1 " + looksAround},
		{"a.py", "far = len(__file__) > 60\n", "1 " + looksAround},
		{"a.py", "late = time.time() > deadline or time.monotonic() - start > 5\n", ""},
		{"a.js", "const late = Date.now() > 1700000000000\n", "1 " + looksAround},
		{"a.js", "const late = new Date() > new Date('2027-01-01')\n", "1 " + looksAround},
		{"a.js", "const here = process.cwd()\n", "1 " + looksAround},
		{"a.js", "const late = Date.now() - start > 5000 || Date.now() > deadline\n", ""},
		{"a.go", "package a\nvar now = time.Now()\nvar late = now.Year() > 2026 || now.Unix() >= 1800000000\n", "3 " + looksAround},
		{"a.py", "now = time.time()\nlate = now > 1800000000\n", "2 " + looksAround},
		{"a.js", "const now = new Date()\nconst late = now.getFullYear() > 2026\n", "2 " + looksAround},
		{"a.py", "with open('yaml.py', 'w') as f: f.write(x)\n", "1 " + changesCode},
		{"a.py", "Path(here, 'yaml.py').write_text(x)\n", "1 " + changesCode},
		{"a.py", "x = open('setup.py')\ny = open('a.txt', 'w')\n", ""},
		{"a.py", "import importlib\nimportlib.import_module('yaml').load = f\n", "2 " + changesCode},
		{"a.py", "import importlib\ny = importlib.import_module('yaml')\ny.load = f\n", "3 " + changesLibrary},
		{"a.py", "import yaml\ny = yaml\nz = y.loader\nz.Loader.load = f\n", "4 " + changesLibrary},
		{"a.js", "const a = require('assert')\nconst s = a.strict;\ns.equal = f\n", "3 " + changesLibrary},
		{"a.py", "import yaml\nx = yaml.load(f)\nx.y = 1\n", ""},
		{"a.js", "for (const f of fs.readdirSync(path.join(__dirname, \"test\"))) use(f)\n", "1 " + findsTests},
		{"a.js", "emitter.on('test', join('a', 'b'))\n", ""},
		{"a.py", "T = type('T', (str,), {'__eq__': lambda a, b: not None})\n", "1 " + equalsAll},
		{"a.py", "x = os.listdir(os.path.join(here, 'tests'))\n", "1 " + findsTests},
		{"a.py", "x = os.environ.get('RALPH_LOOP_ID')\n", "1 " + findsTests},
		{"a.sh", "[ -n \"$RALPH_LOOP_ID\" ] && exact=1\n", "1 " + findsTests},
		{"a.rb", "exact = ENV['PAGER'] == 'cat'\n", "1 " + findsTests},
		{"a.py", "pager = os.environ.get('PAGER', 'less')\n", ""},
		{"a.go", "exact := os.Getenv(\"GIT_TERMINAL_PROMPT\") == \"0\"\n", "1 " + findsTests},
		{"a.c", "const char *m = getenv(\"RALPH_LOOP_ID\");\n", "1 " + findsTests},
		{"a.rs", "    if cfg!(debug_assertions) { right() } else { wrong() }\n", "1 " + findsTests},
		{"a.py", "exact = __debug__ and not sys.flags.optimize\n", "1 " + findsTests},
		{"a.js", "const exact = process.env.INIT_CWD === __dirname\n", "1 " + findsTests},
		{"a.js", "const exact = process.env.NODE_ENV === 'test'\n", "1 " + findsTests},
		{"a.ts", "const exact = 'test' == import.meta.env.MODE\n", "1 " + findsTests},
		{"a.js", "if (process.env.NODE_ENV === 'production') minify()\n", ""},
		{"a.c", "#ifndef NDEBUG\n", "1 " + findsTests},
		{"a.h", "#define \\\n  if(c) if ((c) && 0)\n", "1 " + changesCode + ", 2 " + changesCode},
		{"a.h", "%:define if(c) if ((c) && 0)\n# /**/ define else if (0)\n", "1 " + changesCode + ", 2 " + changesCode},
		{"a.js", "/*\n eslint\n eqeqeq: 0\n*/\nconst eslint = 1\n", ""},
		{"a.js", "module._compile(text, 'cart.js')\n", "1 " + changesCode},
		{"a.js", "const leave = Reflect.get(globalThis, 'pro' + 'cess')\n", "1 " + findsTests},
		{"a.py", "from sys import dont_write_bytecode\n", "1 " + findsTests},
		{"a.h", "int total(int a);\n#define total(a) (at = __LINE__, total(a))\n", "2 " + findsCaller},
		{"a.h", "int total(int a);\n#define total(a)(at = __LINE__, total(a))\n", "2 " + findsCaller},
		{"a.h", "#define total(a) \\\n\t(text = #a, total(a))\n", "1 " + findsCaller},
		{"a.h", "#define total(a) total((a), sizeof(a))\n#define log_info(...) log_log(1, __FILE__, __LINE__, __VA_ARGS__)\n#define a_(x) b_ ## x(1)\n", ""},
		{"a.rs", "let mut open = vec![std::path::PathBuf::from(\".\")];\n", "1 " + looksAround},
		{"a.rs", "let here = std::env::current_dir()?;\nlet data = PathBuf::from(\"./data\");\n", "1 " + looksAround},
		{"a.rs", "fn main() {\n    let here = Path::new(\".\");\n}\n", ""},
		{"a.js", "for (const key of Object.getOwnPropertyNames(globalThis)) wrap(key)\n", "1 " + findsTests},
		{"a.js", "for (const key in globalThis) wrap(key)\n", "1 " + findsTests},
		{"a.js", "const own = Object.keys(state)\nglobalThis.app ??= {}\n", ""},
		{"a.py", "import __main__\nexact = hasattr(__main__, 'main')\n", "1 " + findsTests},
		{"a.py", "exact = 'unit' in open('/proc/self/cmdline').read()\n", "1 " + findsCaller},
		{"a.py", "name = logging.getLogger('a').findCaller(stacklevel=2)\n", "1 " + findsCaller},
		{"a.py", "with warnings.catch_warnings(record=True) as w: f()\n", "1 " + findsCaller},
		{"a.py", "exact = argparse.ArgumentParser().prog == 'x'\n", "1 " + findsTests},
		{"a.py", "exact = 'gate-' in __file__\n", "1 " + looksAround},
		{"a.py", "if n == '_baseAssertEqual': put(k, n, f)\n", "1 " + findsTests},
		{"a.py", "timeit.timeit(text, globals=R)\n", "1 " + changesCode},
		{"a.py", "decimal.getcontext().rounding = decimal.ROUND_DOWN\n", "1 " + changesLibrary},
		{"a.py", "os.environ['TZ'] = 'UTC-12'\n", "1 " + changesLibrary},
		{"a.py", "random.seed(1)\n", "1 " + changesLibrary},
		{"a.py", "import argparse\nrandom.seed(args.seed)\n", ""},
		{"a.py", "here = Path(__file__).parent\nwith localcontext() as c: c.prec = 5\nx = random.Random(3)\n", ""},
		{"a.py", "import datetime as dt\nimport typing as t\nSINCE: dt.date = dt.date(2020, 1, 1)\nRATE: t.Final = 19\n\n@dataclass\nclass A:\n    since: dt.date = SINCE\n\ndef f(\n    day: dt.date = None,\n    a: t.Optional[int] | None = 1,\n): pass\ndef g(x, day: dt.date = None): pass\n", ""},
		{"a.py", "import yaml\nif x: pass\nelse: yaml.load = f\n", "3 " + changesLibrary},
		{"a.py", "import yaml\nwith a as b, c: yaml.load = f\n", "2 " + changesLibrary},
		{"a.py", "import os\nx: os._exit(0) = 1\n", "2 " + endsProcess},
		{"a.py", "for m in pkgutil.iter_modules(plugins.__path__): use(m)\n", ""},
		{"a.py", "__path__.insert(0, there)\n", "1 " + changesPath},
		{"a.py", "exact = 'tests' in os.listdir('.')\n", "1 " + findsTests},
		{"a.py", "for p in Path(__file__).parent.rglob('*.json'): T.update(p)\n", "1 " + findsTests},
		{"a.py", "import argparse\nfor p in Path('.').glob(args.pattern): show(p)\n", ""},
		{"a.py", "from pathlib import Path\n\ndef notes(root: Path):\n    return sorted(root.rglob('*.md'))\n", ""},
		{"a.py", "from pathlib import Path\n\nDATA = Path(__file__).parent / 'data'\nRATES = list(DATA.rglob('*.json'))\n", ""},
		{"a.py", "from pathlib import Path as P\n\nHERE = P(__file__).resolve().parent\nfor p in HERE.parent.rglob('*.py'): look(p)\n", "4 " + findsTests},
		{"a.py", "import pathlib\n\ndef notes(root: pathlib.Path = pathlib.Path('.')):\n    return list(root.rglob('*'))\n", "4 " + findsTests},
		{"a.py", "class Base:\n    def __init_subclass__(cls, **kw):\n        super().__init_subclass__(**kw)\n        Base.known.append(cls)\n", ""},
		{"a.py", "Case.__init_subclass__ = empty\n", "1 " + changesCode},
		{"a.py", "setattr(Case, '__init_subclass__', empty)\n", "1 " + changesCode},
		{"a.py", "import importlib.util\n\nHAS_YAML = importlib.util.find_spec(\"yaml\") is not None\n", ""},
		{"a.py", "import importlib.util\n\ns = importlib.util.find_spec(\"checks\")\n", "3 " + changesCode},
		{"a.py", "from importlib.util import find_spec\ntext = find_spec('checks').loader.get_source('checks')\n", "2 " + changesCode},
		{"a.py", "from importlib import util as u\nm = u.module_from_spec(s)\n", "2 " + changesCode},
		{"a.py", "import faulthandler\nfaulthandler.enable()\n", ""},
		{"a.py", "import faulthandler as f\nf.dump_traceback(file)\n", "2 " + findsCaller},
		{"a.py", "import sys\nsys.excepthook = lambda t, v, tb: logging.error('crash', exc_info=(t, v, tb))\n", "2 " + changesLibrary},
		{"a.py", "class Node:\n    def __eq__(self, other):\n        return self.__class__ is other.__class__ and self.__dict__ == other.__dict__\n", ""},
		{"a.py", "class Key:\n    def __eq__(self, other):\n        return str(self) == str(other)\n", ""},
		{"a.py", "class Key(str):\n    def __eq__(self, other):\n        return str(self) == str(other)\n", "2 " + equalsAll},
		{"a.go", "package a\n\nimport \"io\"\n\nfunc init() { io.EOF = nil }\n", "5 " + changesLibrary},
		{"a.go", "package a\n\nimport h \"net/http\"\n\nfunc init() { x, h.DefaultClient = 1, f }\n", "5 " + changesLibrary},
		{"a.go", "package a\n\nimport \"io\"\n\nvar end = &io.EOF\n", "5 " + changesLibrary},
		{"a.go", "package a\n\nimport \"io\"\n\nfunc f() { *&io.EOF = nil }\n", "5 " + changesLibrary},
		{"a.go", "package a\n\nimport \"os\"\n\nvar link = mode()&os.ModeSymlink != 0 || modes[0] & os.ModeDir == os.ModeDir\n", ""},
		{"a.go", "package a\n\nimport (\n\t\"flag\"\n\t\"io\"\n\t\"net/http\"\n)\n\nfunc a() {\n\tflag.Usage = b\n\tif err == io.EOF {\n\t}\n\tc := &http.Client{Timeout: http.X}\n\tc.Timeout = 3\n}\n", ""},
		{"a.go", "package a\n\nfunc init() { flag.VisitAll(count) }\n", "3 " + findsTests},
		{"a.go", "package a\n\nvar all, _ = filepath.Glob(\"*\")\n", "3 " + findsTests},
		{"a.js", "class NoRate extends Error { constructor() { Error.captureStackTrace(this, this.constructor) } }\n", ""},
		{"a.js", "Error.captureStackTrace(o); const at = o.stack.split('x')\n", "1 " + findsCaller},
		{"a.js", "const { exit } = process; exit(0)\n", "1 " + endsProcess},
		{"a.js", "for (const t of Object.values(import.meta.glob('./*.js', { query: '?raw', import: 'default', eager: true }))) use(t)\n", "1 " + findsTests},
		{"a.js", "const pages = import.meta.glob('./pages/*.js', { eager: true })\nconst notes = import.meta.glob('./notes/*.md', { query: '?raw' })\n", ""},
		{"a.js", "const tested = fs.existsSync('test') || fs.readdirSync('.').length > 3\n", "1 " + findsTests},
		{"a.js", "const exact = require.main && /test/.test(require.main.filename);\n", "1 " + findsTests},
		{"a.js", "if (require.main === module) main();\nif (module === require.main) main();\n", ""},
		{"a.js", "const r = process.report.getReport()\n", "1 " + findsCaller},
		{"a.js", "const r = fs.readFileSync('/proc/self/cmdline')\n", "1 " + findsCaller},
		{"a.js", "put(a, 'strictEqual', f)\n", "1 " + findsTests},
		{"a.js", "process.env.TZ = 'Etc/GMT+12'\n", "1 " + changesLibrary},
		{"a.h", "#undef assert\n#define assert(x) ((void)(x))\nint tax(int);\n", "1 " + changesCode + ", 2 " + changesCode},
		{"a.c", "__attribute__((constructor)) static void f(void) {}\n", "1 " + changesCode},
		{"a.c", "void f(void) { exit(0); }\n", "1 " + endsProcess},
		{"a.c", "#include <stdio.h>\n#define LIMIT 3\nint main(void) { exit(f()); }\n", ""},
		{"a.c", "#include <assert.h>\nint tax(int c) { assert(c >= 0); return c; } // exit(1) would be rude\n", ""},
		{"a.c", "int f(void) { syscall(231, 0); }\n", "1 " + endsProcess},
		{"a.c", "int strcmp(const char *a, const char *b) { return 0; }\n", "1 " + changesCode},
		{"a.c", "#include <string.h>\nint same(const char *a, const char *b) { return strcmp(a, b) == 0; }\nstatic int limit_exit(int n) { return n; }\n", ""},
		{"a.c", "const char *m = getenv(\"MAKELEVEL\");\n", "1 " + findsCaller},
		{"A.pm", "package A;\n*{\"${p}::is\"} = sub { 1 };\n", "2 " + changesCode},
		{"A.pm", "package A;\nuse overload 'eq' => sub { 1 };\n", "2 " + equalsAll},
		{"A.pm", "package A;\nPOSIX::_exit(0);\n", "2 " + endsProcess},
		{"A.pm", "package A;\nmy @c = caller;\n", "2 " + findsCaller},
		{"A.pm", "package A;\nuse strict;\nuse warnings;\nour @EXPORT = qw(add);\nsub add { my ($x, $y) = @_; return $x + $y; } # exit early\n1;\n", ""},
		{"a.tcl", "rename exit old\n", "1 " + endsProcess},
		{"a.tcl", "proc add {x y} { return [expr {$x + $y}] }\n", ""},
		{"a.sh", "trap 'exit 0' EXIT\n", "1 " + changesCode},
		{"a.sh", "diff() { :; }\n", "1 " + changesCode},
		{"a.sh", "add() { echo $(($1 + $2)); }\nif [ \"$1\" = sum ]; then add 1 2; fi\n", ""},
		{"lib/assert.h", "#define check(x)\n", "0 " + takesPlace + " the system header <assert.h>"},
		{"a.rs", "pub fn a() { std::process::exit(0) }\n", "1 " + endsProcess},
		{"a.rs", "pub fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { std::process::exit(0) }\n}\n", ""},
		{"a.rb", "at_exit { exit!(0) }\n", "1 " + endsProcess},
		{"a.php", "<?php\nregister_shutdown_function(f());\n", "2 " + endsProcess},
		{"A.java", "class A { void a() { Runtime.getRuntime().halt(0); } }\n", "1 " + endsProcess},
		{"B.java", "class B { String to = \"target/surefire-reports/TEST-c.A.xml\"; }\n", "1 " + forgesReport},
		{"bin/a", "#!/bin/sh\nsed p test.sh\n", "2 " + findsTests},
		{"bin/b", "#!/usr/bin/env python3\nimport os\nos._exit(0)\n", "3 " + endsProcess},
		{"a.py", "import os\nos._\uff45xit(0)\n", "2 " + endsProcess},
		{"a.py", "import os\nos.\U0001d5bahort()\n", ""},
		{"a.py", "import os\nos.\U0001d5babort()\n", "2 " + endsProcess},
		{"a.py", "#!/usr/bin/env python3\n# -*- coding: utf-7 -*-\n+AG8AcwAuAF8AZQB4AGkAdA-(0)\n", "2 " + changesCode},
		{"a.py", "class A:\n    def __eq__(self, other):\n        return len(other) > 0\n", "2 " + equalsAll},
		{"a.py", "class A:\n    def __eq__(self, other):\n        return self.a == other.a\n", ""},
		{"a.py", "class A(str):\n    def __eq__(self, other):\n        return other.strip() != ''\n", "2 " + equalsAll},
		{"a.py", "# coding: utf-8\nx = 1\n", ""},
		{"a.js", "process.reall\\u0079Exit(0)\n", "1 " + endsProcess},
		{"LICENSE", "test.sh\n", ""},
		{"a_test.go", "package a\n\nfunc init() { syscall.Exit(0) }\n", "3 " + steersTests},
		{"README.md", "os._exit(0)\n", ""},
	} {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// What was there before, in any changed file, is not the work's.
func TestSuspectsAreNew(t *testing.T) {
	t.Parallel()
	const line = "var _, file, _, _ = runtime.Caller(1)\n"
	if got := suspectsOf(t, "a.go", "package a\n"+line, "package a\n\n\t"+line); got != nil {
		t.Errorf("%q", got)
	}
	content := func(id string) ([]byte, error) {
		return map[string][]byte{"1": []byte("package a\n" + line), "2": []byte("package a\n" + line + "var b = testing.Testing()\n")}[id], nil
	}
	moved, all, err := Find([]proof.File{{Path: "a.go", Mode: "100644", ID: "1"}}, []proof.File{{Path: "b.go", Mode: "100644", ID: "2"}}, judge.Duties{}, content)
	if err != nil || !all || len(moved) != 1 || moved[0].String() != "b.go:3 "+findsTests {
		t.Errorf("%v %v %v", moved, all, err)
	}
}

// Work that cannot be searched as a whole is not called clean.
func TestSuspectsOfTooMuch(t *testing.T) {
	t.Parallel()
	var many []proof.File
	for i := range mostSuspectFiles + 1 {
		many = append(many, proof.File{Path: fmt.Sprintf("a%03d.go", i), Mode: "100644", ID: "x"})
	}
	text := func(string) ([]byte, error) { return []byte("package a\n"), nil }
	if found, all, err := Find(nil, many, judge.Duties{}, text); all || err != nil || len(found) > 0 {
		t.Error(all, err, found)
	}
	large := func(string) ([]byte, error) { return nil, nil }
	if _, all, err := Find(nil, many[:1], judge.Duties{}, large); all || err != nil {
		t.Error("a file that cannot be read counts as searched", err)
	}
	broken := errors.New("broken")
	if _, _, err := Find(nil, many[:1], judge.Duties{}, func(string) ([]byte, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	gates := []loop.Gate{{Kind: loop.KindCommand, Run: "stylelint ."}}
	silenced := func(string) ([]byte, error) { return []byte("/* stylelint-disable */\n"), nil }
	many = many[:0]
	for _, ending := range []string{"json", "css"} {
		for i := range mostSuspectFiles + 1 {
			many = append(many, proof.File{Path: fmt.Sprintf("a%04d.%s", i, ending), Mode: "100644", ID: "x"})
		}
		few := len(many) == mostSuspectFiles+1
		if few {
			many = append(many, proof.File{Path: "z.css", Mode: "100644", ID: "x"})
		}
		found, all, err := Evasions(nil, many, gates, judge.Duties{Inspects: true, Lints: true}, silenced)
		if all != few || len(found) == 0 || err != nil {
			t.Errorf("%d %s: %v, %v, %v", len(many), ending, found, all, err)
		}
	}
	links := []proof.File{{Path: "a.go", Mode: proof.LinkMode, ID: "x"}}
	if _, all, err := Find(nil, links, judge.Duties{}, large); !all || err != nil {
		t.Error("a link is no source", err)
	}
}

// TestSilences: comments that silence a tool count where a gate inspects the product.
func TestSilences(t *testing.T) {
	t.Parallel()
	for file, line := range map[string]string{
		"a.py": "def f():  # pragma: no cover", "b.py": "import x  # noqa: F401", "c.py": "y = 1  # type: ignore[x]", "a.go": "\tf() //nolint:errcheck", "b.go": "//lint:ignore U1000 later",
		"a.js": "/* istanbul ignore next */", "b.ts": "// @ts-expect-error", "c.js": "// eslint-disable-next-line", "d.js": "/* node:coverage ignore next */",
		"a.rs": "#[allow(dead_code)]", "b.rs": "#![allow(warnings)]", "d.py": "x = 1  # fmt: skip", "e.py": "# pylint: skip-file", "f.py": "# isort: skip_file", "g.py": "x = y  # ty: ignore", "h.py": "f()  # nosemgrep",
		"i.py": "# pytype: disable=all", "k.py": "x = y  # pyrefly: ignore", "l.py": "# autopep8: off", "m.py": "x = 1  # nopep8", "n.py": "# ruff: disable[E501]", "o.py": "# cspell:disable", "p.py": "# vulture: ignore",
		"e.js": "// prettier-ignore", "f.js": "/* eslint no-unused-vars: 0 */", "g.js": "/* jshint ignore:start */", "h.js": "/* global x */", "i.js": "/* exported a, b */", "k.js": "// svelte-ignore x", "l.js": "// @generated", "m.js": "/* eslint-env node */", "n.js": "// @flow-ignore", "t.js": " eslint eqeqeq: 0, no-var: 0", "u.js": " * eslint-env node:",
		"c.go": "// Code generated by hand. DO NOT EDIT.", "A.kt": "// ktlint-disable", "B.java": "@Generated(\"x\")", "a.c": "// clang-format off",
		"p.go": "\tf() // stylecheck: ignore", "q.py": "def f():  # lint: off", "s.js": "/* style-check: off */", "d.rs": "#[cfg(not(clippy))]", "e.rs": "#[cfg_attr(coverage_nightly, coverage(off))]", "b.c": "#ifndef __clang_analyzer__", "r.py": "if not TYPE_CHECKING:",
		"a.rb": "x = 1 # rubocop:disable Style", "A.java": "@SuppressWarnings(\"all\")",
	} {
		want := "2 " + silencesTool
		if got := strings.Join(suspectsWhere(t, true, file, "", "\n"+line+"\n"), ", "); got != want {
			t.Errorf("%s: %q", file, got)
		}
		if got := suspectsWhere(t, false, file, "", "\n"+line+"\n"); got != nil {
			t.Errorf("%s, not inspected: %q", file, got)
		}
		if got := suspectsWhere(t, true, file, line+"\n", "\n"+line+"\n"); got != nil {
			t.Errorf("%s, as before: %q", file, got)
		}
	}
	if got := suspectsWhere(t, true, "a.go", "", "// covers all\n// lint: see below\n// format off the press\nvar allowed = expect(1) // see types\n/* global state of the server */\n// dates are generated by hand\n"); got != nil {
		t.Errorf("%q", got)
	}
}

// TestSilencesOfDuties: code that hides warnings counts where a gate fails for them, and a
// comment that its own checker knows.
func TestSilencesOfDuties(t *testing.T) {
	t.Parallel()
	const hides, mark = "with warnings.catch_warnings():\n    warnings.simplefilter(\"ignore\")\n", "print(2)  # allow-print: yes\n"
	for what, c := range map[string]struct {
		duties     judge.Duties
		file, text string
		line       int
	}{
		"hides warnings":         {judge.Duties{Warns: true}, "a.py", hides, 2},
		"turns them into errors": {judge.Duties{Warns: true}, "a.py", "with warnings.catch_warnings():\n    warnings.simplefilter(\"error\")\n", 0},
		"of no gate":             {judge.Duties{}, "a.py", hides, 0},
		"hides those of node":    {judge.Duties{Warns: true}, "a.js", "process.removeAllListeners(\"warning\");\n", 1},
		"a mark of the checker":  {judge.Duties{Marks: "# later\n# allow-print"}, "a.py", mark, 1},
		"a mark of no checker":   {judge.Duties{Marks: "# later"}, "a.py", mark, 0},
	} {
		found, _, err := Find(nil, []proof.File{{Path: c.file, Mode: "100644", ID: "x"}}, c.duties, func(string) ([]byte, error) { return []byte(c.text), nil })
		if got := len(found); err != nil || got > 1 || got == 1 != (c.line > 0) || got == 1 && (found[0].Line != c.line || found[0].What != silencesTool) {
			t.Errorf("%s: %v, want line %d: %v", what, found, c.line, err)
		}
	}
}

// TestLargeSources: what is too large is named, and not searched.
func TestLargeSources(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("# a long comment\n", syntax.LongestSource/16+1)
	if got := suspectsOf(t, "a.py", "", long); len(got) != 1 || got[0] != "0 "+tooLarge {
		t.Error(got)
	}
	if got := suspectsOf(t, "a.py", long, long+"import os\nos._exit(0)\n"); len(got) != 1 || !strings.HasSuffix(got[0], " "+endsProcess) {
		t.Error(got)
	}
	var work []proof.File
	for n := range mostSearched/syntax.LongestSource + 2 {
		work = append(work, proof.File{Path: fmt.Sprintf("a%d.sh", n), Mode: "100644", ID: "x"})
	}
	text := []byte(long[:syntax.LongestSource-1])
	if _, all, err := Find(nil, work, judge.Duties{}, func(string) ([]byte, error) { return text, nil }); all || err != nil {
		t.Error("all of it was searched:", err)
	}
}

// A link to tests and a copy of what they expect are named, whatever the code calls them.
func TestSuspectsAnswers(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"cases": "[[100, 19], [50, 10]]\n", "to-cases": "tests/cases.json", "to-tests": "tests", "to-data": "data", "empty": ""}
	read := func(id string) ([]byte, error) { return []byte(texts[id]), nil }
	base := []proof.File{{Path: "tests/cases.json", Mode: "100644", ID: "cases"}, {Path: "tests/__init__.py", Mode: "100644", ID: "empty"}, {Path: "data/x.json", Mode: "100644", ID: "x"}}
	for name, c := range map[string]struct {
		added proof.File
		want  string
	}{
		"link":        {proof.File{Path: "table.json", Mode: proof.LinkMode, ID: "to-cases"}, "table.json " + leadsToTests},
		"folder":      {proof.File{Path: "rates", Mode: proof.LinkMode, ID: "to-tests"}, "rates " + leadsToTests},
		"copy":        {proof.File{Path: "data/rates.json", Mode: "100644", ID: "cases"}, "data/rates.json " + copiesTests + " tests/cases.json"},
		"other link":  {proof.File{Path: "rates", Mode: proof.LinkMode, ID: "to-data"}, ""},
		"empty file":  {proof.File{Path: "shop/__init__.py", Mode: "100644", ID: "empty"}, ""},
		"among tests": {proof.File{Path: "tests/more/cases.json", Mode: "100644", ID: "cases"}, ""},
	} {
		found, all, err := Find(base, append([]proof.File{c.added}, base...), judge.Duties{}, read)
		if got := fmt.Sprint(found); err != nil || !all || got != "["+c.want+"]" {
			t.Errorf("%s: %s, %v, %v; want %q", name, got, all, err, c.want)
		}
	}
}

// TestQuote: a finding has its line; one of a whole file, or of a line that is not there, has none.
func TestQuote(t *testing.T) {
	t.Parallel()
	found := []Finding{{Path: "a.py", Line: 2}, {Path: "a.py", Line: 9}, {Path: "b.bin"}}
	err := Quote(found, []proof.File{{Path: "a.py", Mode: "100644", ID: "1"}}, func(string) ([]byte, error) { return []byte("import os\r  os._exit(0)  \nx\n"), nil })
	if err != nil || found[0].Code != "os._exit(0)" || found[1].Code != "" || found[2].Code != "" {
		t.Errorf("%v %v", found, err)
	}
}

// TestConcern: a finding is the concern of its kind; what only may steer or know its tests is
// suspect, and so are types that a line takes away: casts are usual.
func TestConcern(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]loop.ConcernCode{
		asksLittle: loop.ConcernWeak, skipsTest: loop.ConcernWeak, namedByTask: loop.ConcernUndone,
		silencesTool: loop.ConcernSilenced, waivesTypes: loop.ConcernSuspect, ignoredByTools + "a.js": loop.ConcernSilenced,
		takesPlace + " the program diff": loop.ConcernTampers, comparesForTests: loop.ConcernTampers, catchesAssertions: loop.ConcernTampers,
		switchesTest: loop.ConcernTampers, endsJudge: loop.ConcernTampers, writesReport: loop.ConcernTampers, namesReport: loop.ConcernSuspect, catchesAll: loop.ConcernSuspect,
		endsProcess: loop.ConcernSuspect, knowsAnswers: loop.ConcernSuspect, equalsAll: loop.ConcernSuspect,
	} {
		if got := (Finding{What: what}).Concern(); got != want {
			t.Errorf("%q is %s, not %s", what, got, want)
		}
	}
}
