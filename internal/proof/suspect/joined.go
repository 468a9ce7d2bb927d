package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// continued match where code continues in the next line: around the dot of an attribute,
// after an opening parenthesis and, in Python, after a backslash.
var continued = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`(?:\s|#[^\n]*\n|\\\n)*\.(?:\s|#[^\n]*\n|\\\n)*|[ \t]*\\\n[ \t]*|[(\[](?:[ \t]|#[^\n]*)*\n(?:\s|#[^\n]*\n)*`),
	"js":     lazyregexp.New(`(?:\s|//[^\n]*\n)*\??\.(?:\s|//[^\n]*\n)*|[(\[][ \t]*\n\s*`),
	"go":     lazyregexp.New(`\.(?:\s|//[^\n]*\n)+`),
}

// logicalLine is code that stands in several lines, as one. from is the first of them,
// counted from 0.
type logicalLine struct {
	text     string
	from, to int
}

// logicalLines are those of a text. A comment that ends with a dot may be taken for code,
// so that they are searched beside the lines, not in their place.
func logicalLines(lang, text string) (found []logicalLine) {
	pattern := continued[lang]
	if pattern == nil {
		return nil
	}
	var one strings.Builder
	line, start, last := 0, 0, 0
	end := func() {
		if line > start {
			found = append(found, logicalLine{one.String(), start, line})
		}
		one.Reset()
	}
	plain := func(part string) {
		for {
			before, after, ok := strings.Cut(part, "\n")
			one.WriteString(before)
			if !ok {
				return
			}
			end()
			line++
			start, part = line, after
		}
	}
	for _, at := range pattern.FindAllStringIndex(text, -1) {
		gap := text[at[0]:at[1]]
		breaks := strings.Count(gap, "\n")
		if breaks == 0 {
			continue
		}
		plain(text[last:at[0]])
		last = at[1]
		line += breaks
		switch {
		case strings.ContainsAny(gap[:1], "(["):
			one.WriteString(gap[:1])
		case strings.Contains(gap, "."):
			one.WriteString(".")
		default:
			one.WriteString(" ")
		}
	}
	plain(text[last:])
	end()
	return found
}

// suspectsJoined are the suspect lines of a text that only show when code which stands in
// several lines is read as one. At least one of them must be new.
func suspectsJoined(file, lang, text string, seen []suspicion, known map[string]bool) (out []Finding) {
	lines := strings.Split(text, "\n")
	for _, l := range logicalLines(lang, strings.Join(syntax.CodeLines(lang, lines), "\n")) {
		fresh := false
		for _, line := range lines[l.from : l.to+1] {
			fresh = fresh || !known[strings.TrimSpace(line)]
		}
		if what := suspect(seen, l.text, ""); fresh && what != "" {
			out = append(out, Finding{Path: file, Line: l.from + 1, What: what})
		}
	}
	return out
}
