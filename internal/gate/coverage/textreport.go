package coverage

import (
	"errors"
	"strconv"
	"strings"

	"ralph/internal/gate/text"
	"ralph/internal/lazyregexp"
)

// errSeveral is returned when the output has a percentage for each package and no
// total. An average would weigh a package of ten lines like one of ten thousand.
var errSeveral = errors.New("it gives a percentage for each of several packages and no total: write a profile (-coverprofile) and name it as the report")

var (
	goTotal = lazyregexp.New(`^total:\s+\(statements\)\s+(\S+)$`)
	// go test -cover: on the line of the package, and with -v or on a failure
	// on a line of its own before it.
	goPackage = lazyregexp.New(`^(ok  \t\S+\t\S+\s+|\t\S+\t\t)coverage: (\S+) of statements`)
	goBare    = lazyregexp.New(`^coverage: (\S+) of statements`)
	// Istanbul's table: File | % Stmts | % Branch | % Funcs | % Lines | …
	allFiles = lazyregexp.New(`^\s*All files\s*\|\s*\S+\s*\|\s*\S+\s*\|\s*\S+\s*\|\s*(\S+)\s*(?:\||$)`)
	// Istanbul's text-summary: Lines        : 85.71% ( 12/14 )
	linesOf = lazyregexp.New(`^Lines\s*: (\S+)\s*(?:\( *(\d+)/(\d+) *\))?`)
	// coverage.py: TOTAL  stmts miss [branch partial] cover%
	pyTotal = lazyregexp.New(`^TOTAL\s+(\d+)\s+(\d+)(?:\s+\d+\s+\d+)?\s+(\S+)%$`)
	// cargo tarpaulin: 71.20% coverage, 10/14 lines covered
	tarpaulin = lazyregexp.New(`^(\S+)% coverage, (\d+)/(\d+) lines covered`)
)

// Text finds the total coverage among the lines that a command prints. The
// zero value is ready.
type Text struct {
	total    *Value
	err      error
	packages int
	percent  string // of the last package
	bare     string // of a package whose own line is still to come
}

// Line takes the next plain line. The last total counts.
func (t *Text) Line(s string) {
	switch {
	case len(s) > 1000:
	case strings.Contains(s, "coverage"), strings.Contains(s, "total:"), strings.Contains(s, "All files"),
		strings.HasPrefix(s, "Lines"), strings.HasPrefix(s, "TOTAL"), strings.HasPrefix(s, "FAIL\t"):
		t.match(s)
	}
}

func (t *Text) match(s string) {
	if m := goTotal.FindStringSubmatch(s); m != nil {
		t.take("go tool cover", m[1], "", "")
	} else if m := goPackage.FindStringSubmatch(s); m != nil {
		t.addPackage(m[2])
	} else if m := goBare.FindStringSubmatch(s); m != nil {
		t.bare = m[1]
	} else if strings.HasPrefix(s, "FAIL\t") && t.bare != "" {
		t.addPackage(t.bare)
	} else if m := allFiles.FindStringSubmatch(s); m != nil {
		t.take("Istanbul table", m[1], "", "")
	} else if m := linesOf.FindStringSubmatch(s); m != nil {
		t.take("Istanbul text", m[1], m[2], m[3])
	} else if m := pyTotal.FindStringSubmatch(s); m != nil {
		t.python(m)
	} else if m := tarpaulin.FindStringSubmatch(s); m != nil {
		t.take("tarpaulin", m[1], m[2], m[3])
	}
}

func (t *Text) addPackage(pct string) {
	t.packages++
	t.percent, t.bare = pct, ""
}

// python: line coverage from the counts, since with branches the percentage is
// a mixture.
func (t *Text) python(m []string) {
	stmts, err := strconv.ParseInt(m[1], 10, 64)
	missed, err2 := strconv.ParseInt(m[2], 10, 64)
	if err != nil || err2 != nil || missed > stmts {
		t.total, t.err = nil, errors.New("TOTAL: impossible counts")
		return
	}
	t.take("coverage.py", m[3], strconv.FormatInt(stmts-missed, 10), m[1])
}

func (t *Text) take(format, pct, covered, total string) {
	v, err := percent(pct)
	if err == nil && total != "" {
		c, _ := strconv.ParseInt(covered, 10, 64)
		n, _ := strconv.ParseInt(total, 10, 64)
		v, err = ratio(c, n)
	}
	t.total, t.err = nil, err
	if err == nil {
		t.total = &Value{Percent: v, Format: format}
	}
}

// Value returns the coverage in the lines, or ErrUnknown when there is none.
func (t *Text) Value() (Value, error) {
	if t.bare != "" {
		t.addPackage(t.bare)
	}
	switch {
	case t.err != nil:
		return Value{}, t.err
	case t.total != nil:
		return *t.total, nil
	case t.packages == 0:
		return Value{}, ErrUnknown
	case t.packages > 1:
		return Value{}, errSeveral
	}
	v, err := percent(t.percent)
	return Value{Percent: v, Format: "go test"}, err
}

func textReport(data []byte) (float64, error) {
	v, err := readText(data)
	return v.Percent, err
}

func readText(data []byte) (Value, error) {
	var t Text
	l := text.Lines{Each: func(line []byte, _ int64) { t.Line(text.Plain(line)) }}
	_, _ = l.Write(data)
	l.Flush()
	return t.Value()
}
