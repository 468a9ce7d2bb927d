package proof

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A failing assertion is an exception. The product runs parts of tests: the body of a with
// statement of Python, a function that the test gives it. Where it catches every exception
// there and raises none again, a test passes whatever it asserts in such a part.

// catchesAll is what lines do that catch failing assertions.
const catchesAll = "catches every error of a function that it is given, so that a failing assertion in it is not seen"

// catching is a place where code of the caller runs and every exception is caught.
type catching struct {
	line int
	// text is the code that catches, by which it is known in another version of the file.
	text string
}

// catching are the places of a changed source that it did not have before, nor any other
// source of the base that the work changes.
func (h helpers) catching(p, lang, text string, old map[string]bool) ([]Suspect, error) {
	data, err := h.contentOf(h.base[p])
	if err != nil {
		return nil, err
	}
	return catchingIn(p, lang, inLines(lang, data), text, old), nil
}

// catchingIn are the places of a source that base, its earlier text, does not have like this.
func catchingIn(file, lang, base, text string, old map[string]bool) (out []Suspect) {
	find := map[string]func(string) []catching{"python": catchingPython, "js": catchingScript}[lang]
	if find == nil {
		return nil
	}
	known := find(withoutComments(lang, base))
	for _, c := range find(withoutComments(lang, text)) {
		had := slices.ContainsFunc(known, func(k catching) bool { return k.text == c.text })
		if !had && (base != "" || !oldBody(c.text, old)) {
			out = append(out, Suspect{Path: file, Line: c.line, What: catchesAll})
		}
	}
	return out
}

// withoutComments is a text with the same lines and without comments in the usual places.
func withoutComments(lang, text string) string {
	return strings.Join(codeLines(lang, strings.Split(text, "\n")), "\n")
}

// pythonFunction matches the beginning of a function of Python; its groups are the name and the
// parameters.
var pythonFunction = lazyregexp.New(`(?s)^(?:async\s+)?def\s+(\w+)\s*\((.*)\)[^()]*:`)

var (
	contextManager = lazyregexp.New(`^@[\w.]*contextmanager\b`)
	// trueAtExit matches a return by which the end of a with statement hides every exception.
	trueAtExit = lazyregexp.New(`\breturn\s+(?:True\b|1\b|not\b|bool\(|[^\n]*\bis\s+not\s+None\b)`)
	// catchesBroadly and suppressesAll match what catches failing assertions among others.
	catchesBroadly = lazyregexp.New(`^except\s*\*?\s*(?::|[^:]*\b(?:Exception|BaseException|AssertionError)\b)`)
	suppressesAll  = lazyregexp.New(`^(?:async\s+)?with\b[^\n]*\bsuppress\([^)]*\b(?:Exception|BaseException|AssertionError)\b`)
	raisesAgain    = lazyregexp.New(`\braise\b|\.(?:set_exception|throw|fail)\(`)
	leavesFinally  = lazyregexp.New(`^(?:finally\s*:\s*)?(?:return|break|continue)\b`)
	tryClause      = lazyregexp.New(`^(?:except\b|else\s*:|finally\s*:)`)
	yields         = lazyregexp.New(`\byield\b`)
)

func catchingPython(text string) (found []catching) {
	all := statements(text)
	for i, s := range all {
		m := pythonFunction.FindStringSubmatch(s.text)
		if m == nil {
			continue
		}
		body := withoutFunctions(blockOf(all, i))
		if m[1] == "__exit__" || m[1] == "__aexit__" {
			for _, b := range body {
				if trueAtExit.MatchString(b.text) {
					found = append(found, catching{b.line, b.text})
				}
			}
		}
		if i > 0 && contextManager.MatchString(all[i-1].text) && all[i-1].indent == s.indent {
			found = append(found, caughtPython(body, yields.MatchString)...)
		}
		if names := pythonParameters(m[2]); len(names) > 0 {
			found = append(found, caughtPython(body, func(code string) bool { return len(callsOf(names, code)) > 0 })...)
		}
	}
	return found
}

// blockOf are the statements in the block that one of them begins.
func blockOf(all []statement, at int) []statement {
	end := at + 1
	for end < len(all) && all[end].indent > all[at].indent {
		end++
	}
	return all[at+1 : end]
}

// withoutFunctions are the statements of a body that are not in a function inside of it.
func withoutFunctions(body []statement) (out []statement) {
	for i := 0; i < len(body); i++ {
		if pythonFunction.MatchString(body[i].text) {
			i += len(blockOf(body, i))
			continue
		}
		out = append(out, body[i])
	}
	return out
}

// caughtPython are the places of a body where statements that run code of the caller stand, and
// every exception is caught.
func caughtPython(body []statement, handed func(code string) bool) (found []catching) {
	for i, s := range body {
		guarded := blockOf(body, i)
		runs := slices.ContainsFunc(append(slices.Clone(guarded), s), func(g statement) bool { return handed(g.text) })
		switch {
		case !runs:
		case suppressesAll.MatchString(s.text):
			found = append(found, catching{s.line, s.text})
		case strings.HasPrefix(s.text, "try:"):
			found = append(found, clausesThatCatch(body[i+1+len(guarded):], s.indent)...)
		}
	}
	return found
}

// clausesThatCatch are those of a try statement, which statements begin with, that let no
// exception out.
func clausesThatCatch(rest []statement, indent int) (found []catching) {
	for i := 0; i < len(rest) && rest[i].indent == indent && tryClause.MatchString(rest[i].text); {
		clause := rest[i : i+1+len(blockOf(rest, i))]
		var text strings.Builder
		for _, s := range clause {
			text.WriteString(s.text + "\n")
		}
		leaves := func(s statement) bool { return leavesFinally.MatchString(s.text) }
		var behind strings.Builder
		for _, s := range rest[i+len(clause):] {
			behind.WriteString(strings.Repeat(" ", s.indent) + s.text + "\n")
		}
		if catchesBroadly.MatchString(clause[0].text) && !raisesAgain.MatchString(text.String()) && !raisedLater(keepsPython, raisesKept, text.String(), behind.String()) ||
			strings.HasPrefix(clause[0].text, "finally") && slices.ContainsFunc(clause, leaves) {
			found = append(found, catching{clause[0].line, text.String()})
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
		if words := identifier.FindAllString(before(before(part, ":"), "="), 1); len(words) > 0 {
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
