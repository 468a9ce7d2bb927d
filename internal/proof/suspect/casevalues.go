package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A product that answers the cases of its tests has their values, wherever it holds them: in
// conditions, tables, patterns, or a file of data beside it. A rule has few of them.

const holdsCases = "contains mostly values from test cases: the answers may be hard-coded"

// Of the values in the new lines of a source, so many are no chance where they are most of all.
const (
	fewestCases  = 3
	longestCases = 64 << 10
)

// usualNumbers are seconds and minutes of an hour, a day, a week and a year.
var usualNumbers = []string{
	"1440", "3600", "10080", "43200", "86400", "525600", "604800", "2592000", "31536000", "31536001",
}

// isCaseValue reports whether a value is one that programs hardly have for their own sake.
func isCaseValue(v string) bool {
	if isNumber(v) {
		return isExact(v) && digits(v) > 3 && !slices.Contains(usualNumbers, v)
	}
	return digits(v) > 1 && len(v) > 3 && !strings.ContainsAny(v, `%{\[`)
}

// linesWithCases tells at which line, from 1, the values begin that tests have; 0 where most are
// others, or few are there. The task may name them.
func (s search) linesWithCases(lines []string) (int, error) {
	at := map[string]int{}
	var all []string
	for n, line := range lines {
		for _, v := range literalsOf(computed(line)) {
			if _, known := at[v]; !known && isCaseValue(v) && !strings.Contains(s.duties.Task, v) {
				at[v], all = n+1, append(all, v)
			}
		}
	}
	if len(all) < fewestCases {
		return 0, nil
	}
	tests, err := s.samples()
	if err != nil {
		return 0, err
	}
	found := slices.DeleteFunc(slices.Clone(all), func(v string) bool { return len(tests.at[v]) == 0 })
	if len(found) < fewestCases || 4*len(found) < 3*len(all) {
		return 0, nil
	}
	return at[found[0]], nil
}

// holdingCases are the values of tests in the new lines of a source.
func (s search) holdingCases(c changed) ([]Finding, error) {
	lines := strings.Split(productPart(c.lang, c.text), "\n")
	code := syntax.CodeLines(c.lang, lines)
	for n, line := range lines {
		if s.old[strings.TrimSpace(line)] {
			code[n] = ""
		}
	}
	first, err := s.linesWithCases(code)
	if first == 0 || err != nil {
		return nil, err
	}
	return []Finding{{Path: c.Path, Line: first, What: holdsCases}}, nil
}

// dataWithCases are the new files of data of the product with values of tests.
func (s search) dataWithCases() (out []Finding, err error) {
	for _, p := range s.data {
		_, test := proof.IsTest(p)
		_, had := s.Before[p]
		if had || test || proof.IsConfig(p) || !slices.Contains([]string{".json", ".yaml", ".yml", ".toml", ".csv", ".txt"}, strings.ToLower(path.Ext(p))) || strings.Contains(s.duties.Task, path.Base(p)) {
			continue
		}
		data, err := s.Content(s.After[p].ID)
		if err != nil {
			return nil, err
		}
		if len(data) > longestCases {
			continue
		}
		first, err := s.linesWithCases(strings.Split(string(data), "\n"))
		if err != nil {
			return nil, err
		}
		if first > 0 {
			out = append(out, Finding{Path: p, Line: first, What: holdsCases})
		}
	}
	return out, nil
}
