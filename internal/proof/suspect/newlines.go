package suspect

import (
	"iter"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// newCode are the lines of a text that are not old, by their numbers from 1 and without comments.
func newCode(lang, text string, old map[string]bool) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		lines := strings.Split(text, "\n")
		for n, code := range syntax.CodeLines(lang, lines) {
			if !old[strings.TrimSpace(lines[n])] && !yield(n+1, code) {
				return
			}
		}
	}
}

// newMatches are the lines of a text that are not old, and match outside of comments.
func newMatches(file, lang, text, what string, old map[string]bool, pattern *lazyregexp.Regexp) (out []Finding) {
	for n, code := range newCode(lang, text, old) {
		if pattern.MatchString(code) {
			out = append(out, Finding{Path: file, Line: n, What: what})
		}
	}
	return out
}

// newLines are the numbers of the lines of a text that match and that another lacks.
func newLines(lang, before, after string, match *lazyregexp.Regexp) (found []int) {
	old := map[string]bool{}
	syntax.AddLines(old, before)
	for n, code := range newCode(lang, after, old) {
		if match.MatchString(code) {
			found = append(found, n)
		}
	}
	return found
}
