package main

import (
	"fmt"
	"strings"
)

// page is docs/benchmarks.md.
type page struct {
	machine machine
	date    string
	quick   bool
	rows    []row
}

const opening = `# Benchmarks

<!-- Written by: make bench -->

Each number stands beside its floor: what the same work costs without ralph, measured in the same run, in turns with
it. Cells are the median, then the smallest and the largest. ` + "`go run ./internal/testing/bench -h`" + ` tells how to measure
one group only. Nothing here is a test; a busy machine makes both columns slower.

`

func (p page) String() string {
	var b strings.Builder
	b.WriteString(opening)
	p.machine.write(&b)
	if p.date != "" {
		fmt.Fprintf(&b, "- date: %s\n", p.date)
	}
	if p.quick {
		b.WriteString("- quick run: fewer and smaller rounds than a full one\n")
	}
	b.WriteString("\n| what | floor | rounds | floor | ralph | ratio | target | reached |\n|---|---|---:|---:|---:|---:|---|---|\n")
	var notes []string
	for _, r := range p.rows {
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
