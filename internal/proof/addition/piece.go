package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// mostTestLines bounds a test, or a class or suite of tests, that stands between others.
const mostTestLines = 800

// piece is a whole test between others: it begins and ends as a statement does.
type piece struct {
	lines  int
	indent int
	name   string // "" where several tests may have the same
}

var (
	// testStart matches a line with which a test may begin.
	testStart = lazyregexp.New(`^\s*(?:func |@|(?:public\s+)?function |(?:async\s+)?def |class |#\[|(?:test|it|describe|suite|context)[.(])`)
	goHead    = lazyregexp.New(`^func ((?:Test|Benchmark|Fuzz|Example)(?:[A-Z0-9_]\w*)?)\((?:\w+ \*testing\.[TBF])?\) \{`)
	rustHead  = lazyregexp.New(`^((?:#\[(?:(?:\w+::)*test|should_panic)(?:\([\w\s=",]*\))?\]\s*)+)(?:async\s+)?fn\s+(\w+)\(\)\s*(?:->[^{};]*)?\{`)
	rustTest  = lazyregexp.New(`\btest[\](]`)
	// scriptHead matches up to the first parenthesis.
	scriptHead = lazyregexp.New(`^(?:test|it|describe|suite|context)(\.each)?\(`)
	callback   = lazyregexp.New(`(?s)^(?:async\b\s*)?(?:(?:\([^()]*\)\s*(?::[^=(){}]*)?|[\w$]+\s*)=>.*|function\b\s*\w*\s*\([^()]*\)\s*\{.*\})$`)
	options    = lazyregexp.New(`^\{[\w\s:,"]*\}$`)
	oneNumber  = lazyregexp.New(`^\d[\d_]*$`)
	// chosen matches what makes a runner of JavaScript leave out other tests.
	chosen = lazyregexp.New(`\bonly\b|\bf(?:it|describe|test)\b|\["+\]\s*\(`)
	// directive matches a comment that a tool obeys.
	directive = lazyregexp.New(`(?i)@(?:ts-|jest|vitest|flow|jsx)|coding[:=]|# ?source|eslint|biome|deno-|prettier|jshint|istanbul|\b(?:c8|v8)\b|pragma|noqa|pylint|mypy|pyright|\b(?:fmt|yapf|isort|type)\s*:|nolint|//(?:go|line|export)\b|/\*line\b|\+build|tarpaulin|noinspection|nosonar|nopmd|checkstyle|spotless|@formatter|cpd-o|php(?:cs|stan|md)|psalm|infection|codecoverage`)
)

// pieceOf reads the test with which lines begin.
func (a *addition) pieceOf(lines []string) (p piece, ok bool) {
	if a.lang == "ruby" {
		return a.rubyPiece(lines)
	}
	first := slices.IndexFunc(lines, func(line string) bool {
		line = strings.TrimSpace(line)
		return line != "" && !strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "/*") && !strings.HasPrefix(line, "*") &&
			(a.lang != "python" || line[0] != '#')
	})
	if first < 0 || first > mostRowLines || strings.TrimSpace(lines[0]) == "" || !testStart.MatchString(lines[first]) {
		return piece{}, false
	}
	s := read(a.lang, lines[:min(len(lines), mostTestLines)])
	for first = 0; first < len(s.lines) && (s.codeOf(first) == "" || s.lines[first].inside); first++ {
	}
	if first == len(s.lines) {
		return piece{}, false
	}
	p.indent = leading(s.code[s.lines[first].start:])
	last := -1
	if a.lang == "python" {
		p.name, last = a.pythonTest(s, first, p.indent)
	} else {
		p.name, last = bracketTest(s, s.lines[first].start+p.indent)
	}
	p.lines = last + 1
	return p, last >= 0 && s.closedAfter(last) && (p.name == "" || !a.words()[a.fold(p.name)])
}

// closedAfter reports whether the first lines are read without doubt, hold nothing that works
// outside of them, and leave nothing open.
func (s *source) closedAfter(last int) bool {
	if last+1 >= len(s.lines) || s.lines[last+1].inside || s.lines[last+1].depth != 0 {
		return false
	}
	for n := range last + 1 {
		text := s.text[s.lines[n].start:s.end(n)]
		odd := func(r rune) bool { return syntax.IsLineEnd(r) || r < ' ' && r != '\t' }
		if s.lines[n].doubt || s.lines[n].depth < 0 || strings.ContainsFunc(text, odd) || directive.MatchString(s.remarkOf(n)) {
			return false
		}
	}
	return true
}

// bracketTest reads a test of a language with braces: its name and its last line, -1 for none.
func bracketTest(s *source, at int) (name string, last int) {
	code := s.code[at:]
	var end int
	switch s.lang {
	case "go":
		m := goHead.FindStringSubmatch(code)
		if m == nil || m[1] == "TestMain" {
			return "", -1
		}
		name, end = m[1], closerAfter(code, len(m[0])-1)
	case "rust":
		m := rustHead.FindStringSubmatch(code)
		if m == nil || !rustTest.MatchString(m[1]) {
			return "", -1
		}
		name, end = m[2], closerAfter(code, len(m[0])-1)
	case "js":
		end = scriptTest(code)
	case "java", "php":
		name, end = methodTest(s, at)
	default:
		return "", -1
	}
	if end < 0 {
		return "", -1
	}
	for last = range s.lines {
		if s.end(last) > at+end {
			break
		}
	}
	if strings.TrimSpace(s.code[at+end+1:s.end(last)]) != "" {
		return "", -1
	}
	return name, last
}

// scriptTest is where a call ends that makes a test of JavaScript, or a suite; -1 for none.
func scriptTest(code string) int {
	m := scriptHead.FindStringSubmatch(code)
	if m == nil {
		return -1
	}
	open := len(m[0]) - 1
	end := closerAfter(code, open)
	if m[1] != "" { // the rows of a table are before its test
		if end < 0 || strings.ContainsAny(code[open+1:end], "()") || !strings.HasPrefix(code[end+1:], "(") {
			return -1
		}
		open, end = end+1, closerAfter(code, end+1)
	}
	if end < 0 || chosen.MatchString(code[:end]) {
		return -1
	}
	args := listed(code[open+1 : end])
	if n := len(args); n > 0 && args[n-1] == "" {
		args = args[:n-1]
	}
	if n := len(args); n > 2 && oneNumber.MatchString(args[n-1]) {
		args = args[:n-1]
	}
	if n := len(args); n == 3 && options.MatchString(args[1]) {
		args = slices.Delete(args, 1, 2)
	}
	if len(args) != 2 || strings.Trim(args[0], `"`) != "" || !callback.MatchString(args[1]) {
		return -1
	}
	if strings.HasPrefix(code[end+1:], ";") {
		end++
	}
	return end
}
