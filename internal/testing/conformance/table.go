package main

import (
	"fmt"
	"os"
	"strings"

	"ralph/internal/testing/marks"
)

// tell prints the table, and returns an error if a case failed.
func (b *bench) tell(results map[key]result) error {
	page := b.table(results)
	wrong := 0
	for _, r := range results {
		wrong += min(len(r.wrong), 1)
	}
	fmt.Fprintf(os.Stdout, "%s\n%d passed, %d failed\n", page, len(results)-wrong, wrong)
	if b.write != "" {
		if err := marks.Insert(b.write, "make conformance", page); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return fmt.Errorf("%d of %d cases are not as they should be", wrong, len(results))
	}
	if b.keep {
		fmt.Fprintln(os.Stderr, "kept:", b.dir)
		return nil
	}
	return os.RemoveAll(b.dir)
}

// table has a row for each case and a column for each agent.
func (b *bench) table(results map[key]result) string {
	var out strings.Builder
	out.WriteString("| |")
	for _, c := range b.clients() {
		fmt.Fprintf(&out, " %s %s |", c.title, c.version)
	}
	out.WriteString("\n|---|" + strings.Repeat("---|", len(b.clients())) + "\n")
	for _, t := range b.trials() {
		fmt.Fprintf(&out, "| %s |", t.title)
		for _, c := range b.clients() {
			r := results[key{c.name, t.name}]
			cell := r.cell
			if len(r.wrong) > 0 {
				cell = "**not as it should be**: " + cell
			}
			fmt.Fprintf(&out, " %s |", cell)
		}
		out.WriteString("\n")
	}
	return out.String()
}
