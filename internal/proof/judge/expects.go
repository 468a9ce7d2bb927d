package judge

import (
	"slices"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

const (
	// literalCall is a call with values that are written out; its group is the name.
	literalCall = `(?:[\w$]+(?:\.|::|->))*(\w+)\(\s*&?` + syntax.Literal + `(?:\s*,\s*&?` + syntax.Literal + `)*\s*\)`
	asserting   = `\b(?:assert\w*|equals?|same|expect\w*|strictEqual|deepEqual)(?:\.\w+)?!?\(\s*`
)

// expectations match the comparison of such a call with a value that is written out.
var expectations = []*lazyregexp.Regexp{
	lazyregexp.New(literalCall + `\s*(?:[=!]==?\s*|\.equals\(\s*)` + syntax.Literal),
	lazyregexp.New(syntax.Literal + `\s*[=!]==?\s*` + literalCall),
	lazyregexp.New(asserting + `[^,;\n]*?` + literalCall + `(?:\s*,\s*|\)\s*\.to\w*\(\s*)` + syntax.Literal),
	lazyregexp.New(asserting + syntax.Literal + `\s*,\s*` + literalCall),
}

// usualCalls are calls by which a product looks at its surroundings.
var usualCalls = []string{
	"get", "getenv", "getEnv", "getOrDefault", "getProperty", "input", "open", "fopen", "system", "len", "find", "index", "indexOf", "count", "strcmp",
	"strncmp", "has", "attr", "range", "setlocale", "printf", "print", "println", "puts", "log",
}

// expectsValues reports whether a source compares what the product gives for known values
// with known ones ("tax(50) != 10", "assert_eq!(tax(50), 10)"): products hardly do.
func expectsValues(text string) bool {
	return slices.ContainsFunc(expectations, func(e *lazyregexp.Regexp) bool {
		return slices.ContainsFunc(e.FindAllStringSubmatch(text, -1), func(m []string) bool { return !slices.Contains(usualCalls, m[1]) })
	})
}
