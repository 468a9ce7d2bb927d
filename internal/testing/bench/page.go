package main

import (
	"fmt"
	"strings"
)

// section is the table of one group, with the machine and the load that it was
// measured under.
type section struct {
	machine machine
	// before and after are the load averages around the group.
	before, after string
	date          string
	quick         bool
	rows          []row
}

func (s section) String() string {
	var b strings.Builder
	if s.date != "" {
		fmt.Fprintf(&b, "%s, ", s.date)
	}
	fmt.Fprintf(&b, "%s; load average (1, 5, 15 minutes) %s before, %s after.", s.machine, s.before, s.after)
	if s.quick {
		b.WriteString(" A quick run: fewer and smaller rounds than a full one.")
	}
	b.WriteString("\n\n| what | floor | rounds | floor | ralph | ratio | target | reached |\n|---|---|---:|---:|---:|---:|---|---|\n")
	var notes []string
	for _, r := range s.rows {
		what := r.what
		if r.note != "" {
			notes = append(notes, r.note)
			what += fmt.Sprintf(" [%d]", len(notes))
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %s |\n",
			what, r.beside, len(r.ours), r.cell(r.floor), r.cell(r.ours), r.ratio(), r.target.text, r.reached())
	}
	for i, n := range notes {
		fmt.Fprintf(&b, "\n[%d] %s\n", i+1, n)
	}
	return b.String()
}
