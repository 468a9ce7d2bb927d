package canary

import (
	"math/rand/v2"
	"path"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Own tests that end with a comparison of a call and a literal, or a list or table of such, get
// another literal. They fail like all own tests that are made to; but where the product looks up in
// the text of its tests what they expect, or answers with what equals any value, they pass.

// asserting is how a line compares a call with a value that is written out: what stands before the
// call, between both, and behind the value. In Go the line below must fail the test.
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
	// fails matches the line below a comparison.
	fails *lazyregexp.Regexp
	// rows matches the body of a test that compares with the last field of the rows of a table.
	rows *lazyregexp.Regexp
}

// inTableRow matches a row of a table that ends with a literal, the second of its groups.
var inTableRow = lazyregexp.New(`^(\s+(?:"[^"\n]*":\s*)?\{(?:.*[\s,:])?)` + inDouble + `(\},)$`)

var testForms = map[string]testForm{
	".py": {
		begins: lazyregexp.New(`^([ \t]*)(?:async )?def (test\w*)\(.*\).*:\s*(?:#.*)?$`),
		compare: []asserting{
			{lazyregexp.New(`^assert\s+(?:await\s+)?`), lazyregexp.New(`^\s*==\s*`), lazyregexp.New(`^\s*(?:[,#].*)?$`)},
			{lazyregexp.New(`^self\.assert(?:Equals?|(?:List|Dict|Tuple|Set|Sequence)Equal)\(\s*(?:await\s+)?`), lazyregexp.New(`^\s*,\s*`), lazyregexp.New(`^\s*(?:,.*)?\)\s*(?:#.*)?$`)},
		},
		literal: aLiteral,
	},
	".go": {
		begins: lazyregexp.New(`^()func (Test\w*)\(\w+ \*testing\.T\) \{$`), ends: "}",
		compare: []asserting{
			{lazyregexp.New(`^if (?:\w+ := )?`), lazyregexp.New(`^(?:; \w+)? != `), lazyregexp.New(`^ \{$`)},
			{lazyregexp.New(`^if !(?:slices\.Equal|maps\.Equal|reflect\.DeepEqual)\(`), lazyregexp.New(`^, (?:\[\]|map\[\w+\])\w+`), lazyregexp.New(`^\) \{$`)},
		},
		literal: aDouble,
		fails:   lazyregexp.New(`\.(?:Error|Fatal|Fail)\w*\(`),
		rows: lazyregexp.New(`(?s)struct\s*\{[^{}]*\b(?:want|wanted|expected|expect|exp)\s+(?:string|u?int\w*|float\w+)\s*\}` +
			`.*(?:!= \w+\.(?:want|wanted|expected|expect|exp) \{\n[^\n]*\.(?:Error|Fatal|Fail)|\b(?:assert|require)\.Equal\([^\n]*\b\w+\.(?:want|wanted|expected|expect|exp)\b)`),
	},
	".rs": {
		begins: lazyregexp.New(`^([ \t]*)(?:async )?fn (\w+)\(\)[^{;]*\{$`), marks: lazyregexp.New(`#\[(?:\w+::)*test\b`), ends: "}",
		compare: []asserting{{lazyregexp.New(`^assert_eq!\(\s*`), lazyregexp.New(`^\s*,\s*(?:vec!)?`), lazyregexp.New(`^\s*(?:,.*)?\);.*$`)}},
		literal: aDouble,
	},
	".js": {
		begins: lazyregexp.New(`^([ \t]*)(?:test|it)\(\s*(?:"([^"\\]+)"|'([^'\\]+)')\s*,\s*(?:async\s*)?(?:function\s*)?(?:\([^()]*\)|\w+)\s*(?:=>\s*)?\{$`), ends: "})",
		compare: []asserting{
			{lazyregexp.New(`^(?:await\s+)?(?:assert|t)(?:\.strict)?\.(?:equal|strictEqual|deepEqual|deepStrictEqual|is)\(\s*(?:await\s+)?`), lazyregexp.New(`^\s*,\s*`), lazyregexp.New(`^\s*(?:,.*)?\);?\s*(?://.*)?$`)},
			{lazyregexp.New(`^(?:await\s+)?expect\(\s*(?:await\s+)?`), lazyregexp.New(`^\s*\)\.(?:toBe|toEqual|toStrictEqual|to\.equal|to\.eql|to\.be\.equal|to\.deep\.equal)\(\s*`), lazyregexp.New(`^\s*\);?\s*(?://.*)?$`)},
		},
		literal: aLiteral,
	},
}

