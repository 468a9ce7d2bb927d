package syntax

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// ScriptToken is what of JavaScript may hold braces that close nothing, or is a brace.
var ScriptToken = lazyregexp.New("(?s)//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`|[{}]")

// ScriptParameters matches parameters, and the word before their parenthesis.
var ScriptParameters = lazyregexp.New(`([\w$]*)\s*\(((?:[^(){}]|\([^(){}]*\))*)\)\s*(?::[^={};\n]*)?(?:=>|\{)|(?:^|[^\w$.])([\w$]+)\s*=>`)

// NoFunction are words before a parenthesis that holds no parameters.
var NoFunction = []string{"if", "for", "while", "switch", "catch", "with"}

// BlocksOf are the ends of the blocks of a text, by the offset behind their first brace.
func BlocksOf(text string) map[int]int {
	var open []int
	ends := map[int]int{}
	for _, t := range ScriptToken.FindAllStringIndex(text, -1) {
		switch text[t[0]:t[1]] {
		case "{":
			open = append(open, t[1])
		case "}":
			if len(open) > 0 {
				ends[open[len(open)-1]] = t[1]
				open = open[:len(open)-1]
			}
		}
	}
	return ends
}

// longestExpression bounds the search for the end of one.
const longestExpression = 16 << 10

// ExpressionEnd is where the expression ends that an arrow function gives; 0 where the offset
// is within a comment or a text, whose ranges are quiet, or the brackets do not tell.
func ExpressionEnd(text string, begin int, quiet [][]int) int {
	next, _ := slices.BinarySearchFunc(quiet, begin, func(t []int, at int) int { return t[1] - at - 1 })
	if next < len(quiet) && quiet[next][0] < begin {
		return 0
	}
	text = text[:min(len(text), begin+longestExpression)]
	depth := 0
	for at := begin; at < len(text); at++ {
		if next < len(quiet) && quiet[next][0] == at && quiet[next][1]-at > 1 {
			at, next = quiet[next][1]-1, next+1
			continue
		}
		for next < len(quiet) && quiet[next][0] <= at {
			next++
		}
		switch c := text[at]; {
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0 && depth > 0:
			depth--
		case strings.IndexByte(")]};,", c) >= 0 && depth == 0:
			return at
		case c == '\n' && depth == 0 && !unfinished.MatchString(text[begin:at]) && !goesOnBelow.MatchString(text[at:]):
			return at
		}
	}
	if depth > 0 || len(text) == begin+longestExpression {
		return 0
	}
	return len(text)
}

var (
	// unfinished matches an expression that needs more, goesOnBelow lines that give it.
	unfinished  = lazyregexp.New(`(?:[-+*/%&|^?:<>=.!~]|\b(?:await|typeof|new|in|instanceof))\s*$`)
	goesOnBelow = lazyregexp.New(`^\s*(?:[-+*/%&|^?:<>=.]|(?:in|instanceof)\b)`)
)
