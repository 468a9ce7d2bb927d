package text

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Exact returns a text on one line so that no two texts look alike: as it is where nothing
// in it is invisible, else in double quotes with the escapes of Go and JSON. A text that
// begins with a quote is quoted too. Letters that only resemble others stay.
func Exact(s string) string {
	if utf8.ValidString(s) && strings.TrimSpace(s) == s && !strings.HasPrefix(s, `"`) && !strings.ContainsFunc(s, unclear) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !unclear(r):
			b.WriteRune(r)
		case strings.ContainsRune("\n\r\t", r):
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		case r <= '\uffff':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// unclear reports whether a rune is invisible, looks like a space, or changes the place or
// the looks of others.
func unclear(r rune) bool {
	return !strconv.IsPrint(r) || hidden(r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r) || r == '\u2800'
}
