package view

import (
	"strings"

	"ralph/internal/text"
)

// screen is the width at which texts of others are folded: that of a terminal. What programs
// read stays on its line.
func (p Palette) screen() int {
	if p.Width <= 0 {
		return unfolded
	}
	return p.width()
}

// hang folds the lines of a foreign text to width columns, of which the first at are taken; but
// not in the first line, whose beginning stands there.
func hang(s string, at, width int) string {
	var out []string
	for line := range strings.SplitSeq(strings.TrimSpace(text.Clean(s)), "\n") {
		out = append(out, foldedOrBlank(line, width-at)...)
	}
	return strings.Join(out, "\n"+strings.Repeat(" ", at))
}

// folded is hang for one line.
func folded(s string, at, width int) string { return hang(text.SpacedLine(s), at, width) }

// mostAsked and mostDetail are the lines of a question, and of another detail of a run or of
// the words of a task, in a list. The branch that keeps work is never cut.
const (
	mostAsked  = 6
	mostDetail = 3
)

// detailLines folds a detail of a run.
func detailLines(d string, room int) []string {
	switch {
	case strings.HasPrefix(d, keptOn):
		return text.WrapWords(d, room)
	case strings.HasPrefix(d, asksWords):
		return text.Wrap(d, room, mostAsked)
	}
	return text.Wrap(d, room, mostDetail)
}

// keptOn and asksWords begin details.
const (
	keptOn    = "kept on "
	asksWords = "asks: "
)
