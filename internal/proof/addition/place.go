package addition

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	classHead  = lazyregexp.New(`^class\s`)
	goDeclares = lazyregexp.New(`^(?:func|var|const|type)\b`)
	moduleHead = lazyregexp.New(`^(?:pub(?:\([a-z]+\))?\s+)?mod\s+\w+\s*\{$`)
	suiteHead  = lazyregexp.New(`(?:^|[\s;{}])(?:describe|suite|context)$`)
	suiteBegin = lazyregexp.New(`^\s*"+\s*,\s*(?:async\s*)?(?:\(\)\s*=>|function\s*\w*\s*\(\))\s*$`)
	// callOnly matches the beginning of a statement of JavaScript that a parenthesis may end.
	callOnly = lazyregexp.New(`^(?:await\s+)?[A-Za-z_$][\w$.]*\(`)
	control  = lazyregexp.New(`^(?:if|for|while|switch|with|catch|else|do|return|throw|function|class)\b`)
	// nextBegins matches the beginning of a statement of JavaScript that continues no other.
	nextBegins = lazyregexp.New(`^(?:[A-Za-z_$]|\}|$)`)
	// goesOn matches words that continue a statement.
	goesOn = lazyregexp.New(`^(?:in|of|instanceof|as|satisfies|else|elif|except|catch|finally|while)\b`)
)

// hasPlace reports whether a test may stand before a line of the base: between two statements of
// its file, or of a class, module or suite of tests, which mean the same on both sides of it.
func (a *addition) hasPlace(p piece, j int) bool {
	if a.lang == "ruby" {
		return a.hasRubyPlace(p, j)
	}
	s := a.source()
	if j >= len(s.lines) || s.lines[j].inside || j > 0 && s.isComment(j-1) {
		return false
	}
	next := j
	for next < len(s.lines) && s.codeOf(next) == "" {
		next++
	}
	if next == len(s.lines) || goesOn.MatchString(s.codeOf(next)) {
		return false
	}
	at := s.lines[j].start
	before := strings.TrimSpace(s.code[:at])
	switch a.lang {
	case "go":
		return s.lines[j].depth == 0 && goDeclares.MatchString(s.codeOf(next))
	case "rust":
		return (before == "" || strings.ContainsAny(before[len(before)-1:], ";{}")) && s.inModules(at)
	case "js":
		return s.endsStatement(before, at) && nextBegins.MatchString(s.codeOf(next)) && s.inSuites(at)
	case "java", "php":
		return s.betweenMembers(at, next, p.name)
	case "python":
		return s.inClasses(j, next, p.indent)
	}
	return false
}

// inModules reports whether a place of Rust is in nothing but modules.
func (s *source) inModules(at int) bool {
	for open := openerBefore(s.code, at); open >= 0; open = openerBefore(s.code, open) {
		head := s.code[strings.LastIndexAny(s.code[:open], "\n;}])")+1 : open+1]
		if !moduleHead.MatchString(strings.TrimSpace(head)) {
			return false
		}
	}
	return true
}

// inSuites reports whether a place of JavaScript is in nothing but suites of tests.
func (s *source) inSuites(at int) bool {
	for {
		open := openerBefore(s.code, at)
		if open < 0 {
			return true
		}
		call := openerBefore(s.code, open)
		if call < 0 || s.code[open] != '{' || s.code[call] != '(' || !suiteHead.MatchString(s.code[max(0, call-100):call]) || !suiteBegin.MatchString(s.code[call+1:open]) {
			return false
		}
		at = call
	}
}

// endsStatement reports whether code of JavaScript before a place ends with a whole statement.
func (s *source) endsStatement(before string, at int) bool {
	if before == "" || strings.ContainsAny(before[len(before)-1:], ";{}") {
		return true
	}
	head := strings.TrimSpace(s.code[statementStart(s.code, len(before)+leading(s.code)):at])
	return strings.HasSuffix(before, ")") && callOnly.MatchString(head) && !control.MatchString(head)
}

// begins reports whether a statement of Python begins with a line.
func (s *source) begins(n int) bool {
	return !s.lines[n].inside && s.lines[n].depth == 0 && s.codeOf(n) != ""
}

func (s *source) indentOf(n int) int { return leading(s.code[s.lines[n].start:]) }

// inClasses reports whether a statement of Python may stand before a line, with an indent that
// makes it one of the file or of a class.
func (s *source) inClasses(j, next, indent int) bool {
	if s.lines[j].depth != 0 || !s.begins(next) || s.indentOf(next) > indent || strings.HasPrefix(s.codeOf(next), `"`) {
		return false
	}
	level, nearest := indent, true
	for n := j - 1; n >= 0 && (level > 0 || nearest); n-- {
		if !s.begins(n) {
			continue
		}
		if nearest && strings.HasPrefix(s.codeOf(n), "@") {
			return false // of the function below
		}
		nearest = false
		if s.indentOf(n) < level {
			if !classHead.MatchString(s.codeOf(n)) {
				return false
			}
			level = s.indentOf(n)
		}
	}
	return level == 0
}
