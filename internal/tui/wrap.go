package tui

import (
	"cmp"
	"strings"
)

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
