package suspect

import (
	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Some suspect words have a use that is none: it sets what a look would read, or reads what a
// change would write. Such uses are taken out of a source before it is searched.

// usualForm matches such a use, and what stands for it then. In a source that matches unless it
// is none.
type usualForm struct {
	pattern *lazyregexp.Regexp
	instead string
	unless  *lazyregexp.Regexp
}

// renamesCopies matches what gives a name of Python that copies another meaning.
var renamesCopies = lazyregexp.New(`(?m)\b(?:def|class|as)\s+(?:frozenset|set|sorted|list|tuple|len)\b|(?:^|[^\w.])(?:frozenset|set|sorted|list|tuple|len)\s*=[^=]|\bimport\b.*\b(?:frozenset|set|sorted|list|tuple|len)\b`)

// writtenSo matches what may stand behind a text that is written as it is.
const writtenSo = `\s*(?:[),\]}+]|$)`

// usual are the usual forms of a language.
var usual = map[string][]usualForm{
	"shell": {
		// The end at a signal, not at the end of the script or of each command.
		{lazyregexp.New(`(?m)\btrap\s+(?:'[^'\n]*'|"[^"\n]*")((?:[ \t]+(?:(?:SIG)?(?:HUP|INT|QUIT|TERM)|1|2|3|15))+[ \t]*(?:$|[;&|#)}]))`), "trap -$1", nil},
	},
	"python": {
		// A question whether a process lives, and the end of a wish to be called at the end.
		{lazyregexp.New(`\bos\.kill\((\s*(?:[^,()\n]|\([^()\n]*\))+,\s*0\s*\))`), "alive($1", nil},
		{lazyregexp.New(`\batexit\.unregister\(`), "forget(", nil},
		// The number of the process in a text, or compared with one that is kept elsewhere.
		{lazyregexp.New(`(?m)\b(f"[^"\n]*\{)os\.getpid\(\)(\}[^"\n]*"` + writtenSo + `)`), "${1}own$2", nil},
		{lazyregexp.New(`(?m)\b(f'[^'\n]*\{)os\.getpid\(\)(\}[^'\n]*'` + writtenSo + `)`), "${1}own$2", nil},
		{lazyregexp.New(`(?m)\bstr\(os\.getpid\(\)(\)(?:\.encode\([^()\n]*\))?` + writtenSo + `)`), "str(own$1", nil},
		{lazyregexp.New(`(?m)(%[ds][^%"'\n]*["']\s*%\s*)os\.getpid\(\)(` + writtenSo + `)`), "${1}own$2", nil},
		{lazyregexp.New(`(["']pid["']\s*:\s*)os\.getpid\(\)(\s*[,}])`), "${1}own$2", nil},
		{lazyregexp.New(`(?m)((?:^|[\s(])[A-Za-z_][\w.]*(?:\([^()\n]*\))?\s*[!=]=\s*)os\.getpid\(\)(\s*(?:[:),\]]|\b(?:and|or|if|else)\b|$))`), "${1}own$2", nil},
		{lazyregexp.New(`(?m)((?:^|[\s(=,])(?:if|not|and|or|while|return)?\s*)os\.getpid\(\)(\s*[!=]=\s*[A-Za-z_])`), "${1}own$2", nil},
		// The names that an object has.
		{lazyregexp.New(`(^|[^\w.])(frozenset|set|sorted|list|tuple|len)\(vars\(`), "${1}$2(((", renamesCopies},
		{lazyregexp.New(`\bin vars\(([\w.]+\)\s*(?:[:)\]]|\b(?:and|or|if|else)\b|$))`), "in (($1", nil},
	},
}

// toSearch is a source as its lines are searched: in one spelling, and without its usual forms.
func toSearch(lang, text string) string {
	return withoutUsual(lang, syntax.PlainSpelling(lang, text))
}

// withoutUsual is a source without its usual forms; its lines stay where they are.
func withoutUsual(lang, text string) string {
	text = withoutSettings(lang, text)
	switch lang {
	case "shell":
		text = withoutOwnFile(text)
	case "js":
		text = withoutPrimitives(text)
	}
	for _, form := range usual[lang] {
		if form.unless == nil || !form.unless.MatchString(text) {
			text = form.pattern.ReplaceAllString(text, form.instead)
		}
	}
	return text
}
