package mutant

import (
	"slices"
	"strings"
)

// Mutant is one small error in a source.
type Mutant struct {
	Path string
	// Line is counted from 1.
	Line int
	// From is the text that the error replaces, To the error, and Code the line as it is.
	From, To, Code string

	at int
}

// In returns the source with the error.
func (m Mutant) In(text string) string { return text[:m.at] + m.To + text[m.at+len(m.From):] }

// String is the place, the error and the line.
func (m Mutant) String() string {
	return m.Path + ":" + itoa(m.Line) + " " + quote(m.From) + " → " + quote(m.To) + " in " + quote(strings.TrimSpace(m.Code))
}

// longestSource bounds the sources in which mutants are made, in bytes.
const longestSource = 512 << 10

// Of returns the mutants of the lines that a source has and its base has not; "" is a base
// without the file. Those of one line stand together, the usual errors first. It returns
// none for languages that it does not know.
func Of(path, base, text string) (found []Mutant) {
	how, known := languageOf(path)
	if !known || len(text) > longestSource {
		return nil
	}
	old := map[string]bool{}
	for line := range strings.SplitSeq(base, "\n") {
		old[strings.TrimSpace(line)] = true
	}
	plain, at := how.mask(text), 0
	for i, code := range strings.Split(text, "\n") {
		masked := plain[at : at+len(code)]
		if i > 0 && how.tests != "" && strings.Contains(masked, how.tests) {
			return found // the rest are tests
		}
		if !old[strings.TrimSpace(code)] {
			for _, e := range how.errorsIn(masked, code) {
				found = append(found, Mutant{Path: path, Line: i + 1, From: code[e.from:e.to], To: e.with, Code: code, at: at + e.from})
			}
		}
		at += len(code) + 1
	}
	return found
}

// Choose returns at most so many mutants, from as many lines as possible: the first of each
// line, then the second of each, and of lines that are too many some from everywhere.
func Choose(all []Mutant, most int) (chosen []Mutant) {
	for rank := 0; len(chosen) < most; rank++ {
		var round []Mutant
		nth := 0
		for i, m := range all {
			if nth++; i == 0 || all[i-1].Path != m.Path || all[i-1].Line != m.Line {
				nth = 0
			}
			if nth == rank {
				round = append(round, m)
			}
		}
		if len(round) == 0 {
			break
		}
		chosen = append(chosen, spread(round, most-len(chosen))...)
	}
	slices.SortStableFunc(chosen, func(a, b Mutant) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.at - b.at
	})
	return chosen
}

// spread returns at most so many, at even distances.
func spread(all []Mutant, most int) []Mutant {
	if len(all) <= most {
		return all
	}
	out := make([]Mutant, most)
	for i := range out {
		out[i] = all[i*len(all)/most]
	}
	return out
}
