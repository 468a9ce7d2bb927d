package view

import (
	"slices"
	"strings"

	"ralph/internal/text"
)

// Fold breaks the lines of a Markdown page between words, for a terminal of this width.
// Tables become columns that fit; commands and indented output stay whole.
func Fold(page string, width int) string {
	var out, table []string
	flush := func() {
		out = append(out, foldTable(table, width)...)
		table = nil
	}
	for line := range strings.SplitSeq(page, "\n") {
		if strings.HasPrefix(line, "|") {
			table = append(table, line)
			continue
		}
		flush()
		out = append(out, foldLine(line, width)...)
	}
	flush()
	return strings.Join(out, "\n")
}

// foldLine breaks a line of text. The lines that follow stand below its text.
func foldLine(line string, width int) []string {
	body := strings.TrimLeft(line, " ")
	indent := len(line) - len(body)
	if text.Width(line) <= width || indent >= 4 {
		return []string{line}
	}
	under := indent
	if strings.HasPrefix(body, "- ") {
		under += 2
	}
	var out []string
	for i, word := range unbroken(body, width-under) {
		last := len(out) - 1
		switch {
		case i == 0:
			out = append(out, strings.Repeat(" ", indent)+word)
		case text.Width(out[last])+1+text.Width(word) <= width || out[last] == strings.Repeat(" ", indent)+"-":
			out[last] += " " + word
		default:
			out = append(out, strings.Repeat(" ", under)+word)
		}
	}
	return out
}

// unbroken are the words of a line. Code that is a command, or that fits a line of its
// own, is one word.
func unbroken(line string, width int) []string {
	var out []string
	for i, part := range strings.Split(line, "`") {
		if code := i%2 == 1; code && (isCommand(part) || text.Width(part)+2 <= width/2) {
			out = glue(out, "`"+part+"`")
			continue
		} else if code {
			part = "`" + part + "`"
		}
		words := strings.Split(part, " ")
		out = glue(out, words[0])
		out = append(out, words[1:]...)
	}
	return slices.DeleteFunc(out, func(w string) bool { return w == "" })
}

// glue appends to the last word what follows it without a space.
func glue(words []string, s string) []string {
	if len(words) == 0 {
		return []string{s}
	}
	words[len(words)-1] += s
	return words
}

func isCommand(code string) bool {
	return strings.HasPrefix(code, "ralph ") || strings.HasPrefix(code, "git ")
}

// leastColumn is the width below which a column is not narrowed.
const leastColumn = 8

// foldTable aligns the rows of a table, and breaks what is in the widest columns.
func foldTable(rows []string, width int) (out []string) {
	var cells [][]string
	var widths []int
	for _, row := range rows {
		c := cellsOf(row)
		cells = append(cells, c)
		for i, words := range c {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if !isRule(words) {
				widths[i] = max(widths[i], text.Width(words))
			}
		}
	}
	fitColumns(widths, width-3*len(widths)-1)
	for _, row := range cells {
		out = append(out, foldRow(row, widths)...)
	}
	return out
}

// fitColumns narrows columns from the widest until all of them fit.
func fitColumns(widths []int, available int) {
	for sum := 0; len(widths) > 0; sum = 0 {
		for _, w := range widths {
			sum += w
		}
		widest := slices.Index(widths, slices.Max(widths))
		if sum <= available || widths[widest] <= leastColumn {
			return
		}
		widths[widest]--
	}
}

func foldRow(row []string, widths []int) (out []string) {
	lines, most := make([][]string, len(row)), 1
	for i, words := range row {
		if isRule(words) {
			words = strings.Repeat("-", widths[i])
		}
		lines[i] = text.Wrap(words, widths[i], 0)
		most = max(most, len(lines[i]))
	}
	for n := range most {
		line := "|"
		for i := range row {
			words := ""
			if n < len(lines[i]) {
				words = lines[i][n]
			}
			line += " " + text.Pad(words, widths[i]) + " |"
		}
		out = append(out, line)
	}
	return out
}

// cellsOf are the cells of a row. A bar in a cell has a backslash before it.
func cellsOf(row string) (out []string) {
	cell := ""
	for i, r := range strings.Trim(row, " ") {
		switch {
		case i == 0:
		case r == '|' && !strings.HasSuffix(cell, `\`):
			out, cell = append(out, strings.TrimSpace(cell)), ""
		default:
			cell += string(r)
		}
	}
	return out
}

func isRule(cell string) bool { return cell != "" && strings.Trim(cell, "-") == "" }
