package proof

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// Scripts of a gate judge by programs of the system and by their end at a first failure. The
// product can bring a program of such a name, in a folder that a script puts on PATH, and a
// file of the product that a script reads can make it ignore failures.

// systemPrograms are those by which scripts judge, and those that run tests.
var systemPrograms = strings.Fields("awk bash bc cargo cat cmp comm curl cut diff egrep expr fgrep find git go grep gawk head jq node npm npx od perl pytest python python3 sed sh sha256sum sort tail tr uniq wc xargs")

// replacedProgram is the program of the system that an added file can take the place of, or "".
func replacedProgram(f File) string {
	if name := path.Base(f.Path); (f.Mode == execMode || f.Mode == linkMode) && slices.Contains(systemPrograms, name) {
		return name
	}
	return ""
}

// setsErrexit matches a command by which a shell ends at a failure, or no longer does.
var setsErrexit = lazyregexp.New(`(?m)^[^#'"\n]*?\bset[ \t]+([+-])(?:[a-df-z]*e[a-z]*|o[ \t]+errexit)\b`)

// ignoresFailures are the lines of a file of shell that is no program of its own, after
// which failures no longer end the script that reads it.
func ignoresFailures(f File, lang, text string, old map[string]bool) []Suspect {
	all := setsErrexit.FindAllStringSubmatchIndex(text, -1)
	if lang != "shell" || f.Mode == execMode || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	if line := text[last[0]:last[1]]; text[last[2]] == '-' || old[strings.TrimSpace(line)] {
		return nil
	}
	return []Suspect{{Path: f.Path, Line: 1 + strings.Count(text[:last[2]], "\n"), What: changesCode}}
}
