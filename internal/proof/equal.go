package proof

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// equality matches a comparison that a class of Python defines: its line, the name of
	// the other object, and the first lines of its body.
	equality = lazyregexp.New(`(?m)^([ \t]+)def __(?:eq|ne)__\(self,\s*(\w+)[^\n]*\n((?:[ \t]+[^\n]*\n?|\n){1,8})`)
	// valueClass matches a class of Python that is a value with another comparison.
	valueClass = lazyregexp.New(`(?m)^[ \t]*class \w+\([^)\n]*\b(?:str|int|float|complex|bool|bytes|bytearray|list|tuple|dict|set|frozenset|Decimal|Fraction)\b`)
)

// lenientIn are the new comparisons of a file of Python that may find anything equal:
// they look at no attribute of the other object, or belong to a text, a number or a
// collection, whose own comparison they replace.
func lenientIn(file, text string, old map[string]bool) (out []Suspect) {
	if languageOf(file) != "python" {
		return nil
	}
	values := valueClass.MatchString(text)
	for _, at := range equality.FindAllStringSubmatchIndex(text, -1) {
		part := func(n int) string { return text[at[2*n]:at[2*n+1]] }
		line, _, _ := strings.Cut(text[at[0]:], "\n")
		if new := !old[strings.TrimSpace(line)] || !oldBody(part(3), old); new && (values || !looksAt(part(3), part(2))) {
			out = append(out, Suspect{Path: file, Line: 1 + strings.Count(text[:at[0]], "\n"), What: equalsAll})
		}
	}
	return out
}

// looksAt reports whether a comparison looks at an attribute of the other object, or at what
// the other object is as a text, as it does with its own.
func looksAt(body, other string) bool {
	return strings.Contains(body, other+".") || strings.Contains(body, "return str(self) == str("+other+")")
}

// oldBody reports whether every line was there before.
func oldBody(body string, old map[string]bool) bool {
	for line := range strings.Lines(body) {
		if code := strings.TrimSpace(line); code != "" && !old[code] {
			return false
		}
	}
	return true
}
