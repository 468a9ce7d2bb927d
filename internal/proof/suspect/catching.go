package suspect

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// A failing assertion is an exception. The product runs parts of tests: the body of a with
// statement of Python, a function that the test gives it. Where it catches every exception
// there and raises none again, a test passes whatever it asserts in such a part. Where tests
// assert in none, such code is usual: an emitter that calls the next handler after one failed.

// catchesAll is what lines do that catch failing assertions.
const catchesAll = "catches every exception of a callback or with block, which hides failing assertions in it"

// catching is a place where code of the caller runs and every exception is caught.
type catching struct {
	line int
	// text is the code that catches, by which it is known in another version of the file.
	text string
}

// catching are the places of a changed source that it did not have before, nor any other
// source of the base that the work changes.
func (h helpers) catching(c changed) ([]Finding, error) {
	found := catchingIn(c.Path, c.lang, c.was, c.text, c.old)
	if len(found) == 0 {
		return nil, nil
	}
	read, err := h.textsOf(c.lang)
	if err != nil {
		return nil, err
	}
	work, err := h.newTests(c.lang)
	if err != nil {
		return nil, err
	}
	var out []Finding
	for _, f := range found {
		asserts := func(tests string) bool {
			return slices.ContainsFunc(namesAround(c.lang, c.text, f.Line), func(name string) bool { return assertsIn(c.lang, tests, name) })
		}
		switch {
		case asserts(read.tests):
			f.What = catchesAssertions
		case !asserts(work):
			continue
		}
		out = append(out, f)
	}
	return out, nil
}

// catchingIn are the places of a source that base, its earlier text, does not have like this.
func catchingIn(file, lang, base, text string, old map[string]bool) (out []Finding) {
	find := map[string]func(string) []catching{"python": catchingPython, "js": catchingScript}[lang]
	if find == nil {
		return nil
	}
	known := find(syntax.WithoutComments(lang, base))
	for _, c := range find(syntax.WithoutComments(lang, text)) {
		had := slices.ContainsFunc(known, func(k catching) bool { return k.text == c.text })
		if !had && (base != "" || !oldBody(c.text, old)) {
			out = append(out, Finding{Path: file, Line: c.line, What: catchesAll})
		}
	}
	return out
}

var (
	// contextManager matches the decorator that makes a function the body of a with statement.
	contextManager = lazyregexp.New(`^@[\w.]*contextmanager\b`)
	// trueAtExit matches a return by which the end of a with statement hides every exception.
	trueAtExit = lazyregexp.New(`\breturn\s+(?:True\b|1\b|not\b|bool\(|[^\n]*\bis\s+not\s+None\b)`)
	// catchesBroadly and suppressesAll match what catches failing assertions among others.
	catchesBroadly = lazyregexp.New(`^except\s*\*?\s*(?::|[^:]*\b(?:Exception|BaseException|AssertionError)\b)`)
	suppressesAll  = lazyregexp.New(`^(?:async\s+)?with\b[^\n]*\bsuppress\([^)]*\b(?:Exception|BaseException|AssertionError)\b`)
	// raisesAgain matches what lets a failure out after all, leavesFinally what drops it in a finally.
	raisesAgain   = lazyregexp.New(`\braise\b|\.(?:set_exception|throw|fail)\(`)
	leavesFinally = lazyregexp.New(`^(?:finally\s*:\s*)?(?:return|break|continue)\b`)
	// tryClause matches the clauses behind the body of a try.
	tryClause = lazyregexp.New(`^(?:except\b|else\s*:|finally\s*:)`)
	// yields matches where a context manager runs the code of its caller.
	yields = lazyregexp.New(`\byield\b`)
)

