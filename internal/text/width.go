package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns the number of columns that cleaned text takes on a terminal.
func Width(s string) int { return ansi.StringWidth(s) }

// Cut shortens a cleaned line to at most n columns and marks the cut with "…".
func Cut(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	return strings.TrimRight(ansi.Truncate(s, n-1, ""), " ") + "…"
}

// Clip shortens foreign text to one line of at most n columns. Of a long text it reads
// no more than its beginning.
func Clip(s string, n int) string { return Cut(Line(Head(s, 8*n)), n) }

// Headline returns the first line of a foreign text, at most n columns of it.
func Headline(s string, n int) string {
	return Clip(FirstLine(strings.TrimSpace(Clean(Head(s, 8*n)))), n)
}

// LastLine returns the last line of a foreign text that is not blank, at most n
// columns of it.
func LastLine(s string, n int) string {
	s = strings.TrimSpace(Clean(s))
	return Clip(s[strings.LastIndexByte(s, '\n')+1:], n)
}

// Pad fills cleaned text with spaces up to n columns.
func Pad(s string, n int) string { return s + strings.Repeat(" ", max(0, n-Width(s))) }

// Wrap breaks foreign text into lines of at most n columns, between words where
// it can. The last of most lines is cut; most 0 is as many as it takes. Several spaces stay
// within a line, since code has them.
func Wrap(s string, n, most int) []string {
	s = SpacedLine(s)
	var out []string
	for Width(s) > n && (most <= 0 || len(out) < most-1) {
		to := fitting(s, n)
		out = append(out, strings.TrimRight(s[:to], " "))
		s = strings.TrimLeft(s[to:], " ")
	}
	return append(out, Cut(s, n))
}

// fitting returns the length of the beginning of s that fits n columns: up to a
// space, or else as many characters as fit, but one at least.
func fitting(s string, n int) int {
	fits := len(ansi.Truncate(s, n, ""))
	if fits < len(s) && s[fits] == ' ' {
		return fits
	}
	if space := strings.LastIndexByte(s[:fits], ' '); space > 0 {
		return space
	}
	if fits == 0 {
		_, fits = utf8.DecodeRuneInString(s)
	}
	return fits
}

// WrapWords breaks foreign text at its spaces into lines of at most n columns;
// a word that is longer, such as a path, stays whole. Several spaces stay within a line.
func WrapWords(s string, n int) []string {
	var out []string
	for s = SpacedLine(s); s != ""; {
		rest := strings.TrimLeft(s, " ")
		gap := s[:len(s)-len(rest)]
		word, _, _ := strings.Cut(rest, " ")
		s = rest[len(word):]
		if last := len(out) - 1; last >= 0 && Width(out[last])+len(gap)+Width(word) <= n {
			out[last] += gap + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// Head returns the beginning of s: at most n bytes of whole characters, with
// "…" as the last where something is missing.
func Head(s string, n int) string {
	const mark = "…"
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	return s[:Boundary(s, max(n-len(mark), 0))] + mark
}

// Tail returns the end of s: at most n bytes of whole characters, with "…" as the first
// where something is missing.
func Tail(s string, n int) string {
	const mark = "…"
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= n {
		return s
	}
	from := len(s) - max(n-len(mark), 0)
	for from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	return mark + s[from:]
}

// Middle returns a text of at most n lines: of a longer one the first and the last, and
// how many are missing between them.
func Middle(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\r\n"), "\n")
	if len(lines) <= n {
		return strings.Join(lines, "\n")
	}
	cut := fmt.Sprintf("[... %d lines truncated ...]", len(lines)-n)
	return strings.Join(slices.Concat(lines[:n/2], []string{cut}, lines[len(lines)-n/2:]), "\n")
}

// Boundary returns the largest index that is at most n and at which a character
// of s begins. n is less than the length of s.
func Boundary(s string, n int) int {
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

// FirstLine returns s up to its first line feed.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// Indent hangs the lines of a foreign text n columns in, but not the first.
func Indent(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(Clean(s)), "\n")
	return strings.Join(lines, "\n"+strings.Repeat(" ", n))
}
