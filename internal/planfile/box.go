package planfile

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// box is a line with a checkbox.
type box struct {
	indent int // columns before the mark; a tab counts four
	text   string
	// state is what stands between the brackets, at the offset at of the file; -1
	// where comments make it uncertain.
	state byte
	at    int
	n     int // the line
	// starred: a * stands behind the brackets, which Kiro's optional tasks have.
	starred bool
}

func (b box) done() bool { return b.state == 'x' || b.state == 'X' }

var boxPattern = lazyregexp.New(`^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX~/-])\](\*?)[ \t]+(\S.*)$`)

// boxOf reads a checkbox. Marks other than an x are work that is left: begun,
// queued.
func boxOf(l line) (box, bool) {
	if l.code || strings.IndexByte(l.text, '[') < 0 {
		return box{}, false
	}
	m := boxPattern.FindStringSubmatchIndex(l.text)
	if m == nil {
		return box{}, false
	}
	at := l.offset(m[4])
	if in := at - l.at; in < 1 || in+1 >= len(l.raw) || l.raw[in-1:in+2] != l.text[m[4]-1:m[5]+1] {
		at = -1
	}
	return box{
		indent: indent(l.text[m[2]:m[3]]), state: l.text[m[4]], at: at, n: l.n,
		starred: m[7] > m[6], text: strings.TrimSpace(l.text[m[8]:m[9]]),
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
		if !b.done() {
			return false
		}
	}
	return len(all) > 0
}
