package canary

import (
	"math/rand/v2"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Own tests that end with a comparison with a literal, or a list or table of such, get another
// literal. They fail like all own tests that are made to; but where the product looks up in
// the text of its tests what they expect, or answers with what equals any value, they pass.

// uncertain matches what may keep a test from its last comparison, or let it fail there, and texts
// of several lines, which may hold another test.
var uncertain = lazyregexp.New(`(?m)\breturn\b|\byield\b|\bcontinue\b|\bbreak\b|(?i:skip)|xfail|should_panic|\btodo\b|"""|'''|\br#+"|` +
	"^[^`\n]*`(?:[^`\n]*`[^`\n]*`)*[^`\n]*$")

// expectingOther changes what the tests of a file expect, and returns their names. A test is
// changed at its last comparison among the statements of its body, which all run; one whose name
// another has in the same file is left alone.
func expectingOther(file, text string) (changed string, names []string) {
	ext := path.Ext(file)
	if slices.Contains(scriptEnds, ext) {
		ext = ".js"
	}
	form, known := testForms()[ext]
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
		if strings.HasPrefix(code, "if ") && (f.fails == nil || n+1 == len(body) || !f.fails.MatchString(body[n+1])) {
			continue
		}
		for _, c := range f.compare {
			if m, line := f.otherwise(c, body, n, indent); line != "" {
				at, other = m, line
			}
		}
	}
	return at, other
}

// otherwise is the line that holds what a comparison expects, with another literal, and its number:
// the comparison itself, or one that gives a name to it; "" where it is no comparison, or no other
// value is known.
func (f testForm) otherwise(c asserting, body []string, n int, indent string) (at int, other string) {
	line := body[n]
	first := len(indent) + prefix(c.before, line[len(indent):])
	firstEnd := first + f.term(line[first:])
	second := firstEnd + prefix(c.between, line[firstEnd:])
	secondEnd := second + f.term(line[second:])
	if first == len(indent) || firstEnd == first || second == firstEnd || secondEnd == second || !c.behind.MatchString(line[secondEnd:]) {
		return 0, ""
	}
	terms := [][2]int{{second, secondEnd}, {first, firstEnd}}
	for i, t := range terms {
		of, beside := line[t[0]:t[1]], line[terms[1-i][0]:terms[1-i][1]]
		switch {
		case f.value(beside) > 0:
		case f.value(of) > 0:
			return n, f.otherIn(line, t[0], t[1])
		default:
			if m, other := f.otherNamed(body, n, indent, of, beside); other != "" {
				return m, other
			}
		}
	}
	return 0, ""
}

// otherNamed is the line that gives a name to a value that is written out, with another literal,
// where nothing but the comparison in line n and messages use the name; "" where it is none.
func (f testForm) otherNamed(body []string, n int, indent, name, beside string) (at int, other string) {
	use := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	if !expectedName.MatchString(name) || use.MatchString(beside) {
		return 0, ""
	}
	for m, line := range body {
		if m == n || !use.MatchString(line) || f.fails != nil && f.fails.MatchString(line) {
			continue
		}
		code, inBody := strings.CutPrefix(line, indent)
		head := prefix(declares, code)
		rest, named := strings.CutPrefix(code[head:], name)
		begin := len(line) - len(rest) + prefix(f.assigns, rest)
		end := begin + f.value(line[begin:])
		if m > n || other != "" || !inBody || !named || begin == len(line)-len(rest) || end == begin || !endsLine.MatchString(line[end:]) {
			return 0, ""
		}
		if at, other = m, f.otherIn(line, begin, end); other == "" {
			return 0, ""
		}
	}
	return at, other
}

var (
	expectedName = lazyregexp.New(`^\w*(?i:want|expect|exp)\w*$`)
	// declares matches what stands before a name that gets a value, endsLine what may stand behind.
	declares = lazyregexp.New(`^(?:(?:const|let|var)\s+(?:mut\s+)?)?`)
	endsLine = lazyregexp.New(`^\s*;?\s*(?:(?:#|//).*)?$`)
)

// otherIn is a line with another literal in the place of the last one between two offsets; "" where
// none is known.
func (f testForm) otherIn(line string, begin, end int) string {
	literals := f.literal.FindAllStringIndex(line[begin:end], -1)
	last := literals[len(literals)-1]
	value := OtherValue(line[begin+last[0] : begin+last[1]])
	if value == "" {
		return ""
	}
	return line[:begin+last[0]] + value + line[begin+last[1]:]
}

// term is the length of what stands at the beginning of a text and is compared: a value that is
// written out, a name or a call.
func (f testForm) term(text string) int {
	if size := f.value(text); size > 0 {
		return size
	}
	return callIn(text)
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

// callIn is the length of the name or call at the beginning of a text, with what it takes of the
// answer: x, f(1), a.f(g(2))[0].b(). 0 is none.
func callIn(text string) (length int) {
	if length = prefix(callee, text); length == 0 {
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
		n -= 1 + rand.IntN(n/2) //nolint:gosec // as above
	}
	return sign + strconv.Itoa(n) + part
}
