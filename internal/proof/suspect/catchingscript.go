package suspect

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

var (
	// tryScript and catchScript match the beginnings of a try and of its catch.
	tryScript   = lazyregexp.New(`\btry\s*\{`)
	catchScript = lazyregexp.New(`^\s*catch\s*(?:\([^)]*\)\s*)?\{`)
	// passesOn matches code by which a failure reaches the caller.
	passesOn = lazyregexp.New(`\bthrow\b|\b(?:reject|next|done|callback|cb|fail)\(`)
	// dropsFailure matches the end of a promise whose failure nothing sees.
	dropsFailure = lazyregexp.New(`\.then\(\s*([\w$]+)\s*\)\s*\.catch\(\s*(?:\(\s*\w*\s*\)|\w+)\s*=>\s*(?:\{\s*\}|undefined|null|void 0)\s*\)`)
	// noCallback are parameters that are no code of a test.
	noCallback = []string{"resolve", "reject", "require", "next"}
)

func catchingScript(text string) (found []catching) {
	handed := functionsHanded(text)
	at := func(offset int) int { return 1 + strings.Count(text[:offset], "\n") }
	for _, m := range dropsFailure.FindAllStringSubmatchIndex(text, -1) {
		if handed[text[m[2]:m[3]]] {
			found = append(found, catching{at(m[0]), text[m[0]:m[1]]})
		}
	}
	calls, passed, ends := callsHanded(text), offsets(passesOn, text), syntax.BlocksOf(text)
	for _, m := range tryScript.FindAllStringIndex(text, -1) {
		end := ends[m[1]]
		if end == 0 || !anyWithin(calls, m[1], end) {
			continue
		}
		clause := catchScript.FindIndex([]byte(text[end:min(end+longestCatch, len(text))]))
		if clause == nil {
			continue
		}
		if last := ends[end+clause[1]]; last > 0 && !anyWithin(passed, end, last) && !raisedLater(keepsScript, throwsKept, text[end:last], text[last:]) {
			found = append(found, catching{at(end), text[end:last]})
		}
	}
	return found
}

// callsHanded are the offsets at which functions call what they have as a parameter, ascending.
func callsHanded(text string) (calls []int) {
	ends, quiet := syntax.BlocksOf(text), syntax.ScriptToken.FindAllStringIndex(text, -1)
	for _, m := range syntax.ScriptParameters.FindAllStringSubmatchIndex(text, -1) {
		if m[2] >= 0 && slices.Contains(syntax.NoFunction, text[m[2]:m[3]]) {
			continue
		}
		list := ""
		for _, group := range [][]int{m[4:6], m[6:8]} {
			if group[0] >= 0 {
				list += text[group[0]:group[1]]
			}
		}
		names, body := parametersOf(list), m[1]
		for _, name := range noCallback {
			delete(names, name)
		}
		if strings.HasSuffix(text[:body], "=>") {
			body += len(text[body:]) - len(strings.TrimLeft(text[body:], " \t\n"))
			if strings.HasPrefix(text[body:], "{") {
				body++
			}
		}
		end := ends[body]
		if end == 0 {
			end = syntax.ExpressionEnd(text, body, quiet)
		}
		if end > body && len(names) > 0 {
			for _, at := range callsOf(names, text[body:end]) {
				calls = append(calls, body+at)
			}
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// A clause may keep a failure, or a list of them, under a name, its group; where that is raised
// behind it, all of them reach the caller.
var (
	// keepsScript and keepsPython match where a clause keeps it; throwsKept and raisesKept where NAME is raised.
	keepsScript = lazyregexp.New(`([\w$]+)(?:\.push\(|\s*(?:\?\?|\|\|)?=[^=>])`)
	throwsKept  = `(?:\bif\s*\(\s*NAME(?:\.length)?(?:\s*(?:>\s*0|!==?\s*(?:0|null|undefined)))?\s*\)\s*\{?\s*|^[\s};]*)throw\b[^;\n]*\bNAME\b`
	keepsPython = lazyregexp.New(`(\w+)(?:\.append\(|\s*=[^=])`)
	raisesKept  = `(?:\bif\s+(?:len\(\s*)?NAME\b\)?(?:\s*>\s*0|\s+is\s+not\s+None)?\s*:\s*|^\s*)raise\b[^\n]*\bNAME\b`
)

// raisedLater reports whether what a clause keeps is raised in the text behind it.
func raisedLater(keeps *lazyregexp.Regexp, raises, clause, behind string) bool {
	behind = behind[:min(len(behind), longestCatch)]
	for _, m := range keeps.FindAllStringSubmatch(clause, -1) {
		if regexp.MustCompile(strings.ReplaceAll(raises, "NAME", regexp.QuoteMeta(m[1]))).MatchString(behind) {
			return true
		}
	}
	return false
}

// longestCatch bounds the text between a block and that of its catch clause.
const longestCatch = 500

func offsets(pattern *lazyregexp.Regexp, text string) (found []int) {
	for _, m := range pattern.FindAllStringIndex(text, -1) {
		found = append(found, m[0])
	}
	return found
}

// anyWithin reports whether one of the offsets, which ascend, is in a range.
func anyWithin(offsets []int, from, to int) bool {
	i, _ := slices.BinarySearch(offsets, from)
	return i < len(offsets) && offsets[i] < to
}

// functionsHanded are the names of parameters of a source of JavaScript.
func functionsHanded(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range syntax.ScriptParameters.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(syntax.NoFunction, m[1]) {
			maps.Copy(names, parametersOf(m[2]+m[3]))
		}
	}
	for _, name := range noCallback {
		delete(names, name)
	}
	return names
}
