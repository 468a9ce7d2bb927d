package suspect

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// A new test can look serious and ask nothing of the work: it gives the answer itself where the
// product fails, puts a mock in the place of what it then asks, or leaves out its own cases.

// What such lines do.
const (
	answersItself = "sets the result itself where the product raises an error"
	asksMock      = "tests its own mock instead of the product"
	leavesOut     = "filters out some of its own cases"
)

var (
	// onFailure matches a value that a test gives to a name where an exception came; its group
	// is the name.
	onFailurePython = lazyregexp.New(`(?m)^[ \t]*except\b[^\n]*:[ \t]*(?:\n[ \t]*)?(\w+)[ \t]*=[ \t]*["'\d\[{(-]`)
	onFailureScript = lazyregexp.New(`\bcatch\s*(?:\(\w*\)\s*)?\{\s*(\w+)\s*=\s*["'\x60\d\[{(-]`)
	// putsMock matches a mock that gives a value in the place of a function of a value or
	// module; its groups are these two.
	putsMock = lazyregexp.New(`\bspyOn\(\s*(\w+),\s*['"](\w+)['"]\s*\)\s*\.mock(?:Return|Resolved|Implementation)|\bstub\(\s*(\w+),\s*['"](\w+)['"]\s*\)|\bmock\.method\(\s*(\w+),\s*['"](\w+)['"]\s*,|\bmonkeypatch\.setattr\(\s*(\w+),\s*['"](\w+)['"]\s*,|\bpatch\.object\(\s*([A-Z]\w*),\s*['"](\w+)['"]\s*,|\bpatch\(\s*['"](?:\w+\.)*([A-Z]\w*)\.(\w+)['"]\s*,|\bspyOn\(\s*(\w+)\.prototype,\s*['"](\w+)['"]\s*\)\s*\.mock(?:Return|Resolved|Implementation)`)
	// nextAssertion matches a line with an assertion.
	nextAssertion = lazyregexp.New(`(?m)^[^\n]*(?:\bassert\w*\b|\bexpect\()[^\n]*$`)
	// filters matches cases of which a condition leaves some out.
	filters = lazyregexp.New(`\b(?:each|parametrize)\([^\n]*(?:\.filter\(|\bfor \w[\w, ]* in \w[\w.()]* if )|\bfor\s*\(\s*(?:const|let) [^\n]+ of [^\n]*\bcases?\w*[^\n]*\.filter\(|\bfor \w[\w, ]* in \[[^\n]* in (?i:\w*cases?\w*)[^\n]* if `)
)

// ownAnswers are the lines of a file of tests that ask nothing of the work, in functions and
// lines that the base does not have.
func ownAnswers(file, lang, text string, old map[string]bool) (out []Finding) {
	code := syntax.WithoutComments(lang, text)
	mark := func(at int, what string) {
		line := lineOf(code, at)
		if !old[strings.TrimSpace(strings.Split(text, "\n")[line-1])] {
			out = append(out, Finding{Path: file, Line: line, What: what})
		}
	}
	onFailure := map[string]*lazyregexp.Regexp{"python": onFailurePython, "js": onFailureScript}[lang]
	if onFailure == nil {
		return nil
	}
	for _, m := range onFailure.FindAllStringSubmatchIndex(code, -1) {
		if judges(code[m[1]:], code[m[2]:m[3]]) {
			mark(m[2], answersItself)
		}
	}
	for _, m := range putsMock.FindAllStringSubmatchIndex(code, -1) {
		for g := 2; g < len(m); g += 4 {
			if m[g] < 0 {
				continue
			}
			of := code[m[g]:m[g+1]]
			if unicode.IsUpper(rune(of[0])) { // a class, of whatever value
				of = `\w+`
			}
			name := of + `\.` + code[m[g+2]:m[g+3]] + `\(`
			if lang == "python" { // asked by itself, and not for another
				name = `(?:assert|assert\w*\()\s*` + name
			}
			if judges(code[m[1]:], name) {
				mark(m[0], asksMock)
			}
		}
	}
	for _, m := range filters.FindAllStringIndex(code, -1) {
		mark(m[0], leavesOut)
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return a.Line - b.Line })
	return out
}

// judges reports whether the next assertion in a text asks for a name.
func judges(text, name string) bool {
	asked := nextAssertion.FindIndex([]byte(text))
	return asked != nil && regexp.MustCompile(`\b`+name).MatchString(text[asked[0]:asked[1]])
}
