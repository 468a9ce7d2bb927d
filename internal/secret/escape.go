package secret

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescaped returns a line with the escapes of JSON texts decoded, and false where it
// has none.
func unescaped(line string) (view, bool) {
	w := viewer{line: line}
	for i := 0; i < len(line); {
		n := strings.IndexByte(line[i:], '\\')
		if n < 0 {
			break
		}
		i += n
		plain, length := escape(line[i:])
		if length > 1 {
			w.put(i, i+length, plain)
		}
		i += length
	}
	return w.view()
}

// escape returns what the escape means with which s begins, and its length: 1 where
// it is none.
func escape(s string) (string, int) {
	if len(s) < 2 {
		return s, 1
	}
	if i := strings.IndexByte(`"\/bfnrt`, s[1]); i >= 0 {
		return "\"\\/\b\f\n\r\t"[i : i+1], 2
	}
	unit, ok := codeUnit(s)
	if !ok {
		return s[:1], 1
	}
	if low, ok := codeUnit(s[6:]); ok && utf16.IsSurrogate(unit) {
		if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
			return string(r), 12
		}
	}
	return string(unit), 6
}

// codeUnit reads \u and four hexadecimal digits.
func codeUnit(s string) (rune, bool) {
	if len(s) < 6 || s[:2] != `\u` {
		return 0, false
	}
	unit := rune(0)
	for _, c := range []byte(s[2:6]) {
		digit := strings.IndexByte("0123456789abcdef", lower(c))
		if digit < 0 {
			return 0, false
		}
		unit = unit<<4 | rune(digit)
	}
	return unit, true
}
