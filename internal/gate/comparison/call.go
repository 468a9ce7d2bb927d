package comparison

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// comparingCall matches the name of a call that compares what it is given; its group is the
	// name.
	comparingCall = lazyregexp.New(`(?:^|[\s;"'{.:(])((?i:assert|check|expect|verify|equals?|strictEqual|deepEqual|deepStrictEqual|same|eq)(?:_\w+|[A-Z]\w*)?!?|toBe|is|is_deeply|cmp_ok|toEqual|toStrictEqual|eql)\(`)
	// comparingWord matches the same as a command of a shell.
	comparingWord = lazyregexp.New(`^\s*(?:@)?(?i:assert|check|expect|verify|equals?|is|same|should|eq)(?:_\w+)?\s`)
)

// inCalls changes the literals that calls of a line compare with.
func inCalls(line string) string {
	for _, m := range slices.Backward(comparingCall.FindAllStringSubmatchIndex(line, -1)) {
		begin, end := m[1], endOfCall(line, m[1])
		if before := line[:m[0]]; end < 0 || branches.MatchString(before) || hasAnd.MatchString(before) || hasOr.MatchString(before) {
			continue
		}
		name := strings.ToLower(line[m[2]:m[3]])
		of := ofAny
		switch {
		case strings.HasPrefix(name, "to"), name == "eql":
			of = ofOne
		case strings.Contains(name, "eq"), strings.Contains(name, "same"), name == "is", name == "is_deeply", name == "cmp_ok":
			of = ofTwo
		}
		line = line[:begin] + otherArguments(line[begin:end], of, ',') + line[end:]
	}
	return line
}

// The arguments with which a call compares: its only one, its first two, or any.
const (
	ofOne = iota
	ofTwo
	ofAny
)

// inChecks changes the literals of a command of a shell that compares what it is given.
func inChecks(line string) string {
	at := comparingWord.FindStringSubmatchIndex(line)
	if at == nil || !strings.Contains(line, "$(") && !strings.Contains(line, "`") {
		return line
	}
	return line[:at[1]] + otherArguments(line[at[1]:], ofAny, ' ')
}

// otherArguments changes the literals among arguments: of a call that may have labels the numbers,
// else its texts where it has several. One text beside one answer may as well be a label.
func otherArguments(text string, of int, between byte) string {
	parts := split(text, between)
	var numbers, texts []int
	answers := 0
	for i, p := range parts {
		if of == ofTwo && i > 1 {
			break
		}
		switch p = strings.TrimSpace(p); {
		case p == "":
		case !wholeLiteral.MatchString(p):
			answers++
		case isNumber.MatchString(p):
			numbers = append(numbers, i)
		default:
			texts = append(texts, i)
		}
	}
	change := numbers
	if len(numbers) == 0 && (of != ofAny || len(texts) > 1) {
		change = texts
	}
	if answers == 0 && (of != ofOne || len(parts) > 1) {
		return text
	}
	for _, i := range change {
		parts[i] = replaceGroup(wholeLiteral, parts[i], 1)
	}
	return strings.Join(parts, string(between))
}

var wholeLiteral = lazyregexp.New(`^\s*` + inWords + `\s*$`)

// endOfCall is where the arguments of a call end whose parenthesis was opened before a place; -1
// where they do not.
func endOfCall(text string, from int) int {
	depth, quote := 1, byte(0)
	for i := from; i < len(text); i++ {
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case c == '"', c == '\'':
			quote = c
		case c == '(', c == '[', c == '{':
			depth++
		case c == ')', c == ']', c == '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split cuts arguments where no bracket and no text is open.
func split(text string, between byte) (parts []string) {
	depth, quote, begin := 0, byte(0), 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i++
		case quote != 0 && depth == 0 && c != '(':
			if c == quote {
				quote = 0
			}
		case quote != 0 && depth == 0 && text[max(i-1, 0)] != '$':
		case c == '(', c == '[', c == '{':
			depth++
		case c == ')', c == ']', c == '}':
			depth--
		case depth == 0 && (c == '"' || c == '\''):
			quote = c
		case c == between && quote == 0 && depth == 0:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}
