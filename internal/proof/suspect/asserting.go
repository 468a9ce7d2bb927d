package suspect

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// catchesAssertions is what lines do that catch failing assertions of tests which are there.
const catchesAssertions = "catches every exception around assertions of existing tests, which hides their failures"

var (
	// classNamed matches the head of a class, its group the name; pythonWith a with statement.
	classNamed = lazyregexp.New(`(?m)^[ \t]*class[ \t]+(\w+)`)
	pythonWith = lazyregexp.New(`^(?:async\s+)?with\b`)
)

// namesAround are the names of the functions around a line of a source, and in Python that of
// the class before it: what tests call to have their code run there.
func namesAround(lang, text string, line int) (names []string) {
	at := 0
	for range line - 1 {
		at += strings.IndexByte(text[at:], '\n') + 1
	}
	if how, known := functionsIn(lang); known {
		for _, f := range how.Functions(text) {
			if f.Name != "" && f.Begin <= at && at < f.End {
				names = append(names, f.Name)
			}
		}
	}
	if lang == "python" {
		if all := classNamed.FindAllStringSubmatch(text[:at], -1); len(all) > 0 {
			names = append(names, all[len(all)-1][1])
		}
	}
	return names
}

// assertsIn reports whether tests assert in what they hand to a function: in the arguments of a
// call, in a function that is one of them, or in the block of a with statement.
func assertsIn(lang, tests, name string) bool {
	call := regexp.MustCompile(`(?:^|[^\w$])` + regexp.QuoteMeta(name) + `\(`)
	judges := assertionsOf()[lang].judges
	handed := map[string]bool{}
	for _, m := range call.FindAllStringIndex(tests, -1) {
		arguments := strings.Join(argumentsFrom(tests[m[1]:]), ",")
		if judges.MatchString(arguments) {
			return true
		}
		for _, word := range syntax.Identifier.FindAllString(arguments, -1) {
			handed[word] = true
		}
	}
	if how, known := functionsIn(lang); known {
		for _, f := range how.Functions(tests) {
			if handed[f.Name] && judges.MatchString(tests[f.Body:f.End]) {
				return true
			}
		}
	}
	if lang != "python" {
		return false
	}
	all := syntax.Statements(tests)
	for i, s := range all {
		if !pythonWith.MatchString(s.Text) || !call.MatchString(s.Text) {
			continue
		}
		for _, in := range syntax.BlockOf(all, i) {
			if judges.MatchString(in.Text) {
				return true
			}
		}
	}
	return false
}
