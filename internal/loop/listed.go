package loop

import (
	"strings"
	"unicode"
)

// listed names files in a sentence. An agent chooses their names, which can have line ends.
func listed(files []string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return unicode.ReplacementChar
		}
		return r
	}, strings.Join(files, ", "))
}
