package comparison

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
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
		begin := m[1]
		inside, closed := syntax.InBrackets(line[begin:])
		if before := line[:m[0]]; !closed || branches.MatchString(before) || hasAnd.MatchString(before) || hasOr.MatchString(before) {
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
		line = line[:begin] + otherArguments(syntax.Parts(inside, ','), of, ",") + line[begin+len(inside):]
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
	return line[:at[1]] + otherArguments(shellWords(line[at[1]:]), ofAny, " ")
}

// otherArguments changes the literals among arguments: of a call that may have labels the numbers,
// else its texts where it has several. One text beside one answer may as well be a label.
func otherArguments(parts []string, of int, between string) string {
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
		return strings.Join(parts, between)
	}
	for _, i := range change {
		parts[i] = replaceGroup(wholeLiteral, parts[i], 1)
	}
	return strings.Join(parts, between)
}

var wholeLiteral = lazyregexp.New(`^\s*` + inWords + `\s*$`)

// shellWords cuts a command where no bracket and no text is open. In quotes, "$(" opens one.
func shellWords(text string) (parts []string) {
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
		case c == ' ' && quote == 0 && depth == 0:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}
