package text

import "strings"

// sequence is the length of the terminal sequence that s begins with, or 0.
// r is the first rune of s and n its length. Both forms are known: ESC and a
// letter, and the single C1 characters that mean the same.
func sequence(s string, r rune, n int) int {
	switch r {
	case '\x1b':
		return escape(s)
	case '\u009b':
		return n + control(s[n:])
	case '\u0090', '\u0098', '\u009d', '\u009e', '\u009f':
		return n + payload(s[n:])
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
	case strings.IndexByte("]PX^_", c) >= 0:
		return 2 + payload(s[2:])
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

// payload is the length of a string (title, link, clipboard) with its
// terminator. It must end on its line, or it is not taken for one.
func payload(s string) int {
	line, _, _ := strings.Cut(s, "\n")
	end := -1
	for _, t := range []string{"\a", "\x1b\\", "\u009c"} {
		if i := strings.Index(line, t); i >= 0 && (end < 0 || i+len(t) < end) {
			end = i + len(t)
		}
	}
	return max(end, 0)
}
