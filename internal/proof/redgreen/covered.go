package redgreen

import (
	"slices"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Covered returns the changes of a commit after which every function that its new tests may be
// about gives another value, also those of the base: work that raises coverage has nothing but tests.
// As with Hollowed, there are none where the tests may be about something else.
func Covered(base, work []proof.File, content func(id string) ([]byte, error)) ([]proof.Edit, error) {
	before, after := proof.Index(base), proof.Index(work)
	tests, err := wordsOfTests(before, after, content)
	if err != nil || len(tests) == 0 {
		return nil, err
	}
	about, languages := map[string]bool{}, map[string]bool{}
	for _, p := range proof.ChangedTests(after, before) {
		languages[proof.LanguageOf(p)] = true
	}
	if len(languages) != 1 { // a name may be one of either language
		return nil, nil
	}
	for _, p := range proof.SortedPaths(after) {
		lang := proof.LanguageOf(p)
		how, known := HollowingOf(lang)
		if !known || !languages[lang] || !proof.IsFile(after[p]) || KeptWithTests(p) {
			continue
		}
		data, err := content(after[p].ID)
		if err != nil {
			return nil, err
		}
		text := string(data)
		if len(text) > syntax.LongestSource {
			return nil, nil
		}
		if how.product != nil {
			text = how.product(text)
		}
		about[p] = slices.ContainsFunc(how.Functions(text), func(f Function) bool { return tests[f.Name] })
	}
	others := slices.DeleteFunc(slices.Clone(base), func(f proof.File) bool { return about[f.Path] })
	return Hollowed(others, work, Other, content)
}
