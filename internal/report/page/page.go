// Package page writes text for people in 80 columns, as plans and advice are
// shown: titles, and lines that are cleaned, wrapped between words and hung.
package page

import (
	"fmt"
	"strings"

	"ralph/internal/report/clean"
)

// Columns of every page.
const Columns = 80

// Page is a text that grows. What is written to it directly is the caller's own.
type Page struct{ strings.Builder }

// Head begins a part, behind a blank line.
func (p *Page) Head(s string) { fmt.Fprintf(p, "\n%s\n", s) }

// Line is one line of text that may be anybody's. It begins where the page
// stands, at column n, and what does not fit goes on below that column.
func (p *Page) Line(n int, s string) {
	for i, l := range wrap(clean.Line(s), Columns-n) {
		if i > 0 {
			p.WriteString(strings.Repeat(" ", n))
		}
		p.WriteString(l + "\n")
	}
}

// Count is a number of things: "1 task", "2 tasks".
func Count(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// wrap breaks a line between words where it can.
func wrap(s string, width int) []string {
	rest := []rune(s)
	var out []string
	for len(rest) > width {
		at := width
		for i := width; i > 0; i-- {
			if rest[i] == ' ' {
				at = i
				break
			}
		}
		out = append(out, strings.TrimRight(string(rest[:at]), " "))
		rest = []rune(strings.TrimLeft(string(rest[at:]), " "))
	}
	return append(out, string(rest))
}
