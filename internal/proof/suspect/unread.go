package suspect

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
)

// unreadInput is what a function does that never reads one of its parameters. Tests that give it
// several values expect that they count.
const unreadInput = "never reads its parameter "

// unread are the new functions of a source, no methods, with a parameter that they never read
// and to which tests give several values, and those of the base that get one which tests give.
func (h helpers) unread(c changed) (out []Finding, err error) {
	how, known := functionsIn(c.lang)
	if !known {
		return nil, nil
	}
	was, tests := headsOf(how, c.was), ""
	for _, f := range how.Functions(c.text) {
		if f.Name == "" || oldBody(c.text[f.Begin:f.End], c.old) && was[f.Name] == c.text[f.Begin:f.Body] {
			continue
		}
		unread := unreadParameters(c.lang, c.text, f)
		if inClass(c.lang, c.text, f) || oldBody(c.text[f.Begin:f.End], c.old) { // only what the work adds to the head
			maps.DeleteFunc(unread, func(_ int, name string) bool {
				return was[f.Name] == "" || slices.Contains(syntax.Identifier.FindAllString(was[f.Name], -1), name)
			})
		}
		if len(unread) == 0 {
			continue
		}
		if tests == "" {
			if tests, err = h.testsOf(c.lang); err != nil {
				return nil, err
			}
		}
		for at, name := range unread {
			given := regexp.MustCompile(`\b` + regexp.QuoteMeta(f.Name) + `\([^()\n]*\b` + name + `\s*=`)
			if severalAt(tests, f.Name, at) || was[f.Name] != "" && given.MatchString(tests) {
				out = append(out, Finding{Path: c.Path, Line: lineOf(c.text, f.Begin), What: unreadInput + name})
			}
		}
	}
	return out, nil
}

// headsOf are the heads of the functions of a source, by their names.
func headsOf(how redgreen.Hollowing, text string) map[string]string {
	heads := map[string]string{}
	for _, f := range how.Functions(text) {
		heads[f.Name] += text[f.Begin:f.Body]
	}
	return heads
}

// inClass reports whether a function of Python or JavaScript stands in something else, such as
// a class, whose methods have the parameters of others.
func inClass(lang, text string, f redgreen.Function) bool {
	line := strings.LastIndexByte(text[:f.Begin+1], '\n') + 1
	return lang != "go" && (text[line] == ' ' || text[line] == '\t')
}

// testsOf are the tests of the work in a language, without their comments.
func (h helpers) testsOf(lang string) (string, error) {
	tests, _, err := h.textOf(lang, func(p string) bool { _, test := proof.IsTest(p); return test })
	return tests, err
}

// textOf are the sources of the work in a language whose paths are asked for, without their
// comments. all is false where there are too many.
func (h helpers) textOf(lang string, asked func(p string) bool) (text string, all bool, err error) {
	var b strings.Builder
	for _, p := range proof.SortedPaths(h.After) {
		f := h.After[p]
		if proof.LanguageOf(p) != lang && path.Ext(p) != "" || !proof.IsFile(f) || !asked(p) {
			continue
		}
		if b.Len() > mostSearched {
			return b.String(), false, nil
		}
		data, err := h.ContentOf(f)
		if err != nil {
			return "", false, err
		}
		if proof.SourceLanguage(p, string(data)) != lang {
			continue
		}
		b.WriteString(syntax.WithoutComments(lang, syntax.InLines(lang, data)) + "\n")
	}
	return b.String(), true, nil
}

// unreadParameters are the parameters that a function never reads, by their position.
func unreadParameters(lang, text string, f redgreen.Function) map[int]string {
	head := text[f.Begin:f.Body]
	if strings.HasPrefix(head, "func (") {
		return nil
	}
	from := strings.IndexByte(head, '(')
	if from < 0 {
		return nil
	}
	list, body := head[from+1:], syntax.WithoutComments(lang, text[f.Body:f.End])
	if inside, closed := syntax.InBrackets(list); closed {
		list = inside
	}
	if lang == "python" {
		body = withoutDocstring(body)
	}
	found := map[int]string{}
	for at, part := range syntax.Parts(list, ',') {
		name := strings.Join(syntax.Identifier.FindAllString(part, 1), "")
		if name == "" || strings.HasPrefix(name, "_") || name == "self" || name == "cls" || strings.ContainsAny(strings.TrimSpace(part)[:1], "*.{[") {
			continue
		}
		if !regexp.MustCompile(`\b`+regexp.QuoteMeta(name)+`\b`).MatchString(body) && !strings.Contains(body, "locals()") && !strings.Contains(body, "arguments") {
			found[at] = name
		}
	}
	return found
}

// plainArguments matches the arguments of a call, its group, that hold no call.
const plainArguments = `\(([^()\n]*)\)`

// onlyLiteral matches an argument that is a text or number.
var onlyLiteral = lazyregexp.New(`^` + syntax.Literal + `$`)

// severalAt reports whether tests call a function with several literals at a position.
func severalAt(tests, function string, at int) bool {
	first := ""
	for _, m := range regexp.MustCompile(`\b`+regexp.QuoteMeta(function)+plainArguments).FindAllStringSubmatch(tests, -1) {
		parts := syntax.Parts(m[1], ',')
		if at >= len(parts) || !onlyLiteral.MatchString(strings.TrimSpace(parts[at])) {
			continue
		}
		value := strings.TrimSpace(parts[at])
		if first != "" && value != first {
			return true
		}
		first = value
	}
	return false
}
