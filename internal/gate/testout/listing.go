package testout

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	listFile   = lazyregexp.New(`^(?:PASS|FAIL) +(\S+)(?: \(.*\))?$`)
	listTest   = lazyregexp.New(`^( +)([✓✔✕×○✎]|-|\d+\)) (.+?)(?: \(\d[\d.]* ?m?s\))?$`)
	vitestTest = lazyregexp.New(`^ *([✓√×↓□-]) (\S+ > .+?)(?: \d+ms)?$`)
	listSuite  = lazyregexp.New(`^( +)(\S.*)$`)
)

// listing reads the list of tests of jest --verbose, of vitest's verbose reporter
// and of mocha's spec reporter:
//
//	PASS ./a.test.js           ✓ a.test.js > suite > name 3ms          suite
//	  suite                                                              ✔ name
//	    ✓ name (3 ms)
type listing struct {
	// mocha marks failed tests by numbers, and pending ones by a dash.
	mocha  bool
	over   bool // failures are being described
	file   string
	suites []string
	cases  []Case
}

// list reads a line, and reports whether it belongs to a list of tests: it names a file or
// a test.
func (l *listing) list(s string) bool {
	if !startsWith(s, " ", "PASS ", "FAIL ", "✓", "×") {
		return false
	}
	if strings.HasPrefix(strings.TrimLeft(s, " "), "● ") {
		l.over = true
	}
	if m := listFile.FindStringSubmatch(s); m != nil {
		l.over = false
		l.file, l.suites = strings.TrimPrefix(m[1], "./")+" > ", nil
		return true
	}
	if l.over {
		return false
	}
	if m := vitestTest.FindStringSubmatch(s); m != nil {
		l.add(m[1], m[2])
		return true
	}
	if m := listTest.FindStringSubmatch(s); m != nil && (l.mocha || !strings.ContainsAny(m[2], "-)")) {
		l.suites = l.suites[:min(max(len(m[1])/2-1, 0), len(l.suites))]
		name := m[3]
		if m[2] == "○" || m[2] == "✎" {
			name = strings.TrimPrefix(strings.TrimPrefix(name, "skipped "), "todo ")
		}
		l.add(m[2], l.file+strings.Join(append(slices.Clip(l.suites), name), " > "))
		return true
	}
	if m := listSuite.FindStringSubmatch(s); m != nil && len(m[1])%2 == 0 && len(m[1]) <= maxNested {
		l.suites = append(l.suites[:min(len(m[1])/2-1, len(l.suites))], clip(m[2]))
	}
	return false
}

// maxNested is the deepest indentation of a suite's title that is looked at.
const maxNested = 40

func (l *listing) add(mark, id string) {
	o := Failed
	switch mark {
	case "✓", "✔", "√":
		o = Passed
	case "○", "✎", "↓", "□", "-":
		o = Skipped
	}
	if len(l.cases) <= maxCases {
		l.cases = append(l.cases, Case{ID: clip(id), Outcome: o})
	}
}

// into moves the tests that were listed so far into a report.
func (l *listing) into(r *Report) {
	for _, c := range l.cases {
		r.record(c.ID, c.Outcome)
	}
	*l = listing{mocha: l.mocha, over: true}
}
