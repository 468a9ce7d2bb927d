package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	pythonTest  = lazyregexp.New(`(?s)^(?:async\s+)?def\s+(test\w*)\s*\(([^()]*)\)\s*(?:->[^:]*)?:(.*)$`)
	pythonClass = lazyregexp.New(`(?s)^class\s+(\w+)\s*(?:\(([\w.,\s]*)\)\s*)?:(.*)$`)
	ofClass     = lazyregexp.New(`^\s*self\b`)
	testCase    = lazyregexp.New(`(?:^|[\s,.])\w*TestCase\b`)
)

// pythonTest reads a function, method or class of tests: its name and its last line, -1 for none.
func (a *addition) pythonTest(s *source, first, indent int) (name string, last int) {
	n := first
	for ; n < len(s.lines) && strings.HasPrefix(s.codeOf(n), "@"); n = s.after(n) {
		end := s.after(n)
		if s.indentOf(n) != indent || end == len(s.lines) || !a.isMark(s.text[s.lines[n].start:s.lines[end].start]) {
			return "", -1
		}
	}
	if n == len(s.lines) || s.indentOf(n) != indent {
		return "", -1
	}
	last = n // of the head
	for last+1 < len(s.lines) && (s.lines[last+1].inside || s.lines[last+1].depth > 0) {
		last++
	}
	head := strings.TrimSpace(s.code[s.lines[n].start:s.end(last)])
	m := pythonTest.FindStringSubmatch(head)
	if m == nil || (indent == 0) == ofClass.MatchString(m[2]) {
		if m = pythonClass.FindStringSubmatch(head); m == nil || indent > 0 || !strings.HasPrefix(m[1], "Test") && !testCase.MatchString(m[2]) {
			return "", -1
		}
	}
	hasCode := strings.TrimSpace(m[3]) != ""
	for k := last + 1; k < len(s.lines); k++ {
		line := s.text[s.lines[k].start:s.end(k)]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if !s.lines[k].inside && s.lines[k].depth == 0 {
			if leading(line) <= indent {
				break
			}
			hasCode = hasCode || s.codeOf(k) != ""
		}
		last = k
	}
	if !hasCode {
		return "", -1
	}
	return m[1], last
}

// after is the next line with which a statement begins.
func (s *source) after(n int) int {
	for n++; n < len(s.lines) && !s.begins(n); n++ {
	}
	return n
}

var (
	// patches matches a decorator that replaces something while its test runs, and evaluates
	// nothing but names and literals itself.
	patches = lazyregexp.New(`^@(?:unittest\.)?(?:mock\.)?patch(?:\.object|\.dict|\.multiple)?\([^()]*\)$`)
	// importsMock matches an import of it from the standard library.
	importsMock = lazyregexp.New(`^\s*(?:from unittest\.mock import [^\n]*\bpatch\b|from unittest import [^\n]*\bmock\b|import unittest\.mock\b)`)
	// testHead matches the head of a test function.
	testHead = lazyregexp.New(`^\s*(?:async\s+)?def\s+test`)
)

// usualMarks are the decorators of the base's tests that stand on a line of their own.
func (a *addition) usualMarks() map[string]bool {
	out := map[string]bool{}
	var above []string
	for _, line := range a.base {
		switch mark := strings.TrimSpace(line); {
		case strings.HasPrefix(mark, "@"):
			above = append(above, mark)
		case testHead.MatchString(line):
			for _, mark := range above {
				out[mark] = true
			}
			fallthrough
		default:
			above = nil
		}
	}
	return out
}

// isMark reports whether a decorator does nothing to other tests: it is a mark of pytest with
// nothing but literals, one that tests of the base have, or replaces something for its own test.
func (a *addition) isMark(text string) bool {
	text = strings.TrimSpace(text)
	if a.usualMarks()[text] || patches.MatchString(text) && slices.ContainsFunc(a.work, importsMock.MatchString) {
		return true
	}
	text, found := strings.CutPrefix(text, "@")
	if !found {
		return false
	}
	p := rowParser{lang: a.lang, calls: a.calls()}
	for line := range strings.Lines(text) {
		tokens, ok := rowTokens(a.lang, strings.TrimRight(line, "\n"))
		if !ok {
			return false
		}
		p.left = append(p.left, tokens...)
	}
	mark := p.peek(0)
	if !strings.HasPrefix(mark, "pytest.mark.") || !p.take(mark) {
		return false
	}
	return len(p.left) == 0 || p.take("(") && p.arguments() && len(p.left) == 0
}