// uncertain matches what may keep a test from its last comparison, or let it fail there.
var uncertain = lazyregexp.New(`\breturn\b|\byield\b|\bcontinue\b|\bbreak\b|(?i:skip)|xfail|should_panic|\btodo\b|"""|'''`)

// expectingOther changes what the tests of a file expect, and returns their names. A test is
// changed at its last comparison among the statements of its body, which all run; one whose name
// another has in the same file is left alone.
func expectingOther(file, text string) (changed string, names []string) {
	ext := path.Ext(file)
	if slices.Contains(scriptEnds, ext) {
		ext = ".js"
	}
	form, known := testForms[ext]
	if !known {
		return text, nil
	}
	lines := strings.Split(text, "\n")
	times := map[string]int{}
	for _, line := range lines {
		if m := form.begins.FindStringSubmatch(line); m != nil {
			times[strings.Join(m[2:], "")]++
		}
	}
	for at, line := range lines {
		m := form.begins.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name, end, before := strings.Join(m[2:], ""), form.end(lines, at, m[1]), lines[max(at-1, 0)]
		if times[name] > 1 || form.marks != nil && !form.marks.MatchString(before) || strings.HasPrefix(strings.TrimSpace(before), "@") || uncertain.MatchString(before+"\n"+strings.Join(lines[at:end], "\n")) {
			continue
		}
		if n, other := form.lastComparison(lines[at+1 : end]); other != "" {
			lines[at+1+n] = other
			names = append(names, name)
		}
	}
	return strings.Join(lines, "\n"), names
}

// end is the line behind the body of the test that begins in a line with this indentation.
func (f testForm) end(lines []string, at int, indent string) int {
	for n := at + 1; n < len(lines); n++ {
		line := lines[n]
		switch deeper := len(line) > len(indent) && strings.HasPrefix(line, indent) && strings.ContainsAny(line[len(indent):len(indent)+1], " \t"); {
		case deeper, strings.TrimSpace(line) == "":
		case f.ends == "" || strings.HasPrefix(line, indent+f.ends):
			return n
		default: // the text is not laid out as expected
			return at + 1
		}
	}
	return len(lines)
}

// lastComparison is the last of the lines of a body that compares, with another literal, and
// its number.
func (f testForm) lastComparison(body []string) (at int, other string) {
	indent := ""
	for _, line := range body {
		if code := strings.TrimLeft(line, " \t"); code != "" {
			indent = line[:len(line)-len(code)]
			break
		}
	}
	rows := f.rows != nil && f.rows.MatchString(strings.Join(body, "\n"))
	for n, line := range body {
		if rows {
			if m := inTableRow.FindStringSubmatch(line); m != nil {
				if value := OtherValue(m[2]); value != "" {
					at, other = n, m[1]+value+m[3]
				}
			}
			continue
		}
		code := strings.TrimPrefix(line, indent)
		if len(code) == len(line) || code == "" || code[0] == ' ' || code[0] == '\t' {
			continue
		}
		if f.fails != nil && (n+1 == len(body) || !f.fails.MatchString(body[n+1])) {
			continue
		}
		for _, c := range f.compare {
			if line := f.otherwise(c, code); line != "" {
				at, other = n, indent+line
			}
		}
	}
	return at, other
}

