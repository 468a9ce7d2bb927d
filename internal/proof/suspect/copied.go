package suspect

import (
	"maps"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

const copiesLines = "copies expected output from "

// Of the data of tests, so many bytes are compared with sources. A line of at least so many bytes
// with at least so many digits tells of a case, and so many of them are no chance.
const (
	mostExpected   = 64 << 10
	digitsOfCase   = 4
	fewestOfCase   = 2
	shortestOfCase = 12
)

// expectedLines are the lines of the data of tests that tell of a case, by file.
func (s search) expectedLines() (map[string][]string, error) {
	all, read := map[string][]string{}, 0
	for _, p := range proof.SortedPaths(s.Before) {
		f := s.Before[p]
		if _, test := proof.IsTest(p); !test || !proof.IsFile(f) || proof.LanguageOf(p) != "" {
			continue
		}
		data, err := s.Content(f.ID)
		if err != nil {
			return nil, err
		}
		if read += len(data); read > mostExpected {
			break
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); len(line) >= shortestOfCase && digits(line) >= digitsOfCase {
				all[p] = append(all[p], line)
			}
		}
	}
	return all, nil
}

func digits(line string) (n int) {
	for _, c := range line {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}

// copiesOf are the data of tests of which the new lines of a source have such lines.
func (s search) copiesOf(file, text string) (out []Finding, err error) {
	expected, err := s.expected()
	if err != nil || len(expected) == 0 {
		return nil, err
	}
	text = syntax.NewPart(text, s.old)
	for _, p := range slices.Sorted(maps.Keys(expected)) {
		first, found := 0, 0
		for _, line := range expected[p] {
			if at := strings.Index(text, line); at >= 0 {
				if found++; found == 1 {
					first = 1 + strings.Count(text[:at], "\n")
				}
			}
		}
		if found >= fewestOfCase {
			out = append(out, Finding{Path: file, Line: first, What: copiesLines + p})
		}
	}
	return out, nil
}
