package redgreen

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A new test can put something in the place of what old tests call, and leave it there: work that
// breaks the product later is green then. That shows where the product gives nothing: what an old
// test sees there is not the product's.

// reaches matches, by languages, code of a test that may change what others see: it sets a member
// of something, or gets at it by its name.
var reaches = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`\b(?:setattr|delattr|globals|vars|locals|exec|eval|MonkeyPatch)\(|\bsys\.modules\b|^\s*global\s|\.__\w+__\b|\._\w|\b(?:as|for)\s+\w+[.[]|(?:^|[;:,(\[])\s*\w+(?:[.\[][^=;]*)?(?:\.\w+|\])\s*(?:,[^=]*)?[-+*/|&]?=[^=]`),
	"js":     lazyregexp.New(`\b(?:Object|Reflect)\s*\.\s*(?:assign|define\w+|set\w*)|\b(?:prototype|__proto__|globalThis|global|require\s*\.\s*cache)\b|\bspyOn\b|\bmock\s*\.\s*method\b|^\s*\(?\s*[\[{].*[\]}]\s*=[^=>]|(?:\.\s*[\w$]+|\])\s*(?:[-+*/|&?]{0,2}=(?:[^=>]|$))`),
}

// ofItself matches a member of a test's own object, in Python.
var ofItself = lazyregexp.New(`^\s*self\.\w+\s*=[^=]`)

// MaySteer reports whether tests that the work adds may change what other tests see.
func MaySteer(base, work []proof.File, content func(id string) ([]byte, error)) (bool, error) {
	before, after := proof.Index(base), proof.Index(work)
	old := map[string]bool{}
	for _, p := range proof.ChangedTests(before, after) {
		data, err := content(before[p].ID)
		if err != nil {
			return false, err
		}
		syntax.AddLines(old, string(data))
	}
	for _, p := range proof.ChangedTests(after, before) {
		lang := proof.LanguageOf(p)
		pattern := reaches[lang]
		if pattern == nil {
			continue
		}
		data, err := content(after[p].ID)
		if err != nil {
			return false, err
		}
		lines := strings.Split(string(data), "\n")
		for n, code := range syntax.CodeLines(lang, lines) {
			if !old[strings.TrimSpace(lines[n])] && pattern.MatchString(code) && !ofItself.MatchString(code) {
				return true, nil
			}
		}
	}
	return false, nil
}

// mostEmptied bounds the files that Emptied reads.
const mostEmptied = 2000

// Emptied returns the changes of a commit after which the functions that tests of the base name
// return nothing. There are none where ralph cannot find them all.
func Emptied(base, work []proof.File, content func(id string) ([]byte, error)) (edits []proof.Edit, err error) {
	before, after := proof.Index(base), proof.Index(work)
	words, languages, read := map[string]bool{}, map[string]bool{}, 0
	text := func(f proof.File) (string, error) {
		data, err := content(f.ID)
		if read++; err != nil || len(data) > syntax.LongestSource {
			return "", err
		}
		return string(data), nil
	}
	for _, p := range proof.ChangedTests(before, nil) {
		if reaches[proof.LanguageOf(p)] == nil {
			continue
		}
		test, err := text(before[p])
		if err != nil || read > mostEmptied {
			return nil, err
		}
		languages[proof.LanguageOf(p)] = true
		for _, word := range syntax.Identifier.FindAllString(test, -1) {
			words[word] = true
		}
	}
	for _, p := range proof.SortedPaths(after) {
		lang, f := proof.LanguageOf(p), after[p]
		if !languages[lang] || !proof.IsFile(f) || KeptWithTests(p) {
			continue
		}
		source, err := text(f)
		if err != nil || read > mostEmptied {
			return nil, err
		}
		how, _ := HollowingOf(lang)
		var into []insertion
		for _, f := range how.Functions(source) {
			if words[f.Name] && f.idle != "" {
				into = append(into, Idle.of(f)...)
			}
		}
		if len(into) > 0 {
			edits = append(edits, proof.Edit{Path: p, Mode: f.Mode, Data: syntax.Unlinted(p, []byte(inserted(source, into)))})
		}
	}
	return edits, nil
}
