package learn

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Query describes the current work of a loop.
type Query struct {
	// Fingerprints of the failures it has now.
	Fingerprints []string
	// Paths are files the work is about, or globs of its scope.
	Paths []string
	// Languages are extensions; Words those of the task.
	Languages []string
	Words     []string
	// Reviewed leaves out what no person has promoted.
	Reviewed bool
}

// Ask is the query of a loop before its next attempt. files are those of the
// tree that the work began from.
func Ask(s loop.State, files []string) Query {
	text := strings.Join(append([]string{s.Task.Text}, s.Task.Criteria...), "\n")
	q := Query{
		Fingerprints: Failing(s), Languages: languages(files), Words: words(text),
		Paths: union(mentioned(text, files), s.Task.Scope, 2*mostFiles), Reviewed: s.Learn == loop.LearnReviewed,
	}
	if a := judged(s); a != nil {
		q.Paths = union(q.Paths, a.Files, 4*mostFiles)
	}
	return q
}

// Failing are the fingerprints of the newest evaluation, each gate's own and
// that of all together.
func Failing(s loop.State) []string {
	results := s.BaseResults
	var out []string
	if a := judged(s); a != nil {
		results = a.Results
		if a.Fingerprint != "" {
			out = []string{a.Fingerprint}
		}
	}
	for _, r := range results {
		if r.Verdict != loop.Passed && r.Fingerprint != "" {
			out = union(out, []string{r.Fingerprint}, 100)
		}
	}
	return out
}

// judged is the newest attempt that has been to the gates.
func judged(s loop.State) *loop.Attempt {
	for i := len(s.Recent) - 1; i >= 0; i-- {
		if s.Recent[i].Verdict != "" {
			return &s.Recent[i]
		}
	}
	return nil
}

// Search is every pattern that holds all words of a text, wherever: those first
// that hold it as it stands, then those that help. An empty text finds all.
func Search(all []Known, text string) []Known {
	text = strings.ToLower(strings.TrimSpace(text))
	words := strings.Fields(text)
	var whole, parts []Known
	for _, k := range all {
		said := strings.ToLower(k.said())
		switch {
		case strings.Contains(said, text):
			whole = append(whole, k)
		case !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(said, w) }):
			parts = append(parts, k)
		}
	}
	return append(useful(whole), useful(parts)...)
}

// useful sorts: patterns that are not shown come last, those that help first.
func useful(all []Known) []Known {
	slices.SortStableFunc(all, func(a, b Known) int {
		return cmp.Or(
			cmp.Compare(last(a), last(b)), cmp.Compare(b.Helped, a.Helped), cmp.Compare(approved(b), approved(a)),
			cmp.Compare(b.rate(), a.rate()), cmp.Compare(b.Seen, a.Seen), cmp.Compare(b.Num, a.Num),
		)
	})
	return all
}

// last come those that are not shown.
func last(k Known) int {
	if k.Withheld() != "" {
		return 1
	}
	return 0
}

// said is all text of a pattern.
func (k Known) said() string {
	parts := []string{string(k.Kind), k.Summary, k.Fingerprint, k.Gate, k.Diff, k.Text, k.Agent, string(k.Review)}
	for _, list := range [][]string{k.Error, k.Failing, k.Files, k.Paths, k.Languages, k.Words, k.Gates} {
		parts = append(parts, list...)
	}
	for _, s := range k.Sources {
		parts = append(parts, s.Loop, s.By)
	}
	return strings.Join(parts, "\n")
}
