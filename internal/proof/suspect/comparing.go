package suspect

import (
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Tests can compare by a function of the product: check(price(100), 119). It judges whatever
// its file is called, and work that makes it accept more turns its tests green.

// comparesForTests is what lines do that change such a function.
const comparesForTests = "changes a function that existing tests compare results with"

var (
	// raisesMismatch matches what a function that compares does where values differ, and
	// comparesValues what one does that only tells.
	raisesMismatch = lazyregexp.New(`\bassert\w*\b|\braise\b|\bthrow\b|\bexpect\(|\bpanic\(|\bt\.(?:Error|Fatal|Fail)|\.fail\(`)
	comparesValues = lazyregexp.New(`[=!]==?|[<>]|\babs\(|\bAbs\(|isclose|EqualFold|DeepEqual|abs_diff|\beq\(`)
	// rustFunction matches the head of a function of Rust, its group the name.
	rustFunction = lazyregexp.New(`(?m)^[ \t]*(?:pub(?:\([\w ]+\))? )?(?:const )?fn (\w+)[^{;]*\{`)
)

const (
	// ofProduct is a call of a function of the product, its group the name; gotten a variable
	// for what one gave.
	ofProduct = `(?:await\s+)?(?:\w+(?:\.|::))*([a-zA-Z_]\w*)\((?:[^()\n]|\([^()\n]*\))*\)`
	gotten    = `(?:got|actual|result|res|out|output|answer|value)\b`
	// handsOver is a call of NAME with such a value and another one; it stands alone, or a test
	// asks whether it is true.
	handsOver = `(?:\w+(?:\.|::))*NAME\(\s*(?:tb?\s*,\s*)?(?:` + gotten + `|` + ofProduct + `)\s*,`
	alone     = `(?m)^[ \t]*(?:await\s+)?` + handsOver
	asked     = `(?m)(?:\bassert|\bif|\bassertTrue\(|\bok\(|\bexpect\(|\bTrue\(t,|\bassert!\(|\|\||&&)\s*\(?!?\s*` + handsOver + `(?:[^()\n]|\([^()\n]*\))*\)[ \t]*(?:[){:;,|&].*)?$`
)

// comparing are the changed functions of a source by which tests of the base compare.
func (h helpers) comparing(c changed) (out []Finding, err error) {
	if c.was == "" {
		return nil, nil
	}
	was, now := functionTexts(c.lang, c.was), functionTexts(c.lang, c.text)
	replaced, err := h.importedInstead(c, was, now)
	if err != nil {
		return nil, err
	}
	changed := append(changedFunctions(c.lang, was, now), replaced...)
	if len(changed) == 0 {
		return nil, nil
	}
	read, err := h.textsOf(c.lang)
	if err != nil {
		return nil, err
	}
	for _, f := range changed {
		if !f.comparesFor(read.tests, read.sources) {
			continue
		}
		line := max(1, lineOf(c.text, max(0, strings.Index(c.text, f.after))))
		out = append(out, Finding{Path: c.Path, Line: line, What: comparesForTests})
	}
	return out, nil
}

// changedFunction is a function of both versions of a source, with its text in each.
type changedFunction struct{ name, before, after string }

func changedFunctions(lang string, before, now []changedFunction) (out []changedFunction) {
	for _, was := range before {
		i := slices.IndexFunc(now, func(f changedFunction) bool { return f.name == was.name })
		if i >= 0 && codeOf(lang, was.after) != codeOf(lang, now[i].after) {
			out = append(out, changedFunction{was.name, was.after, now[i].after})
		}
	}
	return out
}

// importedInstead are the functions of a source that it has no longer, and imports under their
// names: of those, the ones that no changed source of the language has as they were.
func (h helpers) importedInstead(c changed, before, now []changedFunction) (out []changedFunction, err error) {
	for _, was := range before {
		bound := regexp.MustCompile(`(?m)^[^\n]*\b(?:import|require|from|export)\b[^\n]*\b` + regexp.QuoteMeta(was.name) + `\b`)
		if !slices.ContainsFunc(now, func(f changedFunction) bool { return f.name == was.name }) && bound.MatchString(c.text) {
			out = append(out, changedFunction{was.name, was.after, ""})
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	for _, p := range proof.SortedPaths(h.After) {
		if f := h.After[p]; f.ID == h.Before[p].ID || proof.LanguageOf(p) != c.lang || !proof.IsFile(f) {
			continue
		}
		data, err := h.ContentOf(h.After[p])
		if err != nil {
			return nil, err
		}
		if len(data) > syntax.LongestSource {
			continue
		}
		here := functionTexts(c.lang, syntax.InLines(c.lang, data))
		out = slices.DeleteFunc(out, func(f changedFunction) bool {
			return slices.ContainsFunc(here, func(o changedFunction) bool {
				return o.name == f.name && codeOf(c.lang, o.after) == codeOf(c.lang, f.before)
			})
		})
	}
	return out, nil
}

// codeOf is a text without comments, its words apart by one space.
func codeOf(lang, text string) string {
	return strings.Join(strings.Fields(syntax.WithoutComments(lang, text)), " ")
}

// functionTexts are the functions of a source that have a name.
func functionTexts(lang, text string) (out []changedFunction) {
	if lang == "rust" {
		for _, m := range rustFunction.FindAllStringSubmatchIndex(text, -1) {
			end := strings.Index(text[m[1]:], "\n}")
			if end < 0 {
				end = len(text) - m[1]
			}
			out = append(out, changedFunction{name: text[m[2]:m[3]], after: text[m[0] : m[1]+end]})
		}
		return out
	}
	how, known := functionsIn(lang)
	if !known {
		return nil
	}
	for _, f := range how.Functions(text) {
		if f.Name != "" {
			out = append(out, changedFunction{name: f.Name, after: text[f.Begin:f.End]})
		}
	}
	return out
}

// comparesFor reports whether tests hand a function what another one of the product gives, and
// something to compare it with.
func (c changedFunction) comparesFor(tests, sources string) bool {
	var forms []string
	if raisesMismatch.MatchString(c.before) || raisesMismatch.MatchString(c.after) {
		forms = append(forms, alone)
	}
	if comparesValues.MatchString(c.before) {
		forms = append(forms, asked)
	}
	for _, form := range forms {
		pattern := regexp.MustCompile(strings.ReplaceAll(form, "NAME", regexp.QuoteMeta(c.name)))
		for _, m := range pattern.FindAllStringSubmatch(tests, -1) {
			if m[1] == "" || m[1] != c.name && declaredIn(m[1], sources) {
				return true
			}
		}
	}
	return false
}

// declaredIn reports whether sources have a function of a name.
func declaredIn(name, sources string) bool {
	name = regexp.QuoteMeta(name)
	return regexp.MustCompile(`\b(?:def|fn|function)\s+` + name + `\b|\bfunc\s+(?:\([^)]*\)\s*)?` + name + `\b|\b(?:const|let|var)\s+` + name + `\s*=|\bexports\.` + name + `\s*=`).MatchString(sources)
}
