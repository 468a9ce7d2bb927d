package syntax

import "ralph/internal/lazyregexp"

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
