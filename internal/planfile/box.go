package planfile

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// box is a line with a checkbox.
type box struct {
	indent int // columns before the mark; a tab counts four
	done   bool
	text   string
}

var boxPattern = lazyregexp.New(`^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX~/-])\][ \t]+(\S.*)$`)

// boxOf reads a checkbox. Marks other than an x are work that is left: begun,
// queued.
func boxOf(l line) (box, bool) {
	if l.code {
		return box{}, false
	}
	m := boxPattern.FindStringSubmatch(l.text)
	if m == nil {
		return box{}, false
	}
	return box{
		indent: indent(m[1]), done: m[2] == "x" || m[2] == "X", text: strings.TrimSpace(m[3]),
	}, true
}

func indent(space string) int { return len(space) + 3*strings.Count(space, "\t") }

// boxes are all of them.
func boxes(lines []line) (all []box) {
	for _, l := range lines {
		if b, ok := boxOf(l); ok {
			all = append(all, b)
		}
	}
	return all
}

// ticked: there are boxes, and all of them are done.
func ticked(all []box) bool {
	for _, b := range all {
		if !b.done {
			return false
		}
	}
	return len(all) > 0
}
