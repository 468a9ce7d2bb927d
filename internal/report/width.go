package report

import (
	"cmp"
	"strings"
	"unicode"
)

// wide lists the ranges that terminals show in two columns: East Asian wide
// and full-width characters and emoji.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x1100, 0x115f, 1},
		{0x2e80, 0x303e, 1},
		{0x3041, 0xa4cf, 1},
		{0xac00, 0xd7a3, 1},
		{0xf900, 0xfaff, 1},
		{0xfe30, 0xfe6f, 1},
		{0xff00, 0xff60, 1},
		{0xffe0, 0xffe6, 1},
	},
	R32: []unicode.Range32{
		{0x1f300, 0x1f64f, 1},
		{0x1f680, 0x1f6ff, 1},
		{0x1f900, 0x1f9ff, 1},
		{0x1fa70, 0x1faff, 1},
		{0x20000, 0x3fffd, 1},
	},
}

// columns is how wide cleaned text is on a terminal.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n += runeColumns(r)
	}
	return n
}

func runeColumns(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}

// clip shortens foreign text to one line of at most n columns.
func clip(s string, n int) string { return cut(line(s), n) }

// cut is clip for a cleaned line whose spaces mean something.
func cut(s string, n int) string {
	if columns(s) <= n {
		return s
	}
	used := 0
	for i, r := range s {
		if used += runeColumns(r); used > n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
	}
	return s
}

// wrap breaks foreign text into at most lines lines of n columns, between
// words where it can; the last one is clipped.
func wrap(s string, n, lines int) []string {
	s = line(s)
	var out []string
	for len(out) < lines-1 && columns(s) > n {
		to := fitting(s, n)
		out = append(out, strings.TrimRight(s[:to], " "))
		s = strings.TrimLeft(s[to:], " ")
	}
	return append(out, cut(s, n))
}

// fold breaks cleaned text at its spaces into lines of at most n columns, as many
// as there are; a word that is longer, such as a path, is left whole.
func fold(s string, n int) []string {
	var out []string
	for word := range strings.FieldsSeq(line(s)) {
		if last := len(out) - 1; last >= 0 && columns(out[last])+1+columns(word) <= n {
			out[last] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

// fitting is the length of the beginning of s that fits n columns.
func fitting(s string, n int) int {
	used, space := 0, 0
	for i, r := range s {
		if r == ' ' {
			space = i + 1
		}
		if used += runeColumns(r); used > n {
			return cmp.Or(space, i, len(string(r)))
		}
	}
	return len(s)
}

// pad fills cleaned text up to n columns.
func pad(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-columns(s)))
}
