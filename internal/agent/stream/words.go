package stream

import (
	"strings"
	"unicode/utf8"

	"ralph/internal/lazyregexp"
)

func keep(to *string, s string) {
	if s != "" {
		*to = clip(s, 200)
	}
}

// colours are the escape sequences that programs print also without a terminal.
var colours = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

// plain is a text without colours, in one line.
func plain(text string) string {
	return strings.Join(strings.Fields(colours.ReplaceAllString(text, "")), " ")
}

// clip cuts at a whole character.
func clip(s string, n int) string {
	s = strings.ToValidUTF8(strings.TrimSpace(s), "�")
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// words joins ours with the program's own.
func words(ours, theirs string) string {
	if theirs = clip(theirs, 300); theirs == "" {
		return ours
	}
	return ours + ": " + theirs
}
