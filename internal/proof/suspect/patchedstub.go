package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
)

// A test, or a fixture that each test gets, can put the answer in the place of a new function
// that only stands there to be replaced.

var (
	// patchesName matches what a test of Python puts in the place of something of the product; its
	// group is the name.
	patchesName = lazyregexp.New(`\b(?:monkeypatch\.setattr|(?:mocker\.|mock\.|unittest\.mock\.)?patch(?:\.object)?)\(\s*(?:[\w.]+\s*,\s*)?["'](?:[\w.]+\.)?(\w+)["']`)
	// docString matches the documentation of a function, and doesSomething what its code then does
	// more than to give back a plain value or to fail.
	docString     = lazyregexp.New(`(?s)^(\s*def [^\n]*\n\s*)(?:"""(?:[^"\\]|\\.|""?[^"])*"""|'[^'\n]*'|"[^"\n]*")`)
	doesSomething = lazyregexp.New(`[\w\])]\(|[-+*/%<>]|\bfor\b|\bwhile\b|\bwith\b|\bawait\b|\byield\b`)
	// raisesPlain matches a failure with a plain message.
	raisesPlain = lazyregexp.New(`\braise \w+(?:\([^()]*\))?`)
)

// patchedStubs are the lines of new and changed tests of Python that replace a function which the
// work adds and which does nothing by itself.
func patchedStubs(tests []testText, before, after map[string]proof.File, content func(id string) ([]byte, error)) (out []Finding, err error) {
	var stubs map[string]bool
	for _, t := range tests {
		if t.lang != "python" || !patchesName.MatchString(t.text) {
			continue
		}
		if stubs == nil {
			if stubs, err = newStubs(before, after, content); err != nil {
				return nil, err
			}
		}
		for _, m := range patchesName.FindAllStringSubmatchIndex(t.text, -1) {
			if stubs[t.text[m[2]:m[3]]] {
				out = append(out, Finding{Path: t.path, Line: lineOf(t.text, m[0]), What: asksMock})
			}
		}
	}
	return out, nil
}

// newStubs are the names of the functions of Python that the work adds to the product and that do
// nothing but to give back a plain value or to fail.
func newStubs(before, after map[string]proof.File, content func(id string) ([]byte, error)) (map[string]bool, error) {
	stubs := map[string]bool{}
	how, known := functionsIn("python")
	for _, p := range proof.SortedPaths(after) {
		if f := after[p]; !known || f.ID == before[p].ID || redgreen.KeptWithTests(p) || proof.LanguageOf(p) != "python" || !proof.IsFile(f) {
			continue
		}
		old, text, err := proof.TwoTexts(before[p], after[p], content)
		if err != nil {
			return nil, err
		}
		if len(text) > syntax.LongestSource {
			continue
		}
		had := map[string]bool{}
		for _, f := range how.Functions(old) {
			had[f.Name] = true
		}
		for _, f := range how.Functions(text) {
			body := docString.ReplaceAllString(syntax.WithoutComments("python", text[f.Begin:f.End]), "$1")
			_, code, _ := strings.Cut(body, "\n")
			if !had[f.Name] && !doesSomething.MatchString(raisesPlain.ReplaceAllString(code, "")) {
				stubs[f.Name] = true
			}
		}
	}
	return stubs, nil
}
