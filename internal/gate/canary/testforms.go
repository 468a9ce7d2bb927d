package canary

import (
	"sync"

	"ralph/internal/lazyregexp"
)

// asserting is how a line compares two values: what stands before the first, between both, and
// behind the second.
type asserting struct{ before, between, behind *lazyregexp.Regexp }

// inDouble matches a number or text of Go and Rust, which have no texts in single quotes.
const inDouble = `(-?\d[\d_]*(?:\.\d+)?|"[^"\\\n]+")`

// aLiteral matches one of Python and JavaScript, aDouble one of Go and Rust.
var (
	aLiteral = lazyregexp.New(`-?\d[\d_]*(?:\.\d+)?|"[^"\\\n]+"|'[^'\\\n]+'`)
	aDouble  = lazyregexp.New(inDouble)
)

// testForm is how tests of a language are written over several lines.
type testForm struct {
	// begins matches the first line; its groups are the indentation and the name. marks, where
	// it is not nil, matches the line before that.
	begins, marks *lazyregexp.Regexp
	// ends is the last line, behind that indentation; without it, a test ends where that is left.
	ends    string
	compare []asserting
	// literal matches a number or text.
	literal *lazyregexp.Regexp
	// assigns matches what may stand before a value that is given a name, behind that.
	assigns *lazyregexp.Regexp
	// fails matches a line that fails the test, such as that below an "if".
	fails *lazyregexp.Regexp
	// rows matches the body of a test that compares with the last field of the rows of a table.
	rows *lazyregexp.Regexp
}

// inTableRow matches a row of a table that ends with a literal, the second of its groups.
var inTableRow = lazyregexp.New(`^(\s+(?:"[^"\n]*":\s*)?\{(?:.*[\s,:])?)` + inDouble + `(\},)$`)

// testForms are made when a test is first looked at: few commands do.
var testForms = sync.OnceValue(func() map[string]testForm {
	return map[string]testForm{
		".py": {
			begins: lazyregexp.New(`^([ \t]*)(?:async )?def (test\w*)\(.*\).*:\s*(?:#.*)?$`),
			compare: []asserting{
				{lazyregexp.New(`^assert\s+(?:await\s+)?`), lazyregexp.New(`^\s*==\s*`), lazyregexp.New(`^\s*(?:[,#].*)?$`)},
				{lazyregexp.New(`^self\.assert(?:Equals?|(?:List|Dict|Tuple|Set|Sequence)Equal)\(\s*(?:await\s+)?`), lazyregexp.New(`^\s*,\s*`), lazyregexp.New(`^\s*(?:,.*)?\)\s*(?:#.*)?$`)},
			},
			literal: aLiteral, assigns: lazyregexp.New(`^(?:\s*:\s*[\w\[\], ]+)?\s*=\s*`),
		},
		".go": {
			begins: lazyregexp.New(`^()func (Test\w*)\(\w+ \*testing\.T\) \{$`), ends: "}",
			compare: []asserting{
				{lazyregexp.New(`^if (?:\w+ := )?`), lazyregexp.New(`^(?:; \w+)? != `), lazyregexp.New(`^ \{$`)},
				{lazyregexp.New(`^if !(?:slices\.Equal|maps\.Equal|reflect\.DeepEqual)\(`), lazyregexp.New(`^, (?:` + goType + `)?`), lazyregexp.New(`^\) \{$`)},
				{lazyregexp.New(`^if diff := cmp\.Diff\((?:` + goType + `)?`), lazyregexp.New(`^, (?:` + goType + `)?`), lazyregexp.New(`^\); diff != "" \{$`)},
				{lazyregexp.New(`^(?:assert|require)\.Equal\(t, (?:` + goType + `)?`), lazyregexp.New(`^, (?:` + goType + `)?`), lazyregexp.New(`^(?:, .*)?\)$`)},
			},
			literal: aDouble, assigns: lazyregexp.New(`^ :?= (?:` + goType + `)?`),
			fails: lazyregexp.New(`\.(?:Error|Fatal|Fail)\w*\(`),
			rows: lazyregexp.New(`(?s)struct\s*\{[^{}]*\b(?:want|wanted|expected|expect|exp)\s+(?:string|u?int\w*|float\w+)\s*\}` +
				`.*(?:!= \w+\.(?:want|wanted|expected|expect|exp) \{\n[^\n]*\.(?:Error|Fatal|Fail)|\b(?:assert|require)\.Equal\([^\n]*\b\w+\.(?:want|wanted|expected|expect|exp)\b)`),
		},
		".rs": {
			begins: lazyregexp.New(`^([ \t]*)(?:async )?fn (\w+)\(\)[^{;]*\{$`), marks: lazyregexp.New(`#\[(?:\w+::)*test\b`), ends: "}",
			compare: []asserting{{lazyregexp.New(`^assert_eq!\(\s*`), lazyregexp.New(`^\s*,\s*(?:vec!)?`), lazyregexp.New(`^\s*(?:,.*)?\);.*$`)}},
			literal: aDouble, assigns: lazyregexp.New(`^(?:\s*:\s*[\w&<>\[\], ]+)?\s*=\s*(?:vec!)?`),
		},
		".js": {
			begins: lazyregexp.New(`^([ \t]*)(?:test|it)\(\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*,\s*(?:async\s*)?(?:function\s*)?(?:\([^()]*\)|\w+)\s*(?:=>\s*)?\{$`), ends: "})",
			compare: []asserting{
				{lazyregexp.New(`^(?:await\s+)?(?:assert|t)(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual|is)\(\s*(?:await\s+)?`), lazyregexp.New(`^\s*,\s*`), lazyregexp.New(`^\s*(?:,.*)?\);?\s*(?://.*)?$`)},
				{lazyregexp.New(`^(?:await\s+)?expect\(\s*(?:await\s+)?`), lazyregexp.New(`^\s*\)\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql|to\.be\.equal|to\.deep\.equal)\(\s*`), lazyregexp.New(`^\s*\);?\s*(?://.*)?$`)},
			},
			literal: aLiteral, assigns: lazyregexp.New(`^(?:\s*:\s*[\w<>\[\], ]+)?\s*=\s*`),
		},
	}
})

// goType matches the type before the braces of a slice or map of Go.
const goType = `(?:\[\]|map\[\w+\])\w+`
