package prompt

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Cuts fall between lines where one is near, else between characters, and say
// how much they left out.

func mark(n int) string { return fmt.Sprintf("[... %d bytes left out ...]", n) }

func keepTail(s string, most int) string {
	if len(s) <= most {
		return s
	}
	from := len(s) - most
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	if i := strings.IndexByte(s[from:], '\n'); s[from-1] != '\n' && i >= 0 && i < most/4 {
		from += i + 1
	}
	return mark(from) + "\n" + s[from:]
}

func keepHead(s string, most int) string {
	if len(s) <= most {
		return s
	}
	to := start(s, most)
	if i := strings.LastIndexByte(s[:to], '\n'); i > to*3/4 {
		to = i
	}
	return s[:to] + "\n" + mark(len(s)-to)
}

// keepEnds cuts the middle: two thirds of what stays are the beginning.
func keepEnds(s string, most int) string {
	if len(s) <= most {
		return s
	}
	to, from := start(s, most*2/3), len(s)-most/3
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return s[:to] + "\n" + mark(from-to) + "\n" + s[from:]
}

// keepStart is for one line.
func keepStart(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:start(s, most)] + "…"
}

// start is the largest boundary of characters that is at most n.
func start(s string, n int) int {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}
