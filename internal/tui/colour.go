package tui

import "unicode/utf8"

// colour is the length of the colour sequence that s begins with, or 0: ESC,
// "[", digits and semicolons, "m".
func colour(s string) int {
	if len(s) < 3 || s[0] != '\x1b' || s[1] != '[' {
		return 0
	}
	for i := 2; i < len(s) && i < 16; i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

func decode(s string) (rune, int) { return utf8.DecodeRuneInString(s) }

// ink paints our own words, where colours are wanted.
type ink bool

func (i ink) paint(code, s string) string {
	if !i || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (i ink) bold(s string) string { return i.paint("1", s) }
func (i ink) dim(s string) string  { return i.paint("2", s) }
func (i ink) bad(s string) string  { return i.paint("31", s) }
func (i ink) good(s string) string { return i.paint("32", s) }
func (i ink) ask(s string) string  { return i.paint("33", s) }
