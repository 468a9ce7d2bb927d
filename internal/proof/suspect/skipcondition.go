package suspect

import (
	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// A test of the base can ask the product whether it is to run. The ratchet misses one that no
// longer does, but for a gate that failed on the base before it got to its tests.

// switchesTest is what a line does that gives such a switch the value with which tests are skipped.
const switchesTest = "sets a value that makes existing tests skip themselves"

// What skips a test, by language: groups are a negation and the name that it asks, in turn.
var (
	skippedWhenTrue = map[string]*lazyregexp.Regexp{
		"python": lazyregexp.New(`\bskip[iI]f\(\s*(not\s+)?(?:\w+\.)*(\w+)\s*[,)]|\bif\s+(not\s+)?(?:\w+\.)*(\w+)\s*:\s*(?:pytest\.skip|self\.skipTest)\(|\bif\s+(not\s+)?(?:\w+\.)+(\w+)\s*:\s*return\s*(?:\n|$)`),
		"js":     lazyregexp.New(`\bskip\s*:\s*(!?)\s*(?:\w+\.)*(\w+)\s*[,}]|\bskipIf\(\s*(!?)\s*(?:\w+\.)*(\w+)\s*\)`),
		"go":     lazyregexp.New(`\bif\s+(!?)(?:\w+\.)*(\w+)\s*\{\s*(?:\w+\.Skip(?:f|Now)?\(|return\s*\})`),
	}
	skippedWhenFalse = map[string]*lazyregexp.Regexp{
		"python": lazyregexp.New(`\bskipUnless\(\s*(not\s+)?(?:\w+\.)*(\w+)\s*[,)]`),
		"js":     lazyregexp.New(`(!?)(?:\b\w+\.)*\b(\w+)\s*\?\s*(?:test|it|describe)\s*:\s*(?:test|it|describe)\.skip\b|\brunIf\(\s*(!?)\s*(?:\w+\.)*(\w+)\s*\)`),
	}
	// literalSet matches a line that gives a name true, false, or another value that counts as
	// one of them; its groups are the name, and the value where it is false.
	literalSet = lazyregexp.New(`(?m)^[ \t]*(?:(?:export|const|var|let)\s+)*([A-Za-z_]\w*)(?:\s*:\s*\w+|\s+bool)?\s*=\s*(?:([Ff]alse|None|null|undefined|0|""|'')|[Tt]rue|1)[ \t]*;?[ \t]*$`)
)

// switchesTests are the lines of a changed source that give a name, which the base gave another
// value, the value with which a test of the base is skipped.
func (h helpers) switchesTests(c changed) (out []Finding, err error) {
	if skippedWhenTrue[c.lang] == nil || !literalSet.MatchString(c.text) {
		return nil, nil
	}
	read, err := h.textsOf(c.lang)
	if err != nil {
		return nil, err
	}
	skips, was := skippedBy(c.lang, read.tests), truths(syntax.WithoutComments(c.lang, c.was))
	code := syntax.WithoutComments(c.lang, c.text)
	for _, m := range literalSet.FindAllStringSubmatchIndex(code, -1) {
		name, isTrue := code[m[2]:m[3]], m[4] < 0
		before, had := was[name]
		if when, asked := skips[name]; asked && when == isTrue && had && before != isTrue {
			out = append(out, Finding{Path: c.Path, Line: lineOf(code, m[2]), What: switchesTest})
		}
	}
	return out, nil
}

// truths are the names of a source that are true or false, as their last line has it.
func truths(text string) map[string]bool {
	out := map[string]bool{}
	for _, m := range literalSet.FindAllStringSubmatch(text, -1) {
		out[m[1]] = m[2] == ""
	}
	return out
}

// skippedBy are the names that tests ask, with the value by which they are skipped.
func skippedBy(lang, tests string) map[string]bool {
	out := map[string]bool{}
	for when, pattern := range map[bool]*lazyregexp.Regexp{true: skippedWhenTrue[lang], false: skippedWhenFalse[lang]} {
		if pattern == nil {
			continue
		}
		for _, m := range pattern.FindAllStringSubmatch(tests, -1) {
			for i := 1; i < len(m); i += 2 {
				if m[i+1] != "" {
					out[m[i+1]] = when == (m[i] == "")
				}
			}
		}
	}
	return out
}
