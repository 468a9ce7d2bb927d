package loop

import (
	"strings"
	"unicode"
)

// listed names files in a sentence. An agent chooses their names, which can have line ends.
func listed(files []string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || endsLine(r) {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(files, ", "))
}

// oneLine returns an agent's text on one line: it stands in a sentence of ralph's, or as an
// option in a list.
func oneLine(s string) string { return strings.Join(linesOf(s), " ") }

// quoted returns an agent's text for a question that continues below it: each further line is
// marked, so that it cannot pass as a line of ralph's.
func quoted(s string) string { return strings.Join(linesOf(s), "\n> ") }

// linesOf splits at every kind of line end, and leaves out empty lines.
func linesOf(s string) (all []string) {
	for _, l := range strings.FieldsFunc(s, endsLine) {
		if l = strings.TrimSpace(l); l != "" {
			all = append(all, l)
		}
	}
	return all
}

func endsLine(r rune) bool {
	return r >= '\n' && r <= '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}
