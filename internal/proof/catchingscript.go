package proof

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	// scriptToken is what of JavaScript may hold braces that close nothing, or is a brace.
	scriptToken = lazyregexp.New("(?s)//[^\\n]*|/\\*.*?\\*/|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'|`(?:\\\\.|[^`\\\\])*`|[{}]")
	// scriptParameters matches parameters, and the word before their parenthesis.
	scriptParameters = lazyregexp.New(`([\w$]*)\s*\(((?:[^(){}]|\([^(){}]*\))*)\)\s*(?::[^={};\n]*)?(?:=>|\{)|(?:^|[^\w$.])([\w$]+)\s*=>`)
	tryScript        = lazyregexp.New(`\btry\s*\{`)
	catchScript      = lazyregexp.New(`^\s*catch\s*(?:\([^)]*\)\s*)?\{`)
	// passesOn matches code by which a failure reaches the caller.
	passesOn = lazyregexp.New(`\bthrow\b|\b(?:reject|next|done|callback|cb|fail)\(`)
	// dropsFailure matches the end of a promise whose failure nothing sees.
	dropsFailure = lazyregexp.New(`\.then\(\s*([\w$]+)\s*\)\s*\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)`)
	// noFunction are words before a parenthesis that holds no parameters, and noCallback
	// parameters that are no code of a test.
	noFunction = []string{"if", "for", "while", "switch", "catch", "with"}
	noCallback = []string{"resolve", "reject", "require", "next"}
)

func catchingScript(text string) (found []catching) {
	handed := functionsHanded(text)
	at := func(offset int) int { return 1 + strings.Count(text[:offset], "\n") }
	for _, m := range dropsFailure.FindAllStringSubmatchIndex(text, -1) {
		if slices.Contains(handed, text[m[2]:m[3]]) {
			found = append(found, catching{at(m[0]), text[m[0]:m[1]]})
		}
	}
	calls := callsOf(handed)
	if calls == nil {
		return found
	}
	for _, m := range tryScript.FindAllStringIndex(text, -1) {
		end := closingOf(scriptToken, text, m[1])
		if end == 0 || !calls.MatchString(text[m[1]:end]) {
			continue
		}
		clause := catchScript.FindIndex([]byte(text[end:]))
		if clause == nil {
			continue
		}
		last := closingOf(scriptToken, text, end+clause[1])
		if last > 0 && !passesOn.MatchString(text[end:last]) {
			found = append(found, catching{at(end), text[end:last]})
		}
	}
	return found
}

// functionsHanded are the names of parameters of a source of JavaScript.
func functionsHanded(text string) (names []string) {
	for _, m := range scriptParameters.FindAllStringSubmatch(text, -1) {
		if slices.Contains(noFunction, m[1]) {
			continue
		}
		names = append(names, parametersOf(m[2]+m[3])...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return slices.Contains(noCallback, name) })
}
