package web

import (
	"html"
	"html/template"
	"strings"

	"ralph/internal/text"
)

// markdownHTML is the Markdown that an agent wrote: paragraphs, headings, lists, code
// and bold. All text is escaped first; links and images stay the text that they are,
// since a person copies an address that an agent chose, and does not click on it.
//
// A library for the whole language costs each start of the program 0.7 ms for its
// tables, and shows more than a question needs.
func markdownHTML(s string) template.HTML {
	var b, code strings.Builder
	fenced, listed, paragraph := false, false, false
	closeBlock := func() {
		if listed {
			b.WriteString("</ul>\n")
		}
		if paragraph {
			b.WriteString("</p>\n")
		}
		listed, paragraph = false, false
	}
	for line := range strings.Lines(text.Clean(s)) {
		line = strings.TrimRight(line, "\n")
		trimmed := strings.TrimSpace(line)
		switch item, isItem := itemOf(trimmed); {
		case strings.HasPrefix(trimmed, "```"):
			if closeBlock(); fenced {
				b.WriteString("<pre>" + code.String() + "</pre>\n")
				code.Reset()
			}
			fenced = !fenced
		case fenced:
			code.WriteString(html.EscapeString(line) + "\n")
		case trimmed == "":
			closeBlock()
		case strings.HasPrefix(trimmed, "#"):
			closeBlock()
			b.WriteString("<h3>" + spans(strings.TrimLeft(trimmed, "# ")) + "</h3>\n")
		case isItem:
			if !listed {
				closeBlock()
				b.WriteString("<ul>\n")
			}
			listed = true
			b.WriteString("<li>" + spans(item) + "</li>\n")
		default:
			if !paragraph {
				closeBlock()
				b.WriteString("<p>")
			} else {
				b.WriteString("<br>\n")
			}
			paragraph = true
			b.WriteString(spans(trimmed))
		}
	}
	closeBlock()
	if fenced {
		b.WriteString("<pre>" + code.String() + "</pre>\n")
	}
	return template.HTML(b.String()) //nolint:gosec // all foreign text in it is escaped
}

// itemOf returns the text of a line of a list.
func itemOf(line string) (string, bool) {
	for _, mark := range []string{"- ", "* "} {
		if item, ok := strings.CutPrefix(line, mark); ok {
			return item, true
		}
	}
	return "", false
}

// spans is a line as HTML, with code and bold.
func spans(s string) string {
	return marked(html.EscapeString(s), "`", "code", func(s string) string { return marked(s, "**", "b", func(s string) string { return s }) })
}

// marked puts what stands between two marks into a tag. rest is applied to all other
// text. Both work on escaped text, and add fixed tags only.
func marked(s, mark, tag string, rest func(string) string) string {
	var b strings.Builder
	for {
		before, after, opened := strings.Cut(s, mark)
		inner, behind, closed := strings.Cut(after, mark)
		if !opened || !closed || inner == "" {
			b.WriteString(rest(s))
			return b.String()
		}
		b.WriteString(rest(before) + "<" + tag + ">" + inner + "</" + tag + ">")
		s = behind
	}
}
