package loop

import (
	"strings"
	"unicode/utf8"
)

// escaped is how many bytes JSON adds to one of ASCII, as encoding/json writes it.
var escaped = func() (extra [utf8.RuneSelf]int) {
	for c := range extra {
		switch {
		case strings.ContainsRune("\"\\\n\r\t", rune(c)):
			extra[c] = 1
		case c < ' ', c == 0x7f, strings.ContainsRune("<>&", rune(c)):
			extra[c] = 5
		}
	}
	return extra
}()

// jsonBytes is at least the length of a text in JSON, without the quotes.
func jsonBytes(s string) int {
	n := len(s)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < utf8.RuneSelf {
			n += escaped[c]
			continue
		}
		switch r, width := utf8.DecodeRuneInString(s[i:]); {
		case r == utf8.RuneError && width == 1: // a byte that is no text
			n += 5
		default:
			i += width - 1
			n += 3 // of U+2028 and U+2029
		}
	}
	return n
}

func jsonList(lists ...[]string) (n int) {
	for _, list := range lists {
		for _, s := range list {
			n += jsonBytes(s) + 3
		}
	}
	return n
}
