package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// rubyTest and rubySuite match the first line of a test and of a suite, of plain names and without options.
	rubyTest  = lazyregexp.New(`^\s*(?:(?:it|specify|example)(?: ` + rubyName + `|\(` + rubyName + `\)) do|def (test_\w+))$`)
	rubySuite = lazyregexp.New(`^\s*(?:describe|context)(?: ` + rubyName + `|\(` + rubyName + `\)) do$`)
	// rubyInLine matches the beginning of a test in braces that has one line.
	rubyInLine = lazyregexp.New(`^\s*(?:it|specify|example)(?: ?\(` + rubyName + `\))? \{ `)
	// A test may stand in suites of RSpec, or in a class that inherits no tests.
	inSuite   = lazyregexp.New(`^(?:RSpec\.)?(?:describe|context)(?: [\w:", =>]+|\([\w:", =>]+\)) do$`)
	inClass   = lazyregexp.New(`^class \w+ < (?:Minitest::Test|Test::Unit::TestCase|ActiveSupport::TestCase)$`)
	mixesIn   = lazyregexp.New(`^\s*(?:include|prepend)\b`)
	nextRuby  = lazyregexp.New(`^[A-Za-z_@]`)
	clause    = lazyregexp.New(`^(?:else|elsif|when|rescue|ensure|then|and|or|do)\b`)
	rubyOrder = lazyregexp.New(`(?i)rubocop|standard:|nocov|simplecov|reek|sorbet|typed:|frozen_|warn_indent|brakeman|steep`)
)

const rubyName = `(?:'[^'\\]+'|"(?:[^"\\#]|#[^{$@"\\#])+")`

// rubyPiece reads the test or suite of Ruby with which lines begin, with the comments above it.
func (a *addition) rubyPiece(lines []string) (p piece, ok bool) {
	lines = lines[:min(len(lines), mostTestLines)]
	first := slices.IndexFunc(lines, func(line string) bool { return firstOf(line) != "#" })
	if first < 0 || !rubyTest.MatchString(lines[first]) && !rubySuite.MatchString(lines[first]) && !rubyInLine.MatchString(lines[first]) {
		return piece{}, false
	}
	if end := slices.Index(lines[first:], lines[first][:leading(lines[first])]+"end"); rubyInLine.MatchString(lines[first]) {
		lines = lines[:first+1]
	} else if end >= 0 {
		lines = lines[:first+end+1]
	}
	last, name := rubyTestAt(lines, readRuby(lines), first)
	for _, line := range lines[:last+1] {
		if strings.Contains(line, "#") && (rubyOrder.MatchString(line) || directive.MatchString(line)) {
			return piece{}, false
		}
	}
	return piece{lines: last + 1, name: name}, last >= 0 && (name == "" || !a.words()[name])
}

// rubyTestAt is the last line of the test, or suite of tests, that begins with a line, and the name of a
// method; -1 for none.
func rubyTestAt(lines []string, read []rubyLine, n int) (last int, name string) {
	if n >= len(read) || !read[n].sure {
		return -1, ""
	}
	depth := 0
	if n > 0 {
		depth = len(read[n-1].open)
	}
	head, code := lines[n], read[n].code
	if open := strings.IndexByte(code, '{'); rubyInLine.MatchString(head) && closerAfter(code, open) == len(code)-1 && len(read[n].open) == depth {
		return n, ""
	}
	if m := rubyTest.FindStringSubmatch(head); m != nil {
		for last = n + 1; last < len(read) && len(read[last].open) > depth; last++ {
		}
		if last < len(read) && read[last].sure && read[last].code == "end" {
			return last, m[1]
		}
		return -1, ""
	}
	if !rubySuite.MatchString(head) {
		return -1, ""
	}
	for n++; n < len(read) && read[n].sure && read[n].code != "end"; n++ {
		if read[n].code == "" {
			continue
		}
		if last, name = rubyTestAt(lines, read, n); last < 0 || name != "" {
			return -1, ""
		}
		n = last
	}
	if n < len(read) && read[n].sure {
		return n, ""
	}
	return -1, ""
}

// rubyBase is the base as far as it is read.
func (a *addition) rubyBase() []rubyLine {
	if a.ruby == nil {
		a.ruby = readRuby(a.base)
	}
	return a.ruby
}

// isUnread reports whether a line of Ruby stands below what is in doubt.
func (a *addition) isUnread(j int) bool {
	read := a.rubyBase()
	return j > 0 && (j > len(read) || !read[j-1].sure)
}

// hasRubyPlace reports whether a test may stand before a line of the base: between two statements of
// its file or of suites, a method between those of a class of tests.
func (a *addition) hasRubyPlace(p piece, j int) bool {
	if j == 0 || a.isUnread(j) || firstOf(a.base[j-1]) == "#" {
		return false
	}
	above := a.rubyBase()[j-1]
	next := j
	for next < len(a.base) && (strings.TrimSpace(a.base[next]) == "" || firstOf(a.base[next]) == "#") {
		next++
	}
	if above.goes || next == len(a.base) || !nextRuby.MatchString(strings.TrimSpace(a.base[next])) || clause.MatchString(strings.TrimSpace(a.base[next])) {
		return false
	}
	if p.name != "" {
		return len(above.open) == 1 && inClass.MatchString(above.open[0]) && !slices.ContainsFunc(a.base, mixesIn.MatchString)
	}
	return len(above.open) > 0 && !slices.ContainsFunc(above.open, func(head string) bool { return !inSuite.MatchString(head) })
}
