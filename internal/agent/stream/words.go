package stream

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

func keep(to *string, s string) {
	if s != "" {
		*to = clip(s, 200)
	}
}

// colours are the escape sequences that programs print also without a terminal.
var colours = lazyregexp.New(`\x1b\[[0-9;?]*[A-Za-z]`)

// plain returns a text without colours, in one line.
func plain(s string) string {
	return strings.Join(strings.Fields(colours.ReplaceAllString(s, "")), " ")
}

// words joins a message with the program's own.
func words(ours, theirs string) string {
	if theirs = clip(theirs, 300); theirs == "" {
		return ours
	}
	return ours + ": " + theirs
}

// clip is s without white space around it, at most n bytes.
func clip(s string, n int) string { return text.Head(strings.TrimSpace(s), n) }
