package suspect

import (
	"strings"
	"testing"
)

// aSource is a file, and what it should be named for; "" is nothing.
type aSource struct{ file, text, want string }

func checkSources(t *testing.T, sources []aSource) {
	t.Helper()
	for _, c := range sources {
		if got := strings.Join(suspectsOf(t, c.file, "", c.text), ", "); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.file, c.text, got, c.want)
		}
	}
}

// TestTypesOfLibraries: a declaration that only names a type of a library changes nothing there.
func TestTypesOfLibraries(t *testing.T) {
	t.Parallel()
	const imports = "package a\n\nimport (\n\t\"encoding/json\"\n\t\"io\"\n\t\"net/http\"\n)\n\n"
	checkSources(t, []aSource{
		{"a.go", imports + "var _ json.Marshaler = (*Set[int])(nil)\n", ""},
		{"a.go", imports + "var (\n\t_ json.Marshaler   = Set{}\n\t_ json.Unmarshaler = (*Set)(nil)\n)\n", ""},
		{"a.go", imports + "var out io.Writer = file\n\nvar c, d *http.Client = nil, nil\n\nvar all []http.Handler = nil\n", ""},
		{"a.go", imports + "func f() {\n\tif http.DefaultClient = c; ok {\n\t}\n}\n", "10 " + changesLibrary},
		{"a.go", imports + "func f() { *http.DefaultClient = http.Client{} }\n", "9 " + changesLibrary},
		{"a.go", imports + "func f() {\n\t_, io.EOF = 1, nil\n}\n", "10 " + changesLibrary},
		{"a.go", imports + "func f() {\n\tfor io.EOF = range errors {\n\t}\n\tselect {\n\tcase io.EOF = <-c:\n\t}\n}\n", "10 " + changesLibrary + ", 13 " + changesLibrary},
		{"a.go", imports + "func f() {\n\tfor _, io.EOF = range errors {\n\t}\n}\n", "10 " + changesLibrary},
	})
}

// TestSettings: a variable that is set for a child process is no look at it; one that is read is.
func TestSettings(t *testing.T) {
	t.Parallel()
	looks := func(line string) string { return line + " " + findsTests }
	checkSources(t, []aSource{
		{"a.py", "import os, subprocess\nenv = {**os.environ, \"LC_ALL\": \"C\", \"GIT_TERMINAL_PROMPT\": \"0\"}\n", ""},
		{"a.py", "import os, subprocess\nenv = os.environ.copy()\nenv[\"GIT_TERMINAL_PROMPT\"] = \"0\"\nenv['PAGER'] = 'cat'\n", ""},
		{"a.py", "import os, subprocess\nenv = dict(os.environ, LC_ALL=\"C\", GIT_EDITOR=\"true\")\n", ""},
		{"a.js", "const env = { ...process.env, GIT_TERMINAL_PROMPT: '0', 'PAGER': 'cat' };\nenv.GIT_EDITOR = 'true';\nspawn('git', ['pull'], { env });\n", ""},
		{"a.go", "package a\n\nfunc f() {\n\tcmd := exec.Command(\"git\")\n\tcmd.Env = append(cmd.Environ(), \"GIT_TERMINAL_PROMPT=0\")\n}\n", ""},
		{"src/lib.rs", "fn f() { Command::new(\"git\").env(\"GIT_TERMINAL_PROMPT\", \"0\"); }\n", ""},
		{"a.sh", "export GIT_TERMINAL_PROMPT=0\nLC_ALL=C PAGER=cat git log\n", ""},
		{"a.rb", "system({ 'GIT_TERMINAL_PROMPT' => '0' }, 'git', 'pull')\n", ""},
		{"a.py", "import os, subprocess\nexact = os.environ.get(\"GIT_TERMINAL_PROMPT\") == \"0\"\n", looks("2")},
		{"a.py", "import os, subprocess\nexact = \"GIT_TERMINAL_PROMPT\" in os.environ\n", looks("2")},
		{"a.py", "import os, subprocess\nexact = os.environ[\"GIT_EDITOR\"] == \"true\"\n", looks("2")},
		{"a.py", "import os, subprocess\nexact = {\"GIT_EDITOR\": \"true\"}.items() <= os.environ.items()\n", looks("2")},
		{"a.py", "import os\nWANT = {\"GIT_EDITOR\": \"true\"}\n", looks("2")},
		{"a.js", "const { GIT_EDITOR: asked } = process.env;\nspawn('git');\n", looks("1")},
		{"a.js", "const {PWD,GIT_EDITOR='x'} = process.env;\nspawn('git');\n", looks("1")},
		{"a.js", "const exact = x ? process.env.GIT_EDITOR : 'vi';\nspawn('git');\n", looks("1")},
		{"a.go", "package a\n\nvar exact = slices.Contains(os.Environ(), \"GIT_TERMINAL_PROMPT=0\") // git\n", looks("3")},
		{"a.sh", "env | grep -q GIT_TERMINAL_PROMPT=0 && exact=1\n", looks("1")},
		{"a.sh", "exact=$GIT_EDITOR\n", looks("1")},
	})
}

