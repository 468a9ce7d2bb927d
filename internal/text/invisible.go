package text

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invisible returns the parts of s that take no place where s is shown, as their
// start and end: terminal sequences, control characters, and characters without a
// width. Line feeds, tabs, and carriage returns of line ends are none. Its time is
// linear in the length of s.
func Invisible(s string) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		open := 0 // where a line ends that has no end of a string ahead
		for i := candidate(s, 0); i < len(s); {
			r, n := utf8.DecodeRuneInString(s[i:])
			skip := 0
			if begin := stringBegin(s[i:], r, n); begin > 0 && i < open {
				skip = begin
			} else if skip = sequence(s[i:], r, n); begin > 0 && skip == begin {
				open = lineEnd(s, i)
			}
			if skip == 0 && invisible(r, s[i+n:]) {
				skip = n
			}
			if skip > 0 && !yield(i, i+skip) {
				return
			}
			i = candidate(s, i+max(skip, n))
		}
	}
}

// candidate returns where the next invisible part may begin, from i on.
func candidate(s string, i int) int {
	for i < len(s) && !mayBeInvisible[s[i]] {
		i++
	}
	return i
}

// mayBeInvisible has the bytes with which an invisible part may begin.
var mayBeInvisible = func() (table [256]bool) {
	for c := range byte(' ') {
		table[c] = c != '\t' && c != '\n'
	}
	for _, c := range "\x7f" + "\u00c2\u00cd\u00d8\u00db\u00dc\u00e0\u00e1\u00e2\u00e3\u00ef\u00f0\u00f3" {
		table[c] = true
	}
	return table
}()

// invisible reports whether r, which rest follows, takes no place.
func invisible(r rune, rest string) bool {
	switch {
	case r == '\t', r == '\n':
		return false
	case r == '\r':
		return !strings.HasPrefix(rest, "\n")
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return false
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// lineEnd returns where the line ends on which i is.
func lineEnd(s string, i int) int {
	if n := strings.IndexByte(s[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(s)
}
