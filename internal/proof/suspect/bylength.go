package suspect

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"ralph/internal/lazyregexp"
)

// escaped matches a character that a text writes with a backslash.
var escaped = lazyregexp.New(`\\.`)

// isByLength reports whether a number and a text may be the length of an input and its answer.
func isByLength(input, answer []string) bool {
	return len(input) == 1 && len(answer) == 1 && isNumber(input[0]) && !isNumber(answer[0]) && len(letters(answer[0])) > 1
}

// haveByLength reports whether tests have the answer of a pair beside an input which is as long
// as the pair says and has the same letters: 11 and "hello-world" beside "Hello World".
func (s *sampleLines) haveByLength(p pair) bool {
	return slices.ContainsFunc(p.answers, func(answer []string) bool {
		return slices.ContainsFunc(s.linesOf(answer[0]), func(n int) bool {
			near := strings.Join(s.lines[max(0, n-answerWithin):min(len(s.lines), n+answerWithin+1)], "")
			return slices.ContainsFunc(literals.FindAllString(near, -1), func(l string) bool {
				input := escaped.ReplaceAllString(plainLiteral(l), "_")
				return input != answer[0] && letters(input) == letters(answer[0]) &&
					slices.ContainsFunc([]int{len(input), utf8.RuneCountInString(input)}, func(n int) bool { return strconv.Itoa(n) == p.input[0] })
			})
		})
	})
}

// letters are those of a text and its digits, in lower case.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