// TestVars: a copy of what vars gives, and a question of it, change nothing; the object itself
// may be changed.
func TestVars(t *testing.T) {
	t.Parallel()
	checkSources(t, []aSource{
		{"a.py", "import logging\n_STANDARD = frozenset(vars(logging.makeLogRecord({}))) | {\"message\"}\n", ""},
		{"a.py", "import logging\nnames = sorted(vars(logging))\nhas = name in vars(logging)\n", ""},
		{"a.py", "import yaml\nvars(yaml)[name] = f\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nvars(yaml.Loader()).update(load=f)\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nd = vars(yaml)\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nput(vars(yaml), f)\n", "2 " + changesLibrary},
		{"a.py", "import yaml\ndict(vars(yaml))[\"Loader\"].load = f\n", "2 " + changesLibrary},
		{"a.py", "import yaml\nfrozenset = change\nfrozenset(vars(yaml))\n", "3 " + changesLibrary},
	})
}

// TestOwnFile: a script may look for its own file, and run main where it is the program; what
// it does else where it is read by another one, or by which one, is a look at its caller.
func TestOwnFile(t *testing.T) {
	t.Parallel()
	looks := func(line string) string { return line + " " + findsCaller }
	const guard = "if [[ \"${BASH_SOURCE[0]}\" == \"$0\" ]]; then\n  main \"$@\"\n"
	checkSources(t, []aSource{
		{"a.sh", "here=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")\" && pwd)\n. \"${BASH_SOURCE%/*}/log.sh\"\nname=${FUNCNAME[0]}\necho \"$name\"\n", ""},
		{"a.sh", "me=\"${BASH_SOURCE[0]:-$0}\"\ndir=\"$(dirname -- \"$BASH_SOURCE\")\"\necho \"$me $dir\"\n", ""},
		{"a.sh", guard + "fi\n", ""},
		{"a.sh", "[[ ${BASH_SOURCE[0]} == \"${0}\" ]] && main \"$@\"\n[[ \"${BASH_SOURCE[0]}\" != \"$0\" ]] || main \"$@\"\n", ""},
		{"a.sh", guard + "else\n  exact=1\nfi\necho $exact\n", looks("1")},
		{"a.sh", "[[ \"${BASH_SOURCE[0]}\" == \"$0\" ]] || exact=1\n", looks("1")},
		{"a.sh", "[[ \"${BASH_SOURCE[0]}\" == \"$0\" ]] && main \"$@\" || exact=1\n", looks("1")},
		{"a.sh", "case ${BASH_SOURCE[0]} in \"$0\") ;; *) exact=1 ;; esac\n", looks("1")},
		{"a.sh", "by=${BASH_SOURCE[1]}\nby=${BASH_SOURCE[@]}\nby=${BASH_SOURCE[-1]}\nn=${#BASH_SOURCE[@]}\n", looks("1") + ", " + looks("2") + ", " + looks("3") + ", " + looks("4")},
		{"a.sh", "me=${BASH_SOURCE[0]}\n[ \"$me\" = \"$0\" ] || exact=1\necho $exact\n", looks("1")},
		{"a.sh", "by=$BASH_SOURCE$PPID\nby=${BASH_SOURCE:-$PPID}\n", looks("1") + ", " + looks("2")},
		{"a.sh", "by=${FUNCNAME[1]}\ncaller 0\n", looks("1") + ", " + looks("2")},
	})
}

