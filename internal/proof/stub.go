package proof

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// notImplemented is what a function does that the work leaves as a stub.
const notImplemented = "is not implemented"

// leavesUndone matches the whole body of a function that says that it is not implemented.
var leavesUndone = lazyregexp.New(`(?is)^\s*(?:raise\s+NotImplementedError\b[^\n]*|(?:panic|todo!|unimplemented!)\([^\n]*\);?|throw\s+new\s+\w*Error\([^\n]*\b(?:todo|unimplemented|not\s+(?:yet\s+)?implemented)\b[^\n]*\);?)\s*\}?\s*$`)

// saysUndone tells the panics of Go that say so from others.
var saysUndone = lazyregexp.New(`(?i)NotImplemented|\b(?:todo|unimplemented|not\s+(?:yet\s+)?implemented)\b`)

// stubs are the functions of a source that the work leaves as stubs, but for methods of
// Python and JavaScript: those of a base class have such bodies.
func stubs(file, lang, text string, old map[string]bool) (out []Suspect) {
	how, known := hollowingOf(lang)
	if !known || !saysUndone.MatchString(text) {
		return nil
	}
	for _, f := range how.functions(text) {
		line := strings.LastIndexByte(text[:f.begin], '\n') + 1
		if lang != "go" && strings.TrimLeft(text[line:f.begin+1], " \t") != text[line:f.begin+1] {
			continue
		}
		body := text[f.body:f.end]
		if lang == "python" {
			body = withoutDocstring(body)
		}
		if code := withoutComments(lang, body); leavesUndone.MatchString(code) && saysUndone.MatchString(code) && !oldBody(text[line:f.end]+before(text[f.end:], "\n"), old) {
			out = append(out, Suspect{Path: file, Line: lineOf(text, f.begin), What: notImplemented})
		}
	}
	return out
}

// withoutDocstring is the body of a function of Python without the text at its beginning.
func withoutDocstring(body string) string {
	all := statements(body)
	if len(all) < 2 || !stringStart.MatchString(all[0].text) {
		return body
	}
	_, rest, _ := strings.Cut(body, all[0].text)
	return rest
}
