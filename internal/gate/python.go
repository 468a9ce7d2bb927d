package gate

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text/shell"
)

const moduleFound = "ralph: the module is installed"

// askPython asks the interpreter behind each program for a module, and others only
// where none of them is one: that of an environment in the tree, then the usual one. A
// script names its interpreter in its first line.
const askPython = `ask() {
	"$@" -c 'import sys
from importlib.util import find_spec
try: found = find_spec(sys.argv[1])
except Exception: found = None
if found and found.origin: print("` + moduleFound + `")' MODULE </dev/null 2>/dev/null && asked=yes
}
of() {
	at=$(command -v -- "$1") || return
	case ${at##*/} in
	python* | pypy*) ask "$at" ;;
	*)
		read -r line <"$at"
		case $line in "#!"*python*) ask ${line#??} ;; esac
		;;
	esac
} 2>/dev/null
asked=
PROGRAMS
for at in .venv/bin/python venv/bin/python python3 python; do [ "$asked" ] || of "$at"; done
`

// launchers start a program in an environment of Python with "run".
var launchers = []string{"uv", "poetry", "pdm", "pipenv", "hatch", "rye"}

var plainWord = lazyregexp.New(`^[\w./+@${}-]+$`)

// AskForModule returns a gate that asks the interpreter of Python behind a gate's command
// if a module can be imported from its library and the packages that are installed
// for it; see HasModule. Nothing of the tree is run.
func AskForModule(g loop.Gate, module string) loop.Gate {
	var programs strings.Builder
	for _, c := range shell.Split(g.Run) {
		for i, w := range c.Words {
			if !plainWord.MatchString(w) || i > 0 && !strings.HasPrefix(path.Base(w), "python") {
				continue
			}
			if strings.Contains(w, "/") && !path.IsAbs(w) && !strings.HasPrefix(w, "$") {
				w = path.Join(c.Dir, w)
				if !strings.Contains(w, "/") {
					w = "./" + w
				}
			}
			programs.WriteString("of \"" + w + "\"\n")
		}
		if len(c.Words) > 1 && c.Words[1] == "run" && slices.Contains(launchers, c.Words[0]) {
			programs.WriteString("ask " + c.Words[0] + " run python\n")
		}
	}
	g.Kind, g.Parse = loop.KindCommand, "exit"
	g.Run = strings.NewReplacer("MODULE", module, "PROGRAMS", programs.String()).Replace(askPython)
	return g
}

// HasModule reads the output of a gate of AskForModule.
func HasModule(output []byte) bool { return bytes.Contains(output, []byte(moduleFound)) }
