package ratchet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// namesSchema is the schema of a file of test names.
const namesSchema = "ralph.tests/v1"

// Outcome of a test: passed, failed or skipped.
type Outcome string

// The outcomes of a test. A test that was expected to fail, and did, is skipped.
const (
	TestPassed  Outcome = "passed"
	TestFailed  Outcome = "failed"
	TestSkipped Outcome = "skipped"
)

// Test is one test and its outcome. Equal names are different tests.
type Test struct {
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
}

// Names are all tests of one run of a gate.
type Names []Test

// EncodeNames writes names as a file of namesSchema, one line a test, sorted.
func EncodeNames(n Names) ([]byte, error) {
	n = slices.Clone(n)
	slices.SortFunc(n, func(a, b Test) int {
		if c := strings.Compare(a.Name, b.Name); c != 0 {
			return c
		}
		return strings.Compare(string(a.Outcome), string(b.Outcome))
	})
	var b bytes.Buffer
	fmt.Fprintf(&b, `{"schema": %q, "tests": [`, namesSchema)
	for i, t := range n {
		line, err := json.Marshal(t)
		if err != nil {
			return nil, fmt.Errorf("write the names of tests: %w", err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(line)
	}
	b.WriteString("\n]}\n")
	return b.Bytes(), nil
}

// DecodeNames reads what EncodeNames wrote.
func DecodeNames(data []byte) (Names, error) {
	var file struct {
		Schema string `json:"schema"`
		Tests  Names  `json:"tests"`
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("read the names of tests: %w", err)
	}
	if file.Schema != namesSchema {
		return nil, fmt.Errorf("read the names of tests: unknown schema %q", file.Schema)
	}
	return file.Tests, nil
}

// NewlySkipped are the tests that run with no outcome but skipped, and that are not among others,
// sorted. A test that passes in another class is left out where all others of its class are
// skipped: classes that are for one system inherit it.
func (n Names) NewlySkipped(others Names) (names []string) {
	known := map[string]bool{}
	for _, t := range others {
		known[t.Name] = true
	}
	for _, t := range n {
		if t.Outcome != TestSkipped {
			known[t.Name] = true
		}
	}
	skips, inherited := others.skippedClasses(), map[string]bool{}
	for name := range n.With(TestPassed) {
		_, test := classOf(name)
		inherited[test] = true
	}
	for name := range n.With(TestSkipped) {
		class, test := classOf(name)
		if !known[name] && !(skips[class] && inherited[test]) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// skippedClasses are the classes of which no test runs with another outcome than skipped.
func (n Names) skippedClasses() map[string]bool {
	out := map[string]bool{}
	for name := range n.With(TestSkipped) {
		class, _ := classOf(name)
		out[class] = class != ""
	}
	for _, t := range n {
		if class, _ := classOf(t.Name); t.Outcome != TestSkipped {
			delete(out, class)
		}
	}
	return out
}

// classOf splits the name of a test into that of its class, with its module or file, and its own:
// "module.Class.test", "file.py::Class::test", "org.shop.CartTest:total".
func classOf(name string) (class, test string) {
	at := strings.LastIndexAny(testOf(name), ".:")
	return name[:at+1], name[at+1:]
}

// With counts the tests of each name that have an outcome.
func (n Names) With(o Outcome) map[string]int {
	out := map[string]int{}
	for _, t := range n {
		if t.Outcome == o {
			out[t.Name]++
		}
	}
	return out
}
