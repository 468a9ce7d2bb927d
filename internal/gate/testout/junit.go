package testout

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// MaxJUnit is the size of a JUnit report above which it is not read.
const MaxJUnit = 64 << 20

// maxDepth bounds nested elements; real reports have a handful.
const maxDepth = 100

// errNoJUnit is returned when the input holds no JUnit report.
var errNoJUnit = errors.New("no JUnit report")

// JUnitXML reads the JUnit reports in data, as pytest, jest-junit, Surefire,
// gotestsum and node write them. Text around them is skipped, since some
// runners print them between other lines. Entities and DTDs are never loaded.
// A report that is cut short is an error.
func JUnitXML(data []byte) (Report, error) {
	if len(data) > MaxJUnit {
		return Report{}, fmt.Errorf("read JUnit report: larger than %d bytes", MaxJUnit)
	}
	j := junit{}
	for {
		at := junitStart.FindIndex(data)
		if at == nil {
			return j.end()
		}
		n, err := j.document(data[at[0]:])
		if err != nil {
			return Report{}, fmt.Errorf("read JUnit report: %w", err)
		}
		data = data[at[0]+n:]
	}
}

var junitStart = lazyregexp.New(`<testsuites?[\s/>]`)

// document reads one root element and returns its length.
func (j *junit) document(data []byte) (int, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	for {
		t, err := d.Token()
		if errors.Is(err, io.EOF) {
			return 0, io.ErrUnexpectedEOF
		}
		if err != nil {
			return 0, err
		}
		if err := j.token(t); err != nil {
			return 0, err
		}
		if j.depth == 0 {
			return int(d.InputOffset()), nil
		}
	}
}

// phpunitRisky is the error of a test that passed and that PHPUnit doubts, for example since
// it asserts nothing.
const phpunitRisky = `PHPUnit\Framework\RiskyTestError`

type junit struct {
	seen   bool
	depth  int
	r      Report
	suites []junitSuite
	test   *junitCase
	text   *firstError // collects the character data of a failure
}

// classCases are the names by which Surefire and Gradle report a class of the JVM that could
// not be set up, in place of its tests.
var classCases = []string{"", "classMethod", "initializationError", "executionError"}

// junitSuite compares a suite's totals with its cases.
type junitSuite struct {
	name            string
	claimed, failed int
}

type junitCase struct {
	id              string
	failed, skipped bool
	// class: it stands for a whole class, which could not be set up.
	class   bool
	message string
	first   firstError
}

func (j *junit) token(t xml.Token) error {
	switch t := t.(type) {
	case xml.StartElement:
		if j.depth++; j.depth > maxDepth {
			return fmt.Errorf("more than %d nested elements", maxDepth)
		}
		j.start(t)
	case xml.EndElement:
		j.depth--
		j.close(t.Name.Local)
	case xml.CharData:
		if j.text != nil {
			for line := range strings.Lines(string(t)) {
				j.text.add(line)
			}
		}
	}
	return nil
}

func (j *junit) start(e xml.StartElement) {
	switch e.Name.Local {
	case "testsuites":
		j.seen = true
	case "testsuite":
		j.seen = true
		claimed := count(e, "failures") + count(e, "errors")
		j.suites = append(j.suites, junitSuite{name: attr(e, "name"), claimed: claimed})
	case "testcase":
		class := attr(e, "classname") != "" && slices.Contains(classCases, attr(e, "name"))
		j.test = &junitCase{id: caseID(e), class: class}
	case "failure", "error":
		if j.test != nil && attr(e, "type") == phpunitRisky {
			j.failed(1) // the suite counts it
		} else if j.test != nil {
			j.test.failed = true
			if j.test.message == "" {
				j.test.message = strings.TrimSpace(attr(e, "message"))
			}
			j.text = &j.test.first
		}
	case "skipped":
		if j.test != nil {
			j.test.skipped = true
		}
	}
}

func (j *junit) close(name string) {
	switch name {
	case "testcase":
		j.endCase()
	case "testsuite":
		j.endSuite()
	case "failure", "error":
		j.text = nil
	}
}

// endCase: a case that is both skipped and failed is a TODO of node's.
func (j *junit) endCase() {
	c := j.test
	j.test, j.text = nil, nil
	switch {
	case c == nil || !j.seen:
	case c.skipped:
		j.r.skip(c.id)
		if c.failed {
			j.failed(1)
		}
	case c.failed && c.class:
		j.r.broke(c.id, c.why())
		j.failed(1)
	case c.failed:
		j.r.fail(c.id, c.why())
		j.failed(1)
	default:
		j.r.pass(c.id)
	}
}

func (j *junit) failed(n int) {
	if len(j.suites) > 0 {
		j.suites[len(j.suites)-1].failed += n
	}
}

// endSuite counts failures of a suite that its cases do not show.
func (j *junit) endSuite() {
	if len(j.suites) == 0 {
		return
	}
	s := j.suites[len(j.suites)-1]
	j.suites = j.suites[:len(j.suites)-1]
	if s.claimed > s.failed {
		j.r.fail(s.name, fmt.Sprintf("the suite claims %d failures and shows %d", s.claimed, s.failed))
		s.failed = s.claimed
	}
	j.failed(s.failed)
}

func (j *junit) end() (Report, error) {
	if !j.seen {
		return Report{}, errNoJUnit
	}
	r := j.r.finish()
	r.Format = JUnit
	return r, nil
}

func (c *junitCase) why() string {
	text := c.first.String()
	if c.message == "" {
		return text
	}
	line, _, _ := strings.Cut(c.message, "\n")
	if strings.Contains(text, line) {
		return text
	}
	return clip(line + " | " + text)
}

func caseID(e xml.StartElement) string {
	var parts []string
	for _, p := range []string{attr(e, "classname"), attr(e, "name")} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ":")
}

func attr(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func count(e xml.StartElement, name string) int {
	n, err := strconv.Atoi(attr(e, name))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
