package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// What a function does that the work leaves as a stub.
const (
	notImplemented = "is not implemented"
	ignoresInput   = "returns the same value for every input"
)

// leavesUndone matches the whole body of a function that says that it is not implemented.
var leavesUndone = lazyregexp.New(`(?is)^\s*(?:raise\s+NotImplementedError\b[^\n]*|(?:panic|todo!|unimplemented!)\([^\n]*\);?|throw\s+new\s+\w*Error\([^\n]*\b(?:todo|unimplemented|not\s+(?:yet\s+)?implemented)\b[^\n]*\);?)\s*\}?\s*$`)

// saysUndone tells the panics of Go that say so from others.
var saysUndone = lazyregexp.New(`(?i)NotImplemented|\b(?:todo|unimplemented|not\s+(?:yet\s+)?implemented)\b`)

var (
	// constant matches the whole body of a function that returns one value which is written out.
	constant = lazyregexp.New(`^\s*return\s+(?:-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'|true|false|True|False|nil|None|null|\[\]|\{\})\s*;?\s*\}?\s*$`)
	// takesInput matches the head of a function, no method, with a parameter that has a name
	// and is not marked as unused.
	takesInput = lazyregexp.New(`^(?:(?:async )?def \w+|func \w+(?:\[[^\n]*\])?|(?:export )?(?:default )?(?:async )?function \w+|(?:export )?const \w+ = (?:async )?)\(\s*[*.]*[A-Za-z]`)
)

// stubs are the functions of a source that the work leaves as stubs, but for methods of
// Python and JavaScript: those of a base class have such bodies.
func stubs(file, lang, text string, old map[string]bool) (out []Finding) {
	how, known := functionsIn(lang)
	if !known {
		return nil
	}
	for _, f := range how.Functions(text) {
		line := strings.LastIndexByte(text[:f.Begin], '\n') + 1
		if lang != "go" && strings.TrimLeft(text[line:f.Begin+1], " \t") != text[line:f.Begin+1] || oldBody(text[line:f.End]+syntax.Before(text[f.End:], "\n"), old) {
			continue
		}
		body := text[f.Body:f.End]
		if lang == "python" {
			body = withoutDocstring(body)
		}
		switch code := syntax.WithoutComments(lang, body); {
		case leavesUndone.MatchString(code) && saysUndone.MatchString(code):
			out = append(out, Finding{Path: file, Line: lineOf(text, f.Begin), What: notImplemented})
		case constant.MatchString(code) && takesInput.MatchString(text[line:f.Body]):
			out = append(out, Finding{Path: file, Line: lineOf(text, f.Begin), What: ignoresInput})
		}
	}
	return out
}

// withoutDocstring is the body of a function of Python without the text at its beginning.
func withoutDocstring(body string) string {
	all := syntax.Statements(body)
	if len(all) < 2 || !syntax.StringStart.MatchString(all[0].Text) {
		return body
	}
	_, rest, _ := strings.Cut(body, all[0].Text)
	return rest
}
