package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// The marks in the page around what this command writes.
const (
	markBegin = "<!-- Written by: make conformance -->\n"
	markEnd   = "<!-- End of what make conformance writes -->\n"
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
		if err := insert(b.write, page); err != nil {
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

// insert puts the table between the marks of a page.
func insert(file, table string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	page, err := between(string(data), table)
	if err != nil {
		return fmt.Errorf("write %s: %w", file, err)
	}
	return os.WriteFile(file, []byte(page), 0o644)
}

func between(page, table string) (string, error) {
	before, rest, begins := strings.Cut(page, markBegin)
	_, after, ends := strings.Cut(rest, markEnd)
	if !begins || !ends {
		return "", errors.New("it has no marks for the table")
	}
	return before + markBegin + "\n" + table + "\n" + markEnd + after, nil
}
