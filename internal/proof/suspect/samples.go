package suspect

import (
	"maps"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// sampleLines are the lines of tests, and where literals stand in them. Those of two files are
// far from each other.
type sampleLines struct {
	lines []string
	at    map[string][]int
	scans int
}

// samplesOf reads the tests of both commits.
func samplesOf(base, work map[string]proof.File, content func(id string) ([]byte, error)) (*sampleLines, error) {
	s := &sampleLines{at: map[string][]int{}}
	read, seen := 0, map[string]bool{}
	for _, files := range []map[string]proof.File{base, work} {
		for _, p := range proof.SortedPaths(files) {
			f := files[p]
			_, test := proof.IsTest(p)
			if seen[f.ID] || !proof.IsFile(f) || !test && !strings.HasSuffix(p, ".rs") {
				continue
			}
			seen[f.ID] = true
			data, err := content(f.ID)
			if err != nil {
				return nil, err
			}
			if read += len(data); read > mostTestsRead {
				return s, nil
			}
			text := string(data)
			if !test {
				text = strings.Join(slices.Sorted(maps.Values(syntax.UnitModules(text))), "\n")
			}
			s.add(text)
		}
	}
	return s, nil
}

// with are these lines and those of a text.
func (s *sampleLines) with(text string) *sampleLines {
	more := &sampleLines{lines: slices.Clone(s.lines), at: maps.Clone(s.at)}
	for literal, at := range more.at {
		more.at[literal] = slices.Clip(at)
	}
	more.add(text)
	return more
}

func (s *sampleLines) add(text string) {
	for line := range strings.Lines(text) {
		line = computed(line)
		for _, l := range literals.FindAllString(line, -1) {
			s.note(plainLiteral(l))
			if isNumber(plainLiteral(l)) {
				continue
			}
			for _, n := range numbers.FindAllString(l, -1) { // "$(sh tax.sh 150)"
				s.note(plainLiteral(n))
			}
		}
		s.lines = append(s.lines, line)
	}
	s.lines = append(s.lines, make([]string, answerWithin+1)...)
}

// note adds the next line to those of a literal.
func (s *sampleLines) note(l string) {
	if at := s.at[l]; len(at) == 0 || at[len(at)-1] != len(s.lines) {
		s.at[l] = append(at, len(s.lines))
	}
}

// linesOf are where a literal stands, or else what is in its quotes.
func (s *sampleLines) linesOf(l string) []int {
	at := s.at[l]
	if len(at) > 0 || isNumber(l) || s.scans == mostScans {
		return at
	}
	s.scans++
	for n, line := range s.lines {
		if strings.Contains(line, l) {
			at = append(at, n)
		}
	}
	s.at[l] = at
	return at
}

// have reports whether tests have the input and one of the answers near each other.
func (s *sampleLines) have(p pair) bool {
	return slices.ContainsFunc(p.answers, func(answer []string) bool {
		return slices.ContainsFunc(s.linesOf(p.input[0]), func(n int) bool {
			return !slices.ContainsFunc(slices.Concat(p.input[1:], answer), func(l string) bool {
				at := s.linesOf(l)
				i, _ := slices.BinarySearch(at, n-answerWithin)
				return i == len(at) || at[i] > n+answerWithin
			})
		})
	})
}
