package planfile

import (
	"cmp"
	"slices"
	"strings"
)

// edits collects replacements in one text. They stand apart from each other;
// what is put in at one place keeps its order.
type edits struct {
	all []Edit
	// by are the numbers of those that may be asked for again, by what they are
	// about: the last word counts.
	by map[any]int
	// units are entries of a list that come together.
	units []string
}

// replace writes over a range; asked for the same range again, it is the later
// text.
func (e *edits) replace(from, to int, text string) {
	e.about([2]int{from, to}, Edit{At: from, Length: to - from, Text: text})
}

// about is an edit that a later one about the same thing takes the place of.
func (e *edits) about(what any, x Edit) {
	if e.by == nil {
		e.by = map[any]int{}
	}
	if n, ok := e.by[what]; ok {
		e.all[n] = x
		return
	}
	e.by[what] = len(e.all)
	e.all = append(e.all, x)
}

func (e *edits) insert(at int, text string) { e.all = append(e.all, Edit{At: at, Text: text}) }

// sorted are the edits in the order of the text, without those that change
// nothing.
func (e *edits) sorted(text string) []Edit {
	out := slices.DeleteFunc(slices.Clone(e.all), func(x Edit) bool { return text[x.At:x.At+x.Length] == x.Text })
	slices.SortStableFunc(out, func(a, b Edit) int { return cmp.Or(a.At-b.At, min(a.Length, 1)-min(b.Length, 1)) })
	return out
}

// apply makes the edits, which are sorted.
func apply(text string, all []Edit) string {
	var b strings.Builder
	at := 0
	for _, x := range all {
		b.WriteString(text[at:x.At])
		b.WriteString(x.Text)
		at = x.At + x.Length
	}
	b.WriteString(text[at:])
	return b.String()
}
