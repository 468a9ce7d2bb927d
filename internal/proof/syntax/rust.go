package syntax

import "ralph/internal/lazyregexp"

// unitTests matches the beginning of a module of unit tests in a file of Rust, up to
// its brace.
var unitTests = lazyregexp.New(`(?m)^[ \t]*#\[cfg\((?:test|(?:all|any)\([^\]\n]*\btest\b[^\]\n]*\))\)\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub(?:\([a-z]+\))? )?mod (\w+)\s*\{`)

// testFunction matches the beginning of a test that stands in no module, up to its brace.
var testFunction = lazyregexp.New(`(?m)^(?:#\[[^\]\n]*\]\s*)*#\[(?:\w+::)*test\b[^\]\n]*\]\s*(?:#\[[^\]\n]*\]\s*)*(?:pub )?(?:async )?fn (\w+)\s*\([^)]*\)[^{;]*\{`)

// UnitModules are the modules of unit tests, and tests outside of them, by name, with
// their attributes.
func UnitModules(source string) map[string]string {
	out := map[string]string{}
	for _, begin := range []*lazyregexp.Regexp{unitTests, testFunction} {
		for _, m := range begin.FindAllStringSubmatchIndex(source, -1) {
			if end := RustBlockEnd(source, m[1]); end > 0 {
				out[source[m[2]:m[3]]] = source[m[0]:end]
			}
		}
	}
	return out
}

// token of Rust that may hold braces which close nothing: comments, strings and
// characters.
var rustToken = lazyregexp.New(`(?s)//[^\n]*|/\*.*?\*/|r#+".*?"#+|r".*?"|"(?:\\.|[^"\\])*"|'(?:\\.[^']*|[^'\\])'|[{}]`)

// RustBlockEnd returns where the brace that is open at from is closed, after it; 0 where it
// is not.
func RustBlockEnd(source string, from int) int {
	depth := 1
	for _, t := range rustToken.FindAllStringIndex(source[from:], -1) {
		switch source[from+t[0] : from+t[1]] {
		case "{":
			depth++
		case "}":
			if depth--; depth == 0 {
				return from + t[1]
			}
		}
	}
	return 0
}
