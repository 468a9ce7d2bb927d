package syntax

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// blockComments are the languages with comments that begin with "/*", but Go and Rust,
// where a comment of a line is usual.
var blockComments = map[string]bool{"js": true, "jvm": true, "c": true, "php": true}

// CodeLines are lines without their comments, where these stand in the usual places:
// before the code or behind it, or as a block whose lines begin with stars. What may be
// code stays.
func CodeLines(lang string, lines []string) []string {
	out := make([]string, len(lines))
	inside := false
	for i, line := range lines {
		if blockComments[lang] {
			line, inside = outsideBlock(line, inside)
		}
		if lang == "js" && strings.Contains(line, "${") { // JavaScript runs it inside a text
			out[i] = line
			continue
		}
		out[i] = line
		if comment := comments[lang]; comment != nil {
			if at := comment.FindIndex([]byte(line)); at != nil && !insideText(line[:at[0]]) {
				out[i] = line[:at[0]]
			}
		}
	}
	return out
}

// insideText reports whether a text in quotes may be open at the end of a line's beginning.
func insideText(begin string) bool {
	for _, quote := range []string{`"`, "'", "`"} {
		if strings.Count(begin, quote)%2 == 1 {
			return true
		}
	}
	return false
}

// outsideBlock removes the block comments with which a line begins. inside: the line before
// was a part of one.
func outsideBlock(line string, inside bool) (code string, still bool) {
	t := strings.TrimSpace(line)
	if strings.Contains(t, "${") {
		return line, false
	}
	inside = inside && strings.HasPrefix(t, "*")
	if !inside && !strings.HasPrefix(t, "/*") {
		return line, false
	}
	for inside || strings.HasPrefix(t, "/*") {
		if !inside {
			t = t[len("/*"):]
		}
		_, rest, ends := strings.Cut(t, "*/")
		if !ends {
			return "", true
		}
		t, inside = strings.TrimSpace(rest), false
	}
	return t, false
}

// WithoutComments is a text with the same lines and without comments in the usual places.
func WithoutComments(lang, text string) string {
	return strings.Join(CodeLines(lang, strings.Split(text, "\n")), "\n")
}

// LongestSource is the size of a source that is searched, in bytes.
const LongestSource = 512 << 10

// comments match the part of a line that is a comment, in the usual place; see CodeLines.
var comments = map[string]*lazyregexp.Regexp{
	"go": lazyregexp.New(`^\s*//\s.*|\s//\s.*`), "js": lazyregexp.New(`^\s*//.*|\s//\s.*`), "rust": lazyregexp.New(`^\s*//.*|\s//\s.*`),
	"jvm": lazyregexp.New(`^\s*//.*|\s//\s.*`), "c": lazyregexp.New(`^\s*//.*|\s//\s.*`), "php": lazyregexp.New(`^\s*(?://|#).*|\s//\s.*`),
	"python": lazyregexp.New(`^\s*#.*|\s#\s.*`), "ruby": lazyregexp.New(`^\s*#.*|\s#\s.*`), "perl": lazyregexp.New(`^\s*#.*|\s#\s.*`), "tcl": lazyregexp.New(`^\s*#.*`), "shell": lazyregexp.New(`^\s*#.*|\s#\s.*`),
}
