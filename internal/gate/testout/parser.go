package testout

import (
	"slices"
	"strings"

	"ralph/internal/gate/text"
)

// reader recognises one format. line gets plain text; report says whether the
// format was seen at all.
type reader interface {
	line(s string)
	report() (Report, bool)
}

// Parser reads test results from lines. Make one with NewParser.
type Parser struct {
	readers []named
}

type named struct {
	format Format
	reader reader
}

// NewParser allows the given formats; Auto, or none, allows all.
func NewParser(allowed ...Format) *Parser {
	all := []named{
		{GoTest, &goJSON{}},
		{GoTest, &goText{}},
		{TAP, &tap{}},
		{Node, &nodeSpec{}},
		{Jest, &jest{}},
		{Pytest, &pytest{}},
		{Unittest, &unittest{}},
		{Cargo, &cargo{}},
		{Generic, &generic{}},
	}
	if slices.Contains(allowed, Node) {
		allowed = append(allowed, TAP) // node --test prints TAP when piped, up to version 22
	}
	p := &Parser{}
	for _, n := range all {
		if len(allowed) == 0 || slices.Contains(allowed, Auto) || slices.Contains(allowed, n.format) {
			p.readers = append(p.readers, n)
		}
	}
	return p
}

// Known says whether f names a format that can be asked for.
func Known(f Format) bool {
	return slices.Contains([]Format{Auto, GoTest, TAP, Node, Pytest, Unittest, Cargo, Jest, Generic, JUnit}, f)
}

// maxExamined is how much of a line readers see that is no event in JSON; no
// runner's own lines are that long.
const maxExamined = 4 << 10

// shortest is the length of the shortest line that says anything ("...").
const shortest = 2

// startsWith is the cheap look that readers take at a line before they try
// their patterns on it.
func startsWith(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// Line takes the next line, as text.Plain left it. An event in JSON goes to
// the reader of events only.
func (p *Parser) Line(plain string) {
	if len(plain) < shortest {
		return
	}
	e, isEvent := parseGoEvent(plain)
	plain = plain[:min(len(plain), maxExamined)]
	for _, n := range p.readers {
		switch r := n.reader.(type) {
		case *goJSON:
			if isEvent {
				r.event(e)
			}
		default:
			if !isEvent {
				r.line(plain)
			}
		}
	}
}

// Report is the result of the format that reported most. The second result is
// false when nothing was recognised.
func (p *Parser) Report() (Report, bool) {
	var best Report
	found := false
	for _, n := range p.readers {
		r, ok := n.reader.report()
		if !ok || found && (n.format == Generic || weight(r) <= weight(best)) {
			continue
		}
		r = r.finish()
		r.Format = n.format
		best, found = r, true
	}
	return best, found
}

func weight(r Report) int { return max(r.Run, len(r.Failures)) + r.Skipped }

// Parse reads a whole output.
func Parse(output []byte, allowed ...Format) (Report, bool) {
	p := NewParser(allowed...)
	l := text.Lines{Each: func(line []byte, _ int64) { p.Line(text.Plain(line)) }}
	_, _ = l.Write(output)
	l.Flush()
	return p.Report()
}