// otherwise is a line that compares, with another literal; "" where it does not, or none is known.
func (f testForm) otherwise(c asserting, code string) string {
	before := prefix(c.before, code)
	call := before + callIn(code[before:])
	if before == 0 || call == before {
		return ""
	}
	begin := call + prefix(c.between, code[call:])
	if begin == call {
		return ""
	}
	end := begin + f.value(code[begin:])
	if end == begin || !c.behind.MatchString(code[end:]) {
		return ""
	}
	literals := f.literal.FindAllStringIndex(code[begin:end], -1)
	last := literals[len(literals)-1]
	value := OtherValue(code[begin+last[0] : begin+last[1]])
	if value == "" {
		return ""
	}
	return code[:begin+last[0]] + value + code[begin+last[1]:]
}

// value is the length of the value at the beginning of a text that is written out: a literal, or
// brackets with nothing but such; 0 is none.
func (f testForm) value(text string) int {
	if size := prefix(f.literal, text); size > 0 || text == "" || !strings.ContainsAny(text[:1], "([{") {
		return size
	}
	size := bracketed(text)
	if of := text[:size]; !f.literal.MatchString(of) || strings.TrimSpace(noLiteral.ReplaceAllString(quoted.ReplaceAllString(of, ""), "")) != "" {
		return 0
	}
	return size
}

// callIn is the length of the call at the beginning of a text, with what it takes of the
// answer: f(1), a.f(g(2))[0].b(). 0 is none.
func callIn(text string) (length int) {
	if length = prefix(callee, text); length == 0 || !strings.HasPrefix(text[length:], "(") {
		return 0
	}
	for {
		if length < len(text) && (text[length] == '(' || text[length] == '[') {
			size := bracketed(text[length:])
			if size == 0 {
				return 0
			}
			length += size
			continue
		}
		size := prefix(member, text[length:])
		if size == 0 {
			return length
		}
		length += size
	}
}

var (
	callee = lazyregexp.New(`^(?:new\s+)?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*!?`)
	member = lazyregexp.New(`^(?:\??\.|::)[A-Za-z_$][\w$]*`)
)

// prefix is the length of what a pattern matches at the beginning of a text; 0 is none.
func prefix(pattern *lazyregexp.Regexp, text string) int {
	if at := pattern.FindIndex([]byte(text)); at != nil && at[0] == 0 {
		return at[1]
	}
	return 0
}

// bracketed is the length of the brackets at the beginning of a text; 0 where they do not end, or
// have backquotes in them, whose text may have code.
func bracketed(text string) int {
	inside, closed := syntax.InBrackets(text[1:])
	if !closed || strings.Contains(inside, "`") {
		return 0
	}
	return len(inside) + 2
}

// OtherValue is another literal of the same type and size: a smaller number fits wherever the
// first one did. A text without a letter or digit has none.
func OtherValue(literal string) string {
	if strings.ContainsAny(literal[:1], `"'`) {
		for at := len(literal) - 2; at > 0; at-- {
			switch c := literal[at]; {
			case c >= '0' && c <= '8', c >= 'a' && c <= 'y', c >= 'A' && c <= 'Y':
				return literal[:at] + string(c+1) + literal[at+1:]
			case c == '9', c == 'z', c == 'Z':
				return literal[:at] + string(c-1) + literal[at+1:]
			}
		}
		return ""
	}
	whole, part, _ := strings.Cut(strings.ReplaceAll(literal, "_", ""), ".")
	if part != "" {
		part = "." + part
	}
	digits := strings.TrimPrefix(whole, "-")
	sign := whole[:len(whole)-len(digits)]
	n, err := strconv.Atoi(digits)
	switch {
	case err != nil:
		return ""
	case n < 2:
		n += 2 + rand.IntN(100) //nolint:gosec // nothing is to be kept secret
	default:
		n -= 1 + rand.IntN((n+1)/2) //nolint:gosec // as above
	}
	return sign + strconv.Itoa(n) + part
}
