package proof

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// A test that the work adds and that is skipped, or expected to fail, shows nothing. The
// ratchet knows the tests of the base only.

// skipsTest is what a line of a new test does that counts for nothing.
const skipsTest = "skips a test, or expects it to fail"

// skips match lines that do so in each run, by language: under a condition a test has a
// reason.
var skips = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`\bpytest\.mark\.(?:skip\b|xfail\b\s*(?:\)|,|\]|$|\(\s*(?:\)|reason|strict|raises|run|["']|$)))|^\s*@(?:unittest\.)?(?:skip\(|expectedFailure\b)|^(?:    |\t)pytest\.(?:skip|xfail)\(|^        self\.skipTest\(`),
	"go":     lazyregexp.New(`^\t\w+\.Skip(?:Now|f)?\(`),
	"js":     lazyregexp.New(`\b(?:it|test|describe|suite|context)\.(?:skip|todo|fails?|failing)\b(?:\.each)?\s*\(|^\s*x(?:it|describe|test|context)\(|^\s*(?:it|test|describe)\([^\n]*\{\s*(?:skip|todo)\s*:\s*(?:true|["'])`),
	"rust":   lazyregexp.New(`^\s*#\[ignore\b`),
}

// skippingIn are the new lines of a file of tests that skip a test in each run.
func skippingIn(file, lang, text string, old map[string]bool) (out []Suspect) {
	pattern := skips[lang]
	if pattern == nil {
		return nil
	}
	lines := strings.Split(text, "\n")
	for n, line := range codeLines(lang, lines) {
		if pattern.MatchString(line) && !old[strings.TrimSpace(lines[n])] {
			out = append(out, Suspect{Path: file, Line: n + 1, What: skipsTest})
		}
	}
	return out
}
