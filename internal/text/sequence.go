package text

import "strings"

// sequence is the length of the terminal sequence that s begins with, or 0.
// r is the first rune of s and n its length. Both forms are known: ESC and a
// letter, and the single C1 characters that mean the same.
func sequence(s string, r rune, n int) int {
	if begin := stringBegin(s, r, n); begin > 0 {
		return begin + payload(s[begin:])
	}
	switch r {
	case '\x1b':
		return escape(s)
	case '\u009b':
		return n + control(s[n:])
	}
	return 0
}

func escape(s string) int {
	if len(s) < 2 {
		return 1
	}
	switch c := s[1]; {
	case c == '[':
		return 2 + control(s[2:])
	case c >= 0x20 && c <= 0x2f:
		return intermediate(s)
	case c >= 0x30 && c <= 0x7e:
		return 2
	}
	return 1
}

// intermediate is ESC, bytes 0x20 to 0x2f, one final byte.
func intermediate(s string) int {
	i := 1 + span(s[1:], 0x20, 0x2f)
	if i < len(s) && s[i] >= 0x30 && s[i] <= 0x7e {
		return i + 1
	}
	return 1
}

// control is the length of parameters, intermediates and final byte of a
// control sequence; where no final byte follows it is what was understood.
func control(s string) int {
	i := span(s, 0x30, 0x3f)
	i += span(s[i:], 0x20, 0x2f)
	if i < len(s) && s[i] >= 0x40 && s[i] <= 0x7e {
		i++
	}
	return i
}

func span(s string, low, high byte) int {
	i := 0
	for i < len(s) && s[i] >= low && s[i] <= high {
		i++
	}
	return i
}

// stringBegin returns the length of the mark that begins a string (title, link,
// clipboard), or 0 where s, whose first rune is r of n bytes, begins with none.
func stringBegin(s string, r rune, n int) int {
	switch {
	case r == '\x1b' && len(s) > 1 && strings.IndexByte(stringMarks, s[1]) >= 0:
		return 2
	case strings.ContainsRune("\u0090\u0098\u009d\u009e\u009f", r):
		return n
	}
	return 0
}

// stringMarks are the letters that begin a string after ESC.
const stringMarks = "]PX^_"

// payload is the length of a string (title, link, clipboard) with its
// terminator. It must end on its line, or it is not taken for one.
func payload(s string) int {
	for i := 0; i < len(s); i++ {
		switch rest := s[i:]; {
		case s[i] == '\n':
			return 0
		case s[i] == '\a':
			return i + 1
		case strings.HasPrefix(rest, "\x1b\\"), strings.HasPrefix(rest, "\u009c"):
			return i + 2
		}
	}
	return 0
}
