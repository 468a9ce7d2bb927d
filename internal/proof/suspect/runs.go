package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// source is a file that is searched for suspect lines. lang is set where another source
// runs the file as code of its own language.
type source struct{ path, lang string }

// runsText match sources that run text as code, by language.
var runsText = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`\brunpy\b|\bspec_from_file_location\b|\bSourceFileLoader\b|\bexecfile\b|(?:^|[^\w.])(?:exec|eval|compile)\(`),
	"js":     lazyregexp.New(`\b(?:eval|Function)\(|['"](?:node:)?vm['"]`),
}

// runsAsCode are the files that are no sources by their names, that the work changes, and
// that a source runs as code: a source that runs text has the last part of their path as
// a literal, or a source of JavaScript imports them. data are the changed files that are
// no sources.
func runsAsCode(p, lang, text string, data []string) (run []source) {
	names := map[string]bool{}
	if pattern := runsText[lang]; pattern != nil && pattern.MatchString(text) {
		for _, m := range syntax.Quoted.FindAllStringSubmatch(text, -1) {
			names[path.Base(m[1])] = true
		}
	}
	var imported []string
	if lang == "js" {
		for _, i := range syntax.ScriptImports(text) {
			imported = append(imported, path.Join(proof.DirOf(p), i.Module))
		}
	}
	for _, f := range data {
		if names[path.Base(f)] || path.Ext(f) != ".json" && slices.Contains(imported, f) {
			run = append(run, source{f, lang})
		}
	}
	return run
}

// readIntoShell are the files of data that a source of a shell reads into itself: settings are
// no code to the tools that inspect it, but a test may meet them.
func readIntoShell(lang, text string, data []string) (run []source) {
	if lang != "shell" {
		return nil
	}
	names := map[string]bool{}
	for _, m := range readsShell.FindAllStringSubmatch(text, -1) {
		for _, word := range strings.Fields(m[1]) {
			names[path.Base(strings.Trim(word, `"')`))] = true
		}
	}
	for _, f := range data {
		if names[path.Base(f)] {
			run = append(run, source{f, lang})
		}
	}
	return run
}

// changedData are the files that the other commit does not have like this and that are no
// sources by their names, nor pages of text.
func changedData(files, other map[string]proof.File) (data []string) {
	for _, p := range proof.SortedPaths(files) {
		if proof.IsFile(files[p]) && files[p].ID != other[p].ID && suspicions()[proof.LanguageOf(p)] == nil && !slices.Contains([]string{".md", ".mdx", ".rst", ".adoc"}, path.Ext(p)) {
			data = append(data, p)
		}
	}
	return data
}

// runUnchanged are the changed files that an unchanged source of the product runs as code,
// of which it looks at the first judge.MostFollowed.
func runUnchanged(before, after map[string]proof.File, data []string, content func(id string) ([]byte, error)) (run []source, err error) {
	if len(data) == 0 {
		return nil, nil
	}
	left := judge.MostFollowed
	for _, p := range proof.SortedPaths(after) {
		lang := proof.LanguageOf(p)
		if _, test := proof.IsTest(p); test || runsText[lang] == nil || !proof.IsFile(after[p]) || after[p].ID != before[p].ID {
			continue
		}
		if left--; left < 0 {
			break
		}
		text, err := content(after[p].ID)
		if err != nil {
			return nil, err
		}
		if len(text) <= syntax.LongestSource {
			run = append(run, runsAsCode(p, lang, string(text), data)...)
		}
	}
	return run, nil
}

// preprocessed matches what the preprocessor of C reads in a file of any name.
var preprocessed = lazyregexp.New(`(?m)^[ \t]*#[ \t]*(?:define|undef|pragma)[ \t]+[A-Za-z_]`)

// headersOf are those of the data that sources of C can include for their macros.
func headersOf(files map[string]proof.File, data []string, content func(id string) ([]byte, error)) (headers []source, err error) {
	hasC := false
	for p := range files {
		hasC = hasC || proof.LanguageOf(p) == "c"
	}
	if !hasC {
		return nil, nil
	}
	for _, p := range data {
		text, err := content(files[p].ID)
		if err != nil {
			return nil, err
		}
		if len(text) <= syntax.LongestSource && preprocessed.MatchString(string(text)) {
			headers = append(headers, source{p, "c"})
		}
	}
	return headers, nil
}
