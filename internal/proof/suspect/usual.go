package suspect

import (
	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Some suspect words have a use that is none: it sets what a look would read, or reads what a
// change would write. Such uses are taken out of a source before it is searched.

// usualForm matches such a use, and what stands for it then.
type usualForm struct {
	pattern *lazyregexp.Regexp
	instead string
}

// usual are the usual forms of a language.
var usual = map[string][]usualForm{}

// toSearch is a source as its lines are searched: in one spelling, and without its usual forms.
func toSearch(lang, text string) string {
	return withoutUsual(lang, syntax.PlainSpelling(lang, text))
}

// withoutUsual is a source without its usual forms; its lines stay where they are.
func withoutUsual(lang, text string) string {
	text = withoutSettings(lang, text)
	for _, form := range usual[lang] {
		text = form.pattern.ReplaceAllString(text, form.instead)
	}
	return text
}
