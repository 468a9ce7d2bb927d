package syntax

import (
	"bytes"
	"strings"

	"ralph/internal/lazyregexp"
)

// A search by lines must end them where the language does: a comment of Python ends at a
// carriage return, and what stands after it is code.

// lineEnds match where a language ends a line, besides "\n" and "\r\n". In others these
// characters are space or a mistake.
var lineEnds = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`\r`),
	"js":     lazyregexp.New(`[\r\x{2028}\x{2029}]`),
	"jvm":    lazyregexp.New(`[\r\f\x1a]`), // the last two in Scala
	"c":      lazyregexp.New(`\r`),         // in clang
	"php":    lazyregexp.New(`\r`),
	"tcl":    lazyregexp.New(`\r`),
}

// InLines is a source whose lines end with "\n" only.
func InLines(lang string, source []byte) string {
	text := strings.ReplaceAll(string(source), "\r\n", "\n")
	if ends := lineEnds[lang]; ends != nil {
		text = ends.ReplaceAllString(text, "\n")
	}
	return text
}

// OddEnds matches a character that ends a line for a language, an editor or a terminal and
// not in a difference. At the end of its line it hides nothing.
var OddEnds = lazyregexp.New(`(?:\r+|[\v\x{85}\x{2028}\x{2029}])[^\r\n]`)

// OnlyCarriage reports whether all lines of a text end with a carriage return. Such a file of
// the base may keep them.
func OnlyCarriage(text []byte) bool {
	return bytes.Contains(text, []byte("\r")) && !bytes.Contains(text, []byte("\n"))
}

// IsLineEnd reports whether a reader of text may take a character for the end of a line.
func IsLineEnd(r rune) bool {
	return strings.ContainsRune("\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029", r)
}

// NewPart is a text without its old lines, but for imports: each leaves an empty one.
func NewPart(text string, old map[string]bool) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if old[strings.TrimSpace(line)] && !strings.Contains(line, "import") && !strings.Contains(line, "require") {
			line = "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// AddLines adds the lines of a text to a set, without the blanks around them.
func AddLines(lines map[string]bool, text string) {
	for line := range strings.Lines(text) {
		lines[strings.TrimSpace(line)] = true
	}
}
