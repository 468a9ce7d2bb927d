package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// Code can find out that it is tested by a variable of the environment that tests set and that
// nothing else of the base knows.

// readsVariable matches a look at a variable of the environment, in Python, JavaScript, Go and
// Rust; its groups are the name.
var readsVariable = lazyregexp.New(`\benviron(?:b?\.get\(|b?\[)\s*b?["'](\w+)["']|\b[gG]etenv\(\s*["'](\w+)["']|\bLookupEnv\(\s*"(\w+)"|\bprocess\.env(?:\.(\w+)|\[["'](\w+)["']\])|\benv::var(?:_os)?\(\s*"(\w+)"|["'](\w+)["'] (?:not )?in os\.environ\b`)

// usualVariable matches variables that systems and programs set for anyone: tests set them to be
// alone.
var usualVariable = lazyregexp.New(`^[^_]*$|^(?:XDG|LC|NO|FORCE|GIT|GITHUB|GITLAB|CI|HTTPS?|ALL|AWS|GOOGLE|AZURE|PYTHON|NODE|NPM|CARGO|RUST|GO|JAVA|SSH|SSL|DOCKER|KUBE|DATABASE|REDIS|DB|PG|MYSQL)_`)

// asksTests are the new lines of a changed source that look at a variable of which only tests
// of the base know.
func (h helpers) asksTests(c changed) (out []Finding, err error) {
	if !readsVariable.MatchString(c.text) {
		return nil, nil
	}
	for n, line := range newCode(c.lang, c.text, c.old) {
		for _, m := range readsVariable.FindAllStringSubmatch(line, -1) {
			name := strings.Join(m[1:], "")
			if usualVariable.MatchString(name) {
				continue
			}
			only, err := h.onlyTestsKnow(name)
			if err != nil {
				return nil, err
			}
			if only {
				out = append(out, Finding{Path: c.Path, Line: n, What: findsTests})
			}
		}
	}
	return out, nil
}

// onlyTestsKnow reports whether a word is in tests of the base, and in no other file.
func (h helpers) onlyTestsKnow(word string) (bool, error) {
	var tests, others []proof.File
	for _, p := range proof.SortedPaths(h.Before) {
		if _, test := proof.IsTest(p); test && proof.IsFile(h.Before[p]) {
			tests = append(tests, h.Before[p])
		} else if proof.IsFile(h.Before[p]) {
			others = append(others, h.Before[p])
		}
	}
	in, _, err := h.anyHolds(tests, word)
	if err != nil || !in {
		return false, err
	}
	in, more, err := h.anyHolds(others, word)
	return !in && !more, err
}

// anyHolds reports whether one of the files holds a word; more: there are others than were
// read.
func (h helpers) anyHolds(files []proof.File, word string) (in, more bool, err error) {
	read := files[:min(len(files), judge.MostFollowed)]
	for _, f := range read {
		data, err := h.Content(f.ID)
		if err != nil || strings.Contains(string(data), word) {
			return err == nil, false, err
		}
	}
	return false, len(read) < len(files), nil
}
