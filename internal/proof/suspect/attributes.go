package suspect

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// givesAttributes matches a command that gives variables of a shell attributes; its groups are
// the options and the names, with their values.
var givesAttributes = lazyregexp.New(`(?:^|[;&|{]|\b(?:do|then|else))\s*(?:(?:builtin|command)\s+)?(?:declare|typeset|readonly)((?:\s+-\w+)*)\s+([^;&|]*)`)

// attributesIn are the new lines of a shell source that give attributes to variables which
// commands of the gates assign: one that is read-only, a number, or another name for one keeps
// what a test puts there from it. A name that the line makes up can be any.
func attributesIn(file, lang, text, gates string, old map[string]bool) (out []Finding) {
	if lang != "shell" || len(text) > syntax.LongestSource {
		return nil
	}
	for n, line := range newCode(lang, text, old) {
		for _, m := range givesAttributes.FindAllStringSubmatch(line, -1) {
			if steersVariables(m[1], m[2], gates) {
				out = append(out, Finding{Path: file, Line: n, What: changesCode})
				break
			}
		}
	}
	return out
}

func steersVariables(options, names, gates string) bool {
	if strings.ContainsAny(options, "fFpxaA") && !strings.ContainsAny(options, "nirlu") {
		return false
	}
	for word := range strings.FieldsSeq(names) {
		name, _, _ := strings.Cut(strings.Trim(word, `"'`), "=")
		switch {
		case strings.HasPrefix(name, "$") && strings.Contains(options, "n"):
			return true
		case shellName.MatchString(name) && regexp.MustCompile(`(?m)(?:^|[\s;&|({])`+name+`\+?=`).MatchString(gates):
			return true
		}
	}
	return false
}

// shellName matches the name of a variable of a shell.
var shellName = lazyregexp.New(`^[A-Za-z_]\w*$`)
