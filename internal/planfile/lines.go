package planfile

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// line is one line of Markdown, without its line break.
type line struct {
	text string
	n    int // from 1
	// at is the offset of the line in the file, raw its unchanged text.
	at  int
	raw string
	// code marks lines in a fenced block or a comment, where nothing is markup.
	code bool
	// heading is the level of an ATX heading, 0 for none; title its text.
	heading int
	title   string
}

// scan splits Markdown into lines and marks what is code, comment or heading.
// The first skip lines are no Markdown.
func scan(text string, skip int) []line {
	var out []line
	var fence string
	comment := false
	n, at := 0, 0
	for raw := range strings.Lines(text) {
		n, at = n+1, at+len(raw)
		if n <= skip {
			continue
		}
		l := line{text: strings.TrimRight(raw, "\r\n"), n: n, at: at - len(raw)}
		l.raw = l.text
		switch {
		case fence != "":
			l.code = true
			if closes(l.text, fence) {
				fence = ""
			}
		case comment:
			l.code = true
			comment = !strings.Contains(l.text, "-->")
		default:
			if fence = opens(l.text); fence != "" {
				l.code = true
				break
			}
			l.text, comment = uncommented(l.text)
			l.heading, l.title = heading(l.text)
		}
		out = append(out, l)
	}
	return out
}

// opens returns the fence that a line opens: at least three backticks or tildes.
// Backticks followed by another one are code within a line.
func opens(s string) string {
	s = strings.TrimLeft(s, " \t")
	for _, mark := range []string{"`", "~"} {
		n := len(s) - len(strings.TrimLeft(s, mark))
		if n >= 3 && (mark == "~" || !strings.Contains(s[n:], "`")) {
			return s[:n]
		}
	}
	return ""
}

func closes(s, fence string) bool {
	s = strings.TrimSpace(s)
	return len(s) >= len(fence) && strings.Trim(s, fence[:1]) == ""
}

// uncommented removes comments from a line; open reports whether one continues on
// the next line.
func uncommented(s string) (rest string, open bool) {
	for {
		before, after, found := strings.Cut(s, "<!--")
		if !found {
			return s, false
		}
		_, behind, closed := strings.Cut(after, "-->")
		if !closed {
			return before, true
		}
		s = before + behind
	}
}

// offset converts an offset in the line's text, which has no comments, to one in
// the file.
func (l line) offset(of int) int {
	at := 0
	for rest := l.raw; ; {
		before, after, found := strings.Cut(rest, "<!--")
		if !found || of < len(before) {
			return l.at + at + of
		}
		_, behind, closed := strings.Cut(after, "-->")
		if !closed {
			return l.at + at + of
		}
		of -= len(before)
		at += len(rest) - len(behind)
		rest = behind
	}
}

// heading reads "## Title ##".
func heading(s string) (level int, title string) {
	rest := strings.TrimLeft(s, "#")
	level = len(s) - len(rest)
	if level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(rest)
	if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
		title = strings.TrimSpace(bare)
	}
	return level, title
}

// firstTitle returns the text of the first heading of level 1.
func firstTitle(lines []line) string {
	for _, l := range lines {
		if l.heading == 1 {
			return l.title
		}
	}
	return ""
}

// body joins lines, without blank lines at both ends.
func body(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return strings.Trim(b.String(), "\n")
}

// box is a line with a checkbox.
type box struct {
	indent int // columns before the mark; a tab counts four
	text   string
	// state is the byte between the brackets, at its offset in the file; -1 where
	// comments make it uncertain.
	state byte
	at    int
	n     int // the line
	// starred: a * follows the brackets, as for Kiro's optional tasks.
	starred bool
}

func (b box) done() bool { return b.state == 'x' || b.state == 'X' }

var boxPattern = lazyregexp.New(`^([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX~/-])\](\*?)[ \t]+(\S.*)$`)

// boxOf reads a checkbox. Marks other than x are open work: begun, queued.
func boxOf(l line) (box, bool) {
	if l.code || strings.IndexByte(l.text, '[') < 0 {
		return box{}, false
	}
	m := boxPattern.FindStringSubmatchIndex(l.text)
	if m == nil {
		return box{}, false
	}
	at := l.offset(m[4])
	if in := at - l.at; in < 1 || in+1 >= len(l.raw) || l.raw[in-1:in+2] != l.text[m[4]-1:m[5]+1] {
		at = -1
	}
	return box{
		indent: indent(l.text[m[2]:m[3]]), state: l.text[m[4]], at: at, n: l.n,
		starred: m[7] > m[6], text: strings.TrimSpace(l.text[m[8]:m[9]]),
	}, true
}

func indent(space string) int { return len(space) + 3*strings.Count(space, "\t") }

// boxes returns all checkboxes.
func boxes(lines []line) (all []box) {
	for _, l := range lines {
		if b, ok := boxOf(l); ok {
			all = append(all, b)
		}
	}
	return all
}

// ticked reports whether there are boxes and all of them are done.
func ticked(all []box) bool {
	for _, b := range all {
		if !b.done() {
			return false
		}
	}
	return len(all) > 0
}
