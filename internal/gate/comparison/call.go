package comparison

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// comparingCall matches the name of a call that compares what it is given; its group is the
	// name.
	comparingCall = lazyregexp.New(`(?:^|[\s;"'{.:(])((?i:assert|check|expect|verify|ensure|equal|strictEqual|deepEqual|deepStrictEqual|same|eq)\w*!?|toBe|is|is_deeply|cmp_ok|toEqual|toStrictEqual|eql)\(`)
	// comparingWord matches the same as a command of a shell.
	comparingWord = lazyregexp.New(`^\s*(?:@)?(?i:assert|check|expect|verify|ensure|equals?|is|same|should|eq)\w*\s`)
)

// inCalls changes the literals that calls of a line compare with: numbers, else texts. One text
// beside one answer may as well be a label.
func inCalls(line string) string {
	for _, m := range slices.Backward(comparingCall.FindAllStringSubmatchIndex(line, -1)) {
		begin, end, ok := arguments(line, m[1])
		if before := line[:m[0]]; !ok || branches.MatchString(before) || noneHolds.MatchString(before) || eitherHolds.MatchString(before) {
			continue
		}
		name := line[m[2]:m[3]]
		line = line[:begin] + otherArguments(line[begin:end], strings.HasPrefix(name, "to") || name == "eql" || strings.Contains(strings.ToLower(name), "eq") || strings.Contains(name, "same"), ',') + line[end:]
	}
	return line
}

// inChecks changes the literals of a command of a shell that compares what it is given.
func inChecks(line string) string {
	at := comparingWord.FindStringSubmatchIndex(line)
	if at == nil || !strings.Contains(line, "$(") && !strings.Contains(line, "`") {
		return line
	}
	return line[:at[1]] + otherArguments(line[at[1]:], false, ' ')
}

// otherArguments changes the literals among arguments. pure: no label is among them.
func otherArguments(text string, pure bool, between byte) string {
	parts := split(text, between)
	var numbers, texts []int
	answers, answersBefore := 0, 0
	for i, p := range parts {
		p = strings.TrimSpace(p)
		switch m := wholeLiteral.FindStringSubmatch(p); {
		case p == "":
		case m == nil:
			answers++
		case isNumber.MatchString(p):
			numbers = append(numbers, i)
		default:
			if texts = append(texts, i); len(texts) == 1 {
				answersBefore = answers
			}
		}
	}
	change := numbers
	if len(numbers) == 0 && (pure || len(texts) > 1 || answersBefore > 0) {
		change = texts
	}
	if answers == 0 && (!pure || len(parts) > 1) {
		return text
	}
	for _, i := range change {
		parts[i] = replaceGroup(wholeLiteral, parts[i], 1)
	}
	return strings.Join(parts, string(between))
}

var wholeLiteral = lazyregexp.New(`^\s*` + inWords + `\s*$`)

// arguments are those of the call whose parenthesis was opened before a place.
func arguments(text string, from int) (begin, end int, ok bool) {
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
				return from, i, true
			}
		}
	}
	return 0, 0, false
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
