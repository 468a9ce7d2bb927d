package view

import "ralph/internal/lazyregexp"

// The marks of Markdown within a line: a link, code, and what is bold.
var marks = []*lazyregexp.Regexp{
	lazyregexp.New(`\[([^\[\]]+)\]\([^()\s]*\)`),
	lazyregexp.New("`([^`]+)`"),
	lazyregexp.New(`\*\*([^*]+)\*\*`),
}

// Unmarked is a line of Markdown without the marks for bold text, code and links, for
// places that show plain text. Single stars and underscores stay: they may be globs and
// names.
func Unmarked(s string) string {
	for _, m := range marks {
		s = m.ReplaceAllString(s, "$1")
	}
	return s
}
