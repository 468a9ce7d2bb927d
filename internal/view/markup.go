package view

import (
	"strings"
	"unicode"

	"ralph/internal/text"
)

// markup is foreign text in Markdown: one line on which nothing is a link, an
// image, a tag, a table's edge or a mention.
func markup(s string) string { return markupOf(s, mostTitle) }

func markupOf(s string, most int) string {
	var b strings.Builder
	text := []rune(text.Clip(s, most))
	for i, r := range text {
		switch r {
		case '\\', '`', '*', '[', ']', '<', '>', '|', '~', '&', '#':
			b.WriteByte('\\')
		case '_':
			if i == 0 || i == len(text)-1 || !inWord(text[i-1]) || !inWord(text[i+1]) {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
		if r == '@' {
			b.WriteRune('\u200B') // no forge takes it for a mention
		}
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// code is foreign text as code on one line, verbatim.
func code(s string) string {
	s = text.Clip(s, 4*mostTitle)
	if s == "" {
		return "n/a"
	}
	run, longest := 0, 0
	for _, r := range s {
		if r == '`' {
			run++
		} else {
			run = 0
		}
		longest = max(longest, run)
	}
	if longest == 0 {
		return "`" + s + "`"
	}
	ticks := strings.Repeat("`", longest+1)
	return ticks + " " + s + " " + ticks
}
