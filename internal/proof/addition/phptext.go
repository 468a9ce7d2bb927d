package addition

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	hereDocument = lazyregexp.New(`^<<<[ \t]*(?:"(\w+)"|'(\w+)'|(\w+))\n`)
	// plainField matches an expression within a text whose end is that of its first brace.
	plainField  = lazyregexp.New(`\{\$\w+(?:\??->\w+(?:\(\))?|\[(?:\$?\w+|'\w*')\])*\}`)
	anyField    = lazyregexp.New(`\{\$|\$\{`)
	endsProgram = lazyregexp.New("(?i)^(?:__halt_compiler|<\\?|\\?>|`)")
)

// phpToken is tokenAt for PHP.
func phpToken(text string, at int) (size int, comment, sure bool) {
	rest := text[at:]
	switch c := rest[0]; {
	case strings.HasPrefix(rest, "//"), c == '#' && !strings.HasPrefix(rest, "#["):
		size = lineSize(rest)
		return size, true, !strings.Contains(rest[:size], "?>")
	case strings.HasPrefix(rest, "/*"):
		return blockSize(rest, false), true, true
	case c == '\'':
		return quotedSize(rest, true), false, true
	case c == '"':
		size = quotedSize(rest, true)
		return size, false, plainFields(rest[:size])
	case strings.HasPrefix(rest, "<<<"):
		return hereSize(rest)
	case at == 0 && strings.HasPrefix(rest, "<?php"):
		return 0, false, true
	}
	return 0, false, !endsProgram.MatchString(rest[:min(len(rest), 20)])
}

// hereSize is the size of a here-document, whose end may have spaces before it.
func hereSize(text string) (size int, comment, sure bool) {
	m := hereDocument.FindStringSubmatch(text)
	if m == nil {
		return 0, false, false
	}
	label := m[1] + m[2] + m[3]
	at := len(m[0])
	for line := range strings.Lines(text[at:]) {
		after, found := strings.CutPrefix(strings.TrimLeft(line, " \t"), label)
		if found && (after == "" || !wordByte(after[0])) {
			end := at + len(line) - len(after)
			return end, false, m[2] != "" || plainFields(text[:end])
		}
		at += len(line)
	}
	return len(text), false, false
}

// plainFields reports whether no quote or brace in an expression can hide the end of a text.
func plainFields(text string) bool {
	return !anyField.MatchString(plainField.ReplaceAllString(text, ""))
}
