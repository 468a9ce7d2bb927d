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

// testText is a changed test as it is searched: its content, and that in lines.
type testText struct {
	path, lang string
	data       []byte
	text       string
}

// changedTests reads the tests of a commit that the other one does not have like this.
func changedTests(files, other map[string]proof.File, content func(id string) ([]byte, error)) (tests []testText, err error) {
	for _, p := range proof.ChangedTests(files, other) {
		data, err := content(files[p].ID)
		if err != nil {
			return nil, err
		}
		lang := proof.LanguageOf(p)
		tests = append(tests, testText{p, lang, data, syntax.InLines(lang, data)})
	}
	return tests, nil
}

// newTests is the code of the tests that the work changes, in a language.
func (h helpers) newTests(lang string) (string, error) {
	now, err := h.testsNow()
	var code strings.Builder
	for _, t := range now {
		if t.lang == lang && len(t.data) <= syntax.LongestSource {
			code.WriteString(syntax.WithoutComments(lang, t.text) + "\n")
		}
	}
	return code.String(), err
}
