package text

import (
	"fmt"
	"strings"
)

// Columns is the width of a page.
const Columns = 80

// Page is text for people in 80 columns, as plans and advice are shown: titles,
// and lines that are cleaned, wrapped and indented. Text that is written to it
// directly is not cleaned.
type Page struct{ strings.Builder }

// Head begins a section after a blank line.
func (p *Page) Head(s string) { fmt.Fprintf(p, "\n%s\n", s) }

// Line writes foreign text. It begins at column n, where the page stands, and
// continues below that column.
func (p *Page) Line(n int, s string) {
	for i, l := range Wrap(s, Columns-n, 0) {
		if i > 0 {
			p.WriteString(strings.Repeat(" ", n))
		}
		p.WriteString(l + "\n")
	}
}
