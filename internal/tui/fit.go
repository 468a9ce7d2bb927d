package tui

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"ralph/internal/text"
	"ralph/internal/view"
)

// maxMarks is how many combining marks may stand on one character. Scripts need
// three; more only hide or overflow what is around them.
const maxMarks = 3

// cells makes one line of text printable in a grid: it keeps only characters that
// take the same number of columns on all terminals. Without UTF-8 it keeps only
// ASCII, since other bytes may be commands there.
func cells(s string, ascii bool) string {
	if plain(s) {
		return s
	}
	if ascii {
		s = view.Palette{ASCII: true}.Out(s)
	}
	var b strings.Builder
	marks := 0
	for _, r := range text.Clean(s) {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks++; marks > maxMarks {
			continue
		}
		b.WriteString(cell(r, ascii))
	}
	return b.String()
}

// plain reports whether s is printable ASCII.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// cell is what stands for r. Characters that some terminals join with their
// neighbours and others do not lose that power: joiners and selectors go, flags
// become letters.
func cell(r rune, ascii bool) string {
	switch {
	case r == '\t':
		return "    "
	case r == '\n':
		return " "
	case r >= ' ' && r <= '~':
		return string(r)
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return string('A' + r - 0x1f1e6)
	case r >= 0x1f3fb && r <= 0x1f3ff, r >= 0xfe00 && r <= 0xfe0f, unicode.Is(unicode.Cf, r), unicode.IsControl(r):
		return ""
	case ascii && columns(r) == 0:
		return ""
	case ascii:
		return strings.Repeat("?", columns(r))
	}
	return string(r)
}

// columns is how many columns a terminal gives to r: the larger number where
// the two ways to count differ.
func columns(r rune) int {
	if r >= ' ' && r <= '~' {
		return 1
	}
	s := string(r)
	return max(ansi.StringWidthWc(s), ansi.StringWidth(s))
}

// width returns the columns of s. Our own colours take none.
func width(s string) int {
	n := 0
	for len(s) > 0 {
		if k := colour(s); k > 0 {
			s = s[k:]
			continue
		}
		r, k := decode(s)
		n += columns(r)
		s = s[k:]
	}
	return n
}

// fit is the last step of every line: at most w columns, and nothing in them
// but printable characters and colours.
func fit(s string, w int) string {
	if width(s) <= w && printable(s) {
		return s
	}
	var b strings.Builder
	for used := 0; len(s) > 0; {
		if k := colour(s); k > 0 {
			b.WriteString(s[:k])
			s = s[k:]
			continue
		}
		r, k := decode(s)
		if used += columns(r); used <= w && !unicode.IsControl(r) {
			b.WriteString(s[:k])
		}
		s = s[k:]
	}
	return b.String()
}

func printable(s string) bool {
	for len(s) > 0 {
		if k := colour(s); k > 0 {
			s = s[k:]
			continue
		}
		r, k := decode(s)
		if unicode.IsControl(r) {
			return false
		}
		s = s[k:]
	}
	return true
}

// clip shortens cleaned text without colours to w columns and marks the cut.
func clip(s string, w int, ascii bool) string {
	if width(s) <= w {
		return s
	}
	cut := "…"
	if ascii {
		cut = "~"
	}
	return strings.TrimRight(fit(s, max(w-1, 0)), " ") + fit(cut, w)
}

// pad fills s with spaces up to w columns.
func pad(s string, w int) string { return s + strings.Repeat(" ", max(w-width(s), 0)) }

// wrap breaks a line, which may be painted, into lines of at most w columns,
// between words where it can. What follows the first line hangs in as far as
// the first begins, and hang columns more, where that leaves room.
func wrap(s string, w, hang int) []string {
	indent := len(s) - len(strings.TrimLeft(s, " ")) + hang
	if indent > w/2 {
		indent = 0
	}
	var out []string
	for prefix := ""; ; prefix = strings.Repeat(" ", indent) {
		to := fitting(s, w-len(prefix))
		if to == len(s) {
			return append(out, prefix+s)
		}
		out = append(out, prefix+strings.TrimRight(s[:to], " "))
		if s = strings.TrimLeft(s[to:], " "); s == "" {
			return out
		}
	}
}

// fitting is the length of the beginning of s that takes at most w columns; all
// of s, or up to the last word that fits, or at least one character.
func fitting(s string, w int) int {
	used, space, words := 0, 0, false
	for i := 0; i < len(s); {
		if k := colour(s[i:]); k > 0 {
			i += k
			continue
		}
		r, k := decode(s[i:])
		if used += columns(r); used > w {
			if r == ' ' && words {
				space = i
			}
			return cmp.Or(space, i, k)
		}
		if i += k; r != ' ' {
			words = true
		} else if words {
			space = i
		}
	}
	return len(s)
}

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
