package view

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// notes lists what is to be looked at; of work that passed, what accept asks about comes first.
func (l Loop) notes(b *strings.Builder, p Palette) {
	asked, others := l.askedAndNotes()
	list := func(label string, lines []string) {
		if len(lines) > 0 && label != "" {
			fmt.Fprintf(b, "  %s:\n", label)
		}
		for _, n := range lines {
			fmt.Fprintf(b, "  - %s\n", folded(n, 4, p.screen()))
		}
	}
	if l.Status != loop.StatusPassed {
		list("", l.LookTwice)
		return
	}
	list("accept asks you to confirm ("+askedCodes(l.Look)+")", asked)
	list("accept does not ask about", others)
}

// askedAndNotes splits what is to be looked at into what accept asks about and what it does not.
func (l Loop) askedAndNotes() (asked, others []string) {
	for _, n := range l.LookTwice {
		if slices.ContainsFunc(l.Look, func(c loop.Concern) bool { return c.What == n }) {
			asked = append(asked, n)
		} else {
			others = append(others, n)
		}
	}
	return asked, others
}
