package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// Programs set variables of git and of pagers for the processes that they start. Only a look at
// such a variable finds out how a gate runs.

// childVariables are those that a gate's caller sets and that programs set for their children.
const childVariables = `(?:GIT_TERMINAL_PROMPT|GIT_EDITOR|PAGER)`

const (
	// settingEntry is an entry of an object with a literal, settingItem an assignment to one of
	// an object, and settingCall a call that sets.
	settingEntry = `["']` + childVariables + `["']\s*(?::|=>)\s*["'\d]`
	settingItem  = `(?:\[["']` + childVariables + `["']\]|\.` + childVariables + `)\s*=\s*[^=~>\s]`
	settingCall  = `\b[sS]etenv\(\s*"` + childVariables + `"\s*,|\.(?:env|put|insert)\(\s*"` + childVariables + `"\s*,|\bappend\([^\n]*"` + childVariables + `=[^"\n]*"`
	// settingName is such a name as a key of JavaScript, an argument of Python and a word of a shell.
	settingKey      = `(?:^|[{,])\s*` + childVariables + `\s*:\s*["'\d` + "`]"
	settingArgument = `[(,]\s*` + childVariables + `\s*=\s*["'\d]|^\s*` + childVariables + `\s*=\s*["'][^"'\n]*["'],?\s*\)?$`
	settingWord     = `(?:^|[;&|(]|\b(?:export|env|then|do)\s)\s*(?:\w+=\S*\s+)*` + childVariables + `=`
)

var (
	// setsVariable match, by language, what gives a child process one of these variables.
	setsVariable = map[string]*lazyregexp.Regexp{
		"js":     lazyregexp.New(settingEntry + `|` + settingItem + `|` + settingKey),
		"python": lazyregexp.New(settingEntry + `|` + settingItem + `|` + settingArgument),
		"shell":  lazyregexp.New(settingWord),
		"":       lazyregexp.New(settingEntry + `|` + settingItem + `|` + settingCall),
	}
	// childVariable matches the name of one.
	childVariable = lazyregexp.New(`\b` + childVariables + `\b`)
	// startsChildren matches a source that starts processes, comparesEntries a line that compares
	// what it seems to set.
	startsChildren  = lazyregexp.New(`(?i)\bsubprocess\b|\w*spawn\w*|\bexec\w*\b|\bpopen\b|\bsystem\b|Command\b|ProcessBuilder\b|\bgit\b`)
	comparesEntries = lazyregexp.New(`[=!<>]=(?:[^>]|$)|\bitems\(|\b(?:not )?in\b|\bContains\w*\(|\bgrep\b`)
	// literalFor matches a loop or comprehension.
	literalFor = lazyregexp.New(`\bfor\b.*\bin\b`)
)

// withoutSettings is a source without the names of such variables where it sets them.
func withoutSettings(lang, text string) string {
	if !childVariable.MatchString(text) || lang != "shell" && !startsChildren.MatchString(text) {
		return text
	}
	sets := setsVariable[lang]
	if sets == nil {
		sets = setsVariable[""]
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if !comparesEntries.MatchString(literalFor.ReplaceAllString(line, "")) {
			line = sets.ReplaceAllStringFunc(line, func(set string) string { return childVariable.ReplaceAllString(set, "SET") })
		}
		out.WriteString(line)
	}
	return out.String()
}
