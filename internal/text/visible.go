package text

import (
	"fmt"
	"strings"
)

// Visible is Clean for a patch. Clean turns a carriage return or a line separator inside of
// a line into a line feed, so that what stands after it looks like another line of the
// patch, one that was there before or a forged one. Visible writes each character that
// Clean drops or takes for a line end by its symbol or number: ␍, ␛, \u2028. Lines end with
// "\n" only; the carriage return of "\r\n" is dropped.
func Visible(patch string) string {
	patch = strings.ToValidUTF8(patch, "\uFFFD")
	if !strings.ContainsFunc(patch, hidden) {
		return patch
	}
	var b strings.Builder
	b.Grow(len(patch))
	for i, r := range patch {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r == '\r' && strings.HasPrefix(patch[i+1:], "\n"):
		case r < ' ':
			b.WriteRune('\u2400' + r)
		case r == '\x7f':
			b.WriteRune('\u2421')
		case r <= '\uffff':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// Name is Visible for the name of a file, or a line that holds some, on one line: a line
// feed is written as ␊. Two names that differ stay different.
func Name(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(Visible(strings.ReplaceAll(s, "\r\n", "\u240D\n")), "\n", "\u240A"), "\t", "\u2409")
}

func hidden(r rune) bool { return r != '\n' && (isBreak(r) || !keep(r)) }
