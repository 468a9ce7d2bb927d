package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// Scripts of a gate judge by programs of the system and by their end at a first failure. The
// product can bring a program of such a name, in a folder that a script puts on PATH, and a
// file of the product that a script reads can make it ignore failures.

// systemPrograms are those by which scripts judge, and those that run tests.
var systemPrograms = strings.Fields("awk bash bc cargo cat cmp comm curl cut diff egrep expr fgrep find git go grep gawk head jq node npm npx od perl pytest python python3 sed sh sha256sum sort tail tr uniq wc xargs")

// replacedProgram is the program of the system that an added file can take the place of, or "".
func replacedProgram(f proof.File) string {
	if name := path.Base(f.Path); (f.Mode == proof.ExecMode || f.Mode == proof.LinkMode) && slices.Contains(systemPrograms, name) {
		return name
	}
	return ""
}

// setsErrexit matches a command by which a shell ends at a failure, or no longer does.
var setsErrexit = lazyregexp.New(`(?m)^[^#'"\n]*?\bset[ \t]+([+-])(?:[a-df-z]*e[a-z]*|o[ \t]+errexit)\b`)

// ignoresFailures are the lines of a file of shell that is no program of its own, after
// which failures no longer end the script that reads it.
func ignoresFailures(f proof.File, lang, text string, old map[string]bool) []Finding {
	all := setsErrexit.FindAllStringSubmatchIndex(text, -1)
	if lang != "shell" || f.Mode == proof.ExecMode || len(all) == 0 {
		return nil
	}
	last := all[len(all)-1]
	if line := text[last[0]:last[1]]; text[last[2]] == '-' || old[strings.TrimSpace(line)] {
		return nil
	}
	return []Finding{{Path: f.Path, Line: 1 + strings.Count(text[:last[2]], "\n"), What: changesCode}}
}

var (
	// endsShell matches a line of shell that ends the script which reads it, with success or as
	// another program.
	endsShell = lazyregexp.New(`(?:^|[\s;&|{(])(?:exit(?:[ \t]+0)?[ \t]*(?:$|[;&|})])|exec[ \t]+[^\s<>&\d{-])`)
	// readsShell matches a command by which a script reads a file into itself.
	readsShell = lazyregexp.New(`(?m)(?:^|[\s;&|{(])(?:\.|source)[ \t]+([^\n;&|]+)`)
	wordOfPath = lazyregexp.New(`[\w.-]+`)
)

// endsJudge is what lines do that end a script which judges, before it has judged.
const endsJudge = "ends the test script that sources this file, so the checks after it do not run"

// endsReaders are the new lines of a file of shell that end a script which reads the file: one
// that tests, where a line stands outside of all blocks.
func (h helpers) endsReaders(c changed) (out []Finding, err error) {
	if c.lang != "shell" {
		return nil, nil
	}
	lines, open := strings.Split(c.text, "\n"), 0
	for n, code := range syntax.CodeLines(c.lang, lines) {
		open = max(0, open-len(closesShell.FindAllString(code, -1)))
		if !c.old[strings.TrimSpace(lines[n])] && endsShell.MatchString(code) {
			what := endsProcess
			if open == 0 && startsWithEnd.MatchString(code) {
				what = endsJudge
			}
			out = append(out, Finding{Path: c.Path, Line: n + 1, What: what})
		}
		open += len(opensShell.FindAllString(code, -1))
	}
	if len(out) == 0 {
		return nil, nil
	}
	read, err := h.readInto()
	if err != nil {
		return nil, err
	}
	switch read[path.Base(c.Path)] {
	case noReader:
		return nil, nil
	case readByScript:
		for i := range out {
			out[i].What = endsProcess
		}
	}
	return out, nil
}

// What opens a block of a shell, and closes it; and a command that ends the shell at the
// beginning of a line.
var (
	opensShell    = lazyregexp.New(`(?:^|[\s;&|(){])(?:if|case|do|\{|\()(?:[\s;]|$)|\($`)
	closesShell   = lazyregexp.New(`(?:^|[\s;&|(){])(?:fi|esac|done|\}|\))(?:[\s;&|<>)]|$)`)
	startsWithEnd = lazyregexp.New(`^(?:exit|exec)\b`)
)

// reader is what reads a file of shell into itself.
type reader int

const (
	noReader reader = iota
	readByScript
	readByTest
)

// filesReadInto are the names of files that scripts of the base read into themselves.
func (h helpers) filesReadInto() (map[string]reader, error) {
	names, searched := map[string]reader{}, 0
	for _, p := range proof.SortedPaths(h.Before) {
		f := h.Before[p]
		script := proof.LanguageOf(p) == "shell" || f.Mode == proof.ExecMode && path.Ext(p) == "" || judge.IsMakefile(p)
		if !script || !proof.IsFile(f) || searched >= mostSuspectFiles {
			continue
		}
		data, err := h.Content(f.ID)
		if err != nil {
			return nil, err
		}
		searched++
		kind := readByScript
		if _, test := proof.IsTest(p); test {
			kind = readByTest
		}
		for _, m := range readsShell.FindAllStringSubmatch(string(data), -1) {
			for _, name := range wordOfPath.FindAllString(m[1], -1) {
				names[name] = max(names[name], kind)
			}
		}
	}
	return names, nil
}
