package proof

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// Limits of the search for inputs of tests: the bytes of tests that are read, and the lines
// after an input in which its answer stands, in the product and in tests.
const (
	mostTestsRead = 16 << 20
	answerWithin  = 2
)

// A literal is a number or a text in quotes.
const literalForm = `"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`\n]*`" + `|-?\b\d[\d_]*(?:\.\d+)?\b`

var (
	literals = lazyregexp.New(literalForm)
	// compared and answered match what stands before an input and after one: a comparison, or
	// the mark behind which a table has the answer.
	compared      = lazyregexp.New(`(?:[^!<>=]={2,3}|\.equals\(|\beq|\bcase|\bwhen)\s*$`)
	comparedShell = lazyregexp.New(`\[[^\n]*\s(?:==?|-eq)\s+$`)
	shellCase     = lazyregexp.New(`(?:^|;;|\bin)\s*\(?$`)
	answered      = lazyregexp.New(`^\s*(?:={2,3}|=>|:(?:[^:=]|$))`)
	// partOf matches what stands before or after a number that is a part of something: a list,
	// a sum, a limit, a slice, the first of two that are chosen from.
	partOf = lazyregexp.New(`[-+*/%&|^?:[<>!=]\s*$`)
	goesOn = lazyregexp.New(`^\s*(?:[-+*/%&|^,]|<|>)`)
	// aSample matches texts that no program has for its own sake, as it has words, names and keys.
	aSample = lazyregexp.New(`\S[ \t]+\S|\d\D*\d\D*\d`)
	numbers = lazyregexp.New(`\d[\d_]*(?:\.\d+)?`)
)

// pair is an input with its answer, as they stand in line from 0 of the product.
type pair struct {
	input, answer string
	line          int
}

// recognised are the lines of the product that the work adds and that compare with an input
// of a test, and answer what it expects: the inputs are samples, as a sentence or a number of
// two digits, since programs have names and keys for their own sake. Lines that stand together
// count only where all of them are about tests: a table has more. judging are the commands of
// the gates, and the scripts that they run.
func recognised(base, work map[string]File, judging string, content func(id string) ([]byte, error)) (found []Suspect, err error) {
	var tests *sampleLines
	for _, p := range changedSources(work, base) {
		text, err := content(work[p].ID)
		if err != nil {
			return nil, err
		}
		old := map[string]bool{}
		if base[p].ID != "" {
			before, err := content(base[p].ID)
			if err != nil {
				return nil, err
			}
			addLines(old, string(before))
		}
		pairs := pairsIn(sourceLanguage(p, string(text)), string(text), old)
		if len(pairs) == 0 {
			continue
		}
		if tests == nil {
			if tests, err = samplesOf(base, work, content); err != nil {
				return nil, err
			}
			tests.add(judging)
		}
		for _, group := range together(pairs) {
			if !slices.ContainsFunc(group, func(p pair) bool { return !tests.have(p) }) {
				found = append(found, Suspect{Path: p, Line: group[0].line + 1, What: knowsAnswers})
			}
		}
	}
	return found, nil
}

// together are the pairs in groups: those of one stand in lines near each other.
func together(pairs []pair) (groups [][]pair) {
	for i, p := range pairs {
		if i == 0 || p.line > pairs[i-1].line+answerWithin+1 {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], p)
	}
	return groups
}

// pairsIn are the samples with answers in the new lines of a source.
func pairsIn(lang, text string, old map[string]bool) (out []pair) {
	if len(text) > longestSource {
		return nil
	}
	whole := strings.Split(productPart(lang, text), "\n")
	lines := codeLines(lang, whole)
	for n, line := range lines {
		if old[strings.TrimSpace(whole[n])] {
			continue
		}
		inputs := inputsIn(lang, line)
		for i, m := range inputs {
			rest := line[m[1]:]
			if i+1 < len(inputs) {
				rest = line[m[1]:inputs[i+1][0]]
			}
			answers := literals.FindAllString(rest, -1)
			for next := n + 1; len(answers) == 0 && i+1 == len(inputs) && next < min(n+1+answerWithin, len(lines)) && len(inputsIn(lang, lines[next])) == 0; next++ {
				answers = literals.FindAllString(lines[next], -1)
			}
			input := plainLiteral(line[m[0]:m[1]])
			if len(answers) == 1 && isSample(input, plainLiteral(answers[0])) {
				out = append(out, pair{input, plainLiteral(answers[0]), n})
			}
		}
	}
	return out
}

// inputsIn are where literals with which a line compares begin and end.
func inputsIn(lang, line string) (out [][]int) {
	for _, m := range literals.FindAllStringIndex(line, -1) {
		before, after := line[:m[0]], line[m[1]:]
		is := compared.MatchString(before) && !goesOn.MatchString(after) || answered.MatchString(after) && !partOf.MatchString(before)
		if lang == "shell" {
			is = comparedShell.MatchString(before) || strings.HasPrefix(after, ")") && shellCase.MatchString(before)
		}
		if is {
			out = append(out, m)
		}
	}
	return out
}

// documentation matches the texts of Python that document it, and remarks the comments of
// other languages that begin and end with marks; in those with quotes there may be code.
var (
	documentation = lazyregexp.New(`(?s)""".*?"""|'''.*?'''`)
	remarks       = lazyregexp.New("/\\*[^\"'`]*?\\*/")
)

// productPart is a source without its unit tests, documentation and comments; lines keep
// their numbers.
func productPart(lang, text string) string {
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	switch lang {
	case "python":
		return documentation.ReplaceAllStringFunc(text, blank)
	case "shell":
		return text
	case "rust":
		for _, tests := range unitModules(text) {
			text = strings.Replace(text, tests, blank(tests), 1)
		}
	}
	return remarks.ReplaceAllStringFunc(text, blank)
}

// plainLiteral is what a literal stands for: a number in quotes is the number.
func plainLiteral(s string) string {
	s = strings.TrimPrefix(s, "-")
	if strings.ContainsAny(s[:1], "\"'`") {
		s = s[1 : len(s)-1]
	}
	if !isNumber(s) {
		return s
	}
	s = strings.ReplaceAll(s, "_", "")
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "._0123456789") == "" }

// isSample reports whether an input and its answer are those of an example, not names or
// round numbers.
func isSample(input, answer string) bool {
	switch {
	case input == answer || answer == "":
		return false
	case !isNumber(input):
		return aSample.MatchString(input)
	case isNumber(answer):
		return isExact(input) && isExact(answer)
	}
	return isExact(input) && numbers.MatchString(answer)
}

// isExact reports whether a number has two digits at least without the zeros at its ends, and is
// no power of two, nor one less.
func isExact(s string) bool {
	if n, err := strconv.ParseUint(s, 10, 64); err == nil && (n&(n-1) == 0 || n&(n+1) == 0) {
		return false
	}
	return len(strings.Trim(strings.ReplaceAll(s, ".", ""), "0")) > 1
}

// sampleLines are the lines of tests in which literals stand. Those of two files are far
// from each other.
type sampleLines struct {
	at   map[string][]int
	next int
}

// samplesOf reads the tests of both commits.
func samplesOf(base, work map[string]File, content func(id string) ([]byte, error)) (*sampleLines, error) {
	s := &sampleLines{at: map[string][]int{}}
	read, seen := 0, map[string]bool{}
	for _, files := range []map[string]File{base, work} {
		for _, p := range sortedPaths(files) {
			f := files[p]
			_, test := isTest(p)
			if seen[f.ID] || !isFile(f) || !test && !strings.HasSuffix(p, ".rs") {
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
				text = strings.Join(slices.Sorted(maps.Values(unitModules(text))), "\n")
			}
			s.add(text)
		}
	}
	return s, nil
}

func (s *sampleLines) add(text string) {
	for line := range strings.Lines(text) {
		s.next++
		for _, l := range literals.FindAllString(line, -1) {
			s.note(plainLiteral(l))
			if isNumber(plainLiteral(l)) {
				continue
			}
			for _, n := range numbers.FindAllString(l, -1) { // "$(sh tax.sh 150)"
				s.note(plainLiteral(n))
			}
		}
	}
	s.next += answerWithin + 1
}

func (s *sampleLines) note(l string) {
	if at := s.at[l]; len(at) == 0 || at[len(at)-1] != s.next {
		s.at[l] = append(at, s.next)
	}
}

// have reports whether tests have the input and the answer near each other.
func (s *sampleLines) have(p pair) bool {
	answers := s.at[p.answer]
	for _, n := range s.at[p.input] {
		if i, _ := slices.BinarySearch(answers, n-answerWithin); i < len(answers) && answers[i] <= n+answerWithin {
			return true
		}
	}
	return false
}
