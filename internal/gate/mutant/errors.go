package mutant

import (
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// failure replaces a range of a line.
type failure struct {
	from, to int
	with     string
}

// operators are the errors that are usual: an operator between spaces, and the one that
// takes its place.
func operators() []string {
	return []string{
		"<=", "<", ">=", ">", "<", "<=", ">", ">=", "==", "!=", "!=", "==", "===", "!==", "!==", "===",
		"&&", "||", "||", "&&", "and", "or", "or", "and",
		"+", "-", "-", "+", "*", "+", "/", "*", "//", "*", "%", "*", "+=", "-=", "-=", "+=", "*=", "+=",
	}
}

var (
	operator = lazyregexp.New(` (<=|>=|===?|!==?|<|>|&&|\|\||and|or|[-+*]=|//|[-+*/%]) `)
	// tight matches an operator of Go between operands, where gofmt leaves no spaces.
	tight    = lazyregexp.New(`[\w)]([-+*/%])[\w(]`)
	exponent = lazyregexp.New(`(?:^|\W)[\d.]+[eEpP]$`)
	// besideError matches a return of Go with an error: no caller looks at the other values.
	besideError = lazyregexp.New(`\breturn\s+[^,]+,.*(?:\berr\b|[eE]rror|\berrors\.|\bErr[A-Z])`)
	condition   = lazyregexp.New(`^\s*(?:\}\s*else\s+)?(?:el)?if\s*(?:\((.*)\)\s*\{?|(.*?)\s*[:{])\s*$`)
	binding     = lazyregexp.New(`;|:=|\blet\b`)
	returned    = lazyregexp.New(`\breturn\s+([^;]+?)\s*;?\s*$`)
	truth       = lazyregexp.New(`\b(?:true|false|True|False)\b`)
	number      = lazyregexp.New(`(?:^|[^\w.])(\d{1,9})(?:\.\d+)?(?:$|[^\w.])`)
)

// errorsIn are the errors that are made in one line: the operators, the returned value, the
// numbers, the truth values, the condition.
func (l language) errorsIn(masked, code string) (found []failure) {
	all := operators()
	places := operator.FindAllStringSubmatchIndex(masked, -1)
	if l.tight {
		places = append(places, tightIn(masked)...)
	}
	for _, m := range places {
		if masked[m[2]:m[3]] == "+" && joinsTexts(masked[:m[2]], masked[m[3]:]) {
			continue
		}
		for i := 0; i < len(all); i += 2 {
			if masked[m[2]:m[3]] == all[i] {
				found = append(found, failure{m[2], m[3], all[i+1]})
			}
		}
	}
	found = append(found, l.returnsOther(masked, code)...)
	if l.tight && besideError.MatchString(masked) {
		return append(found, l.otherWayRound(masked, code)...)
	}
	for _, m := range number.FindAllStringSubmatchIndex(masked, -1) {
		if n, err := strconv.Atoi(masked[m[2]:m[3]]); err == nil {
			found = append(found, failure{m[2], m[3], strconv.Itoa(n + 1)})
		}
	}
	for _, m := range truth.FindAllStringIndex(masked, -1) {
		other := map[string]string{"true": "false", "false": "true", "True": "False", "False": "True"}[masked[m[0]:m[1]]]
		found = append(found, failure{m[0], m[1], other})
	}
	return append(found, l.otherWayRound(masked, code)...)
}

// joinsTexts reports whether a text stands beside an operator: no text is subtracted.
func joinsTexts(before, after string) bool {
	before, after = strings.TrimRight(before, " "), strings.TrimLeft(after, " ")
	return before != "" && isQuote(before[len(before)-1]) || after != "" && isQuote(after[0])
}

// tightIn are the operators of Go without spaces; the sign of an exponent is none.
func tightIn(masked string) (found [][]int) {
	for _, m := range tight.FindAllStringSubmatchIndex(masked, -1) {
		if !exponent.MatchString(masked[:m[2]]) {
			found = append(found, m)
		}
	}
	return found
}

// returnsOther: a returned text gets a letter more, any other value becomes none.
func (l language) returnsOther(masked, code string) []failure {
	m := returned.FindStringSubmatchIndex(masked)
	if m == nil {
		return nil
	}
	value := code[m[2]:m[3]]
	switch {
	case l.isText(value, masked[m[2]:m[3]]):
		return []failure{{m[2], m[3], value[:len(value)-1] + "x" + value[len(value)-1:]}}
	case l.nothing == "" || !balanced(masked[m[2]:m[3]]) || slices.Contains([]string{"None", "nil", "null", "undefined", "true", "false", "True", "False"}, value):
		return nil
	}
	return []failure{{m[2], m[3], l.nothing}}
}

// isText: the value is one text between single quotes, double quotes or backticks.
func (l language) isText(value, masked string) bool {
	if len(value) < 2 || !isQuote(value[0]) || value[0] == '\'' && l.noCode == likeC || strings.HasPrefix(value[1:], value[:1]+value[:1]) {
		return false
	}
	return strings.IndexByte(masked[1:], value[0]) == len(value)-2
}

// otherWayRound: a condition in one line becomes its opposite.
func (l language) otherWayRound(masked, code string) []failure {
	m := condition.FindStringSubmatchIndex(masked)
	if m == nil || binding.MatchString(masked) {
		return nil
	}
	at := 2
	if m[at] < 0 {
		at = 4
	}
	in := masked[m[at]:m[at+1]]
	if in == "" || !balanced(in) {
		return nil
	}
	not := "!"
	if strings.HasSuffix(strings.TrimSpace(masked), ":") && l.noCode == likePython {
		not = "not "
	}
	return []failure{{m[at], m[at+1], not + "(" + code[m[at]:m[at+1]] + ")"}}
}

// balanced: each parenthesis of the text is closed in it.
func balanced(text string) bool {
	depth := 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth < 0 {
				return false
			}
		}
	}
	return depth == 0
}
