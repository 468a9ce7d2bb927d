package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean makes text that came from elsewhere (agents, test runners, tasks, file
// names) safe to show. Such text can move a terminal's cursor, set its title,
// fill its clipboard, reverse the reading direction or hide words from people
// that a model still reads. Clean leaves printable text, line feeds and tabs;
// invalid UTF-8 is replaced, and every kind of line end becomes "\n".
//
// It never swallows what it cannot parse: an escape sequence without an end
// loses its introducer only, so that no evidence can be hidden behind one.
func Clean(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if skip := sequence(s[i:], r, n); skip > 0 {
			i += skip
			continue
		}
		if r == '\r' && strings.HasPrefix(s[i+n:], "\n") {
			i += n
			continue
		}
		if isBreak(r) {
			b.WriteByte('\n')
		} else if keep(r) {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// Line is Clean on one line, with runs of white space made one space.
func Line(s string) string { return strings.Join(strings.Fields(Clean(s)), " ") }

// SpacedLine is Line with the spaces within each line as they are: in a quoted example two of
// them may be what it is about.
func SpacedLine(s string) string {
	var lines []string
	for line := range strings.SplitSeq(Clean(s), "\n") {
		if line = strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " ")
}

func isBreak(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029'
}

// keep reports whether r is shown. Joiners stay, since scripts and emoji need
// them; tags and the other selectors only ever hide text.
func keep(r rune) bool {
	switch {
	case r == '\t':
		return true
	case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r):
		return false
	case r == '\u00AD', r == '\u180E', r == '\u200B', r == '\uFEFF':
		return false
	case r >= '\u2060' && r <= '\u206F', r >= '\uFFF9' && r <= '\uFFFB':
		return false
	case r >= '\U000E0000' && r <= '\U000E0FFF':
		return false
	}
	return true
}
