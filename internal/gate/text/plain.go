package text

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain returns a line as a terminal shows it: without escape sequences and
// control characters, in its last state after carriage returns, and as valid
// UTF-8. Indentation is kept.
func Plain(line []byte) string {
	if clean(line) {
		return strings.TrimRight(string(line), " \t")
	}
	s := stripEscapes(line)
	s = bytes.TrimRight(s, "\r")
	if i := bytes.LastIndexByte(s, '\r'); i >= 0 {
		s = s[i+1:]
	}
	return strings.TrimRight(strings.Map(printable, strings.ToValidUTF8(string(s), "\uFFFD")), " \t")
}

func clean(line []byte) bool {
	for _, c := range line {
		if c < 0x20 && c != '\t' || c == 0x7f {
			return false
		}
	}
	return utf8.Valid(line)
}

func printable(r rune) rune {
	if r == '\t' || !unicode.IsControl(r) {
		return r
	}
	return -1
}

// stripEscapes removes CSI, OSC and two-character escape sequences.
func stripEscapes(b []byte) []byte {
	if bytes.IndexByte(b, 0x1b) < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); {
		if b[i] != 0x1b {
			out = append(out, b[i])
			i++
			continue
		}
		i += escape(b[i:])
	}
	return out
}

// escape returns the length of the sequence at the start of b.
func escape(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] <= 0x7e {
				return i + 1
			}
		}
		return len(b)
	case ']':
		return osc(b)
	case '(', ')', '*', '+':
		return min(3, len(b))
	}
	return 2
}

// osc ends with BEL or ESC \; an unterminated one takes the line.
func osc(b []byte) int {
	for i := 2; i < len(b); i++ {
		if b[i] == 0x07 {
			return i + 1
		}
		if b[i] == 0x1b && i+1 < len(b) && b[i+1] == '\\' {
			return i + 2
		}
	}
	return len(b)
}
