package testout

import (
	"slices"
	"strings"

	"ralph/internal/gate/text"
	"ralph/internal/lazyregexp"
)

// reader recognises one format. line gets plain text; report returns whether
// the format was seen at all.
type reader interface {
	line(s string)
	report() (Report, bool)
	// hits counts the lines that the reader took for its format's.
	hits() int
}

// Parser reads test results from lines. Make one with NewParser.
type Parser struct {
	readers []named
	lines   int
}

type named struct {
	format Format
	reader reader
	span   *span
}

// NewParser allows the given formats; Auto, or none, allows all.
func NewParser(allowed ...Format) *Parser {
	all := []named{
		{format: GoTest, reader: &goJSON{}},
		{format: GoTest, reader: &goText{}},
		{format: TAP, reader: &tap{}},
		{format: Node, reader: &nodeSpec{}},
		{format: Jest, reader: &jest{}},
		{format: Pytest, reader: &pytest{}},
		{format: Unittest, reader: &unittest{}},
		{format: Cargo, reader: &cargo{}},
		{format: Generic, reader: &generic{listing: listing{mocha: true}}},
	}
	if slices.Contains(allowed, Node) {
		allowed = append(allowed, TAP) // node --test prints TAP when piped, up to version 22
	}
	p := &Parser{}
	for _, n := range all {
		if len(allowed) == 0 || slices.Contains(allowed, Auto) || slices.Contains(allowed, n.format) {
			n.span = &span{}
			p.readers = append(p.readers, n)
		}
	}
	return p
}

// Known reports whether f is a known format.
func Known(f Format) bool {
	return slices.Contains([]Format{Auto, GoTest, TAP, Node, Pytest, Unittest, Cargo, Jest, Generic, JUnit}, f)
}

// maxExamined is how much of a line readers see that is not a JSON event; no
// runner's own lines are that long.
const maxExamined = 4 << 10

// shortest is the length of the shortest significant line ("...").
const shortest = 2

// startsWith is the cheap test of readers before they try their patterns on a
// line.
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
	p.lines++
	for _, n := range p.readers {
		before := n.reader.hits()
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
		if n.reader.hits() != before {
			n.span.include(p.lines)
		}
	}
}

// Parse reads a whole output.
func Parse(output []byte, allowed ...Format) (Report, bool) {
	p := NewParser(allowed...)
	l := text.Lines{Each: func(line []byte, _ int64) { p.Line(text.Plain(line)) }}
	_, _ = l.Write(output)
	l.Flush()
	return p.Report()
}

// firstError finds the first error among the lines of one failed test, and joins
// to it the few that carry its values: many runners print "not equal" on one line
// and the two sides below it.
type firstError struct {
	any    string
	error  string
	values int
	after  int
}

const (
	maxValues = 3
	valueNear = 6 // lines below the error in which its values are looked for
)

var valueLine = lazyregexp.New(`(?i)^\W*(expected|actual|got|want|received|left|right|error|but was|assertion)\b.{0,30}?[:=]|!==|!= | == |^[-+] ?\S|^E\s`)

var emptyPosition = lazyregexp.New(`^\S+?:\d+:?$`)

func (f *firstError) add(line string) {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
	case f.error != "":
		f.after++
		if f.after <= valueNear && f.values < maxValues && valueLine.MatchString(line) {
			f.error += " | " + clip(line)
			f.values++
		}
	case emptyPosition.MatchString(line):
	case text.ErrorLike(line):
		f.error = clip(line)
	case f.any == "":
		f.any = clip(line)
	}
}

func (f *firstError) String() string {
	if f.error != "" {
		return clip(f.error)
	}
	return f.any
}
