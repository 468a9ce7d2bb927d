package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Functions of a shell that a script reads into itself see its variables, and macros of C stand
// in the functions of a program that checks: both can read there what is expected.

var (
	// shellReads matches a variable of a shell that is read, shellSets one that gets a value; their groups are the names.
	shellReads = lazyregexp.New(`\$\{?[!#]?([a-z_]\w*)`)
	shellSets  = lazyregexp.New(`(?:^|[\s;&|({])(?:(?:local|declare|typeset|readonly|export|read|for)\s+(?:-\w+\s+)*)?([a-zA-Z_]\w*)(?:\+?=|\s+in\b)|\bread\s+(?:-\w+\s+)*([\w ]+)|\b(?:local|declare)\s+([\w ]+)`)
	// cName matches a name of lower case that is no function, member, type or word of C.
	cName  = lazyregexp.New(`(?:^|[^\w.>"'])([a-z]\w*)\b\s*(?:[^\w\s("']|$)`)
	cWords = []string{"int", "long", "short", "char", "float", "double", "void", "const", "unsigned", "signed", "struct", "enum", "do", "else", "return", "errno", "stdin", "stdout", "stderr", "sizeof", "defined", "break", "continue", "default", "true", "false"}
)

// sharedNames are the new lines that read what only the gate's scripts and programs set.
func sharedNames(p, lang, text, texts string, old map[string]bool) (out []Finding) {
	if lang != "shell" && lang != "c" || lang == "shell" && (texts == "" || strings.Contains(texts, text)) {
		return nil
	}
	own := map[string]bool{}
	if lang == "shell" {
		for _, m := range shellSets.FindAllStringSubmatch(text, -1) {
			for _, name := range strings.Fields(strings.Join(m[1:], " ")) {
				own[name] = true
			}
		}
	}
	for n, code := range newCode(lang, text, old) {
		elsewhere := func(name string) bool {
			return lang == "c" && strings.Count(text, name) == strings.Count(strings.Split(text, "\n")[n-1], name) || lang == "shell" && !own[name] && setThere(name, texts)
		}
		if slices.ContainsFunc(readNames(lang, code), elsewhere) {
			out = append(out, Finding{Path: p, Line: n, What: findsTests})
		}
	}
	return out
}

// readNames are the names that a line reads and that may be another program's.
func readNames(lang, code string) (names []string) {
	if lang == "shell" {
		for _, m := range shellReads.FindAllStringSubmatch(code, -1) {
			names = append(names, m[1])
		}
		return names
	}
	m := macro.FindStringSubmatch(code)
	if m == nil || strings.Contains(m[3], "##") || strings.Contains(m[3], "__") {
		return nil
	}
	known := append(syntax.Word.FindAllString(m[2], -1), cWords...)
	for _, w := range cName.FindAllStringSubmatch(m[3], -1) {
		if !slices.Contains(known, w[1]) && !strings.HasSuffix(w[1], "_t") {
			names = append(names, w[1])
		}
	}
	return names
}

// setThere reports whether a text sets a variable of a shell.
func setThere(name, text string) bool {
	return name != "" && regexp.MustCompile(`(?m)(?:^|[\s;&|({])`+name+`=|\bread\b[^\n;]*\b`+name+`\b|\bfor\s+`+name+`\s`).MatchString(text)
}