func catchingPython(text string) (found []catching) {
	all := syntax.Statements(text)
	for i, s := range all {
		m := syntax.PythonFunction.FindStringSubmatch(s.Text)
		if m == nil {
			continue
		}
		body := withoutFunctions(syntax.BlockOf(all, i))
		if m[1] == "__exit__" || m[1] == "__aexit__" {
			for _, b := range body {
				if trueAtExit.MatchString(b.Text) {
					found = append(found, catching{b.Line, b.Text})
				}
			}
		}
		if i > 0 && contextManager.MatchString(all[i-1].Text) && all[i-1].Indent == s.Indent {
			found = append(found, caughtPython(body, yields.MatchString)...)
		}
		if names := pythonParameters(m[2]); len(names) > 0 {
			found = append(found, caughtPython(body, func(code string) bool { return len(callsOf(names, code)) > 0 })...)
		}
	}
	return found
}

// withoutFunctions are the statements of a body that are not in a function inside of it.
func withoutFunctions(body []syntax.Statement) (out []syntax.Statement) {
	for i := 0; i < len(body); i++ {
		if syntax.PythonFunction.MatchString(body[i].Text) {
			i += len(syntax.BlockOf(body, i))
			continue
		}
		out = append(out, body[i])
	}
	return out
}

// caughtPython are the places of a body where statements that run code of the caller stand, and
// every exception is caught.
func caughtPython(body []syntax.Statement, handed func(code string) bool) (found []catching) {
	for i, s := range body {
		guarded := syntax.BlockOf(body, i)
		runs := slices.ContainsFunc(append(slices.Clone(guarded), s), func(g syntax.Statement) bool { return handed(g.Text) })
		switch {
		case !runs:
		case suppressesAll.MatchString(s.Text):
			found = append(found, catching{s.Line, s.Text})
		case strings.HasPrefix(s.Text, "try:"):
			found = append(found, clausesThatCatch(body[i+1+len(guarded):], s.Indent)...)
		}
	}
	return found
}

// clausesThatCatch are those of a try statement, which statements begin with, that let no
// exception out.
func clausesThatCatch(rest []syntax.Statement, indent int) (found []catching) {
	for i := 0; i < len(rest) && rest[i].Indent == indent && tryClause.MatchString(rest[i].Text); {
		clause := rest[i : i+1+len(syntax.BlockOf(rest, i))]
		var text strings.Builder
		for _, s := range clause {
			text.WriteString(s.Text + "\n")
		}
		leaves := func(s syntax.Statement) bool { return leavesFinally.MatchString(s.Text) }
		var behind strings.Builder
		for _, s := range rest[i+len(clause):] {
			behind.WriteString(strings.Repeat(" ", s.Indent) + s.Text + "\n")
		}
		if catchesBroadly.MatchString(clause[0].Text) && !raisesAgain.MatchString(text.String()) && !raisedLater(keepsPython, raisesKept, text.String(), behind.String()) ||
			strings.HasPrefix(clause[0].Text, "finally") && slices.ContainsFunc(clause, leaves) {
			found = append(found, catching{clause[0].Line, text.String()})
		}
		i += len(clause)
	}
	return found
}

// pythonParameters are the names of a list of parameters.
func pythonParameters(list string) map[string]bool {
	names := parametersOf(list)
	delete(names, "self")
	delete(names, "cls")
	return names
}

// parametersOf are the names of a list of parameters of Python, JavaScript or TypeScript.
func parametersOf(list string) map[string]bool {
	names := map[string]bool{}
	for part := range strings.SplitSeq(list, ",") {
		if words := syntax.Identifier.FindAllString(syntax.Before(syntax.Before(part, ":"), "="), 1); len(words) > 0 {
			names[words[0]] = true
		}
	}
	return names
}

// called matches a call of a function by its name, or of a method by that with its dot.
var called = lazyregexp.New(`(\.?)([\w$]+)(?:\?\.|\.(?:call|apply))?\(`)

// callsOf are the offsets in a text at which it calls a function of one of the names.
func callsOf(names map[string]bool, text string) (offsets []int) {
	for _, m := range called.FindAllStringSubmatchIndex(text, -1) {
		if m[2] == m[3] && names[text[m[4]:m[5]]] {
			offsets = append(offsets, m[4])
		}
	}
	return offsets
}