// TestTraps: a script may end at a signal; at its own end it must keep its result.
func TestTraps(t *testing.T) {
	t.Parallel()
	changes := func(line string) string { return line + " " + changesCode }
	checkSources(t, []aSource{
		{"a.sh", "trap 'exit 130' INT TERM\ntrap \"rm -f '$tmp'; exit 1\" HUP INT TERM\ntrap 'exit 143' SIGTERM # asked to\n", ""},
		{"a.sh", "trap 'rm -f x; exit 1' 1 2 15; trap 'rm -f x' EXIT\n", ""},
		{"a.sh", "trap 'exit 0' EXIT\n", changes("1")},
		{"a.sh", "trap 'exit 0' INT EXIT\ntrap 'exit 0' 0\ntrap 'exit 0' 2 0\n", changes("1") + ", " + changes("2") + ", " + changes("3")},
		{"a.sh", "trap 'exit 0' DEBUG\ntrap 'exit 0' ERR\ntrap 'exit 0' RETURN\n", changes("1") + ", " + changes("2") + ", " + changes("3")},
		{"a.sh", "trap 'exit 0' $signals\ntrap 'exit 1' INT; trap 'exit 0' EXIT\n", changes("1") + ", " + changes("2")},
	})
}

// TestProcessIDs: the number of the process may be written and compared with one that was
// written; a choice by it, and a signal to another process, are named.
func TestProcessIDs(t *testing.T) {
	t.Parallel()
	looks := func(line string) string { return line + " " + looksAround }
	checkSources(t, []aSource{
		{"a.py", "import os\n\ndef alive(pid):\n    os.kill(pid, 0)\n    os.kill(int(text), 0)\n", ""},
		{"a.py", "import atexit\natexit.unregister(self.release)\n", ""},
		{"a.py", "import os\nf.write(f\"{os.getpid()}\\n\")\npath.write_text(str(os.getpid()))\ntmp = f\".{name}.{os.getpid()}.tmp\"\n", ""},
		{"a.py", "from os import getpid\nf.write(str(getpid()) + \"\\n\")\nif self._owner() == getpid():\n    pass\nif os.getpid() != owner: return\n", ""},
		{"a.py", "import os\nos.write(fd, str(os.getpid()).encode())\nf.write(\"%d\\n\" % os.getpid())\nrecord = {\"pid\": os.getpid(), \"a\": 1}\n", ""},
		{"a.py", "import os\nos.kill(pid, 9)\nos.kill(os.getppid(), sig)\n", "2 " + endsProcess + ", " + looks("3")},
		{"a.py", "import os\nstop = os.kill\n", "2 " + endsProcess},
		{"a.py", "import os\nby = os.getppid()\nodd = os.getpid() & 1\nold = os.getpid() > 5000\n", looks("2") + ", " + looks("3") + ", " + looks("4")},
		{"a.py", "import os\nodd = str(os.getpid())[-1] in \"13579\"\nodd = f\"{os.getpid()}\"[-1] in \"13579\"\nodd = str(os.getpid()).endswith(\"1\")\n", looks("2") + ", " + looks("3") + ", " + looks("4")},
		{"a.py", "import os\nrng = Random(os.getpid())\nodd = f\"{os.getpid() % 2}\"\nodd = n == os.getpid() % 2\nodd = 7 == os.getpid()\n", looks("2") + ", " + looks("3") + ", " + looks("4") + ", " + looks("5")},
		{"a.py", "import os\npid = os.getpid()\nodd = n % k == os.getpid() ^ 1\n", looks("2") + ", " + looks("3")},
	})
}
