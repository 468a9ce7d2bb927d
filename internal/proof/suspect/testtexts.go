package suspect

import (
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// baseTexts are the sources of the base in one language: the text of its tests without comments,
// and that of all else.
type baseTexts struct{ tests, sources string }

// textsOf reads the sources of the base in a language, once, without those that are too long to
// be searched: they are data or made by tools.
func (h helpers) textsOf(lang string) (baseTexts, error) {
	if read, has := h.texts[lang]; has {
		return read, nil
	}
	var tests, sources strings.Builder
	for _, p := range proof.SortedPaths(h.Before) {
		f := h.Before[p]
		if proof.LanguageOf(p) != lang || !proof.IsFile(f) {
			continue
		}
		text, err := h.ContentOf(f)
		if err != nil {
			return baseTexts{}, err
		}
		if len(text) > syntax.LongestSource {
			continue
		}
		if _, test := proof.IsTest(p); test {
			tests.WriteString(syntax.WithoutComments(lang, syntax.InLines(lang, text)) + "\n")
		} else {
			sources.WriteString(string(text) + "\n")
		}
	}
	h.texts[lang] = baseTexts{tests.String(), sources.String()}
	return h.texts[lang], nil
}

// changedTests is the text of the tests that the work changes, in a language.
func (h helpers) changedTests(lang string) (string, error) {
	var tests strings.Builder
	for _, p := range proof.ChangedTests(h.After, h.Before) {
		if proof.LanguageOf(p) != lang {
			continue
		}
		data, err := h.ContentOf(h.After[p])
		if err != nil {
			return "", err
		}
		if len(data) <= syntax.LongestSource {
			tests.WriteString(syntax.WithoutComments(lang, syntax.InLines(lang, data)) + "\n")
		}
	}
	return tests.String(), nil
}
