package learn

import (
	"strings"

	"ralph/internal/loop"
)

// Query is what a loop is about at the moment.
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
		Fingerprints: Failing(s), Languages: Languages(files), Words: Words(text),
		Paths: union(Mentioned(text, files), s.Task.Scope, 2*mostFiles), Reviewed: s.Learn == loop.LearnReviewed,
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
	for i := len(s.Attempts) - 1; i >= 0; i-- {
		if s.Attempts[i].Verdict != "" {
			return &s.Attempts[i]
		}
	}
	return nil
}
