package suspect

import (
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Limits of the search for inputs of tests: the bytes of tests that are read, and the lines
// after an input in which its answer stands, in the product and in tests.
const (
	mostTestsRead = 16 << 20
	answerWithin  = 2
	// mostScans bounds the texts for which all tests are searched.
	mostScans = 50
)

var (
	// literals are texts and numbers.
	literals = lazyregexp.New(syntax.LiteralForm)
	// operands are literals, and several of them in brackets.
	operands = lazyregexp.New(`[(\[{]\s*(?:` + syntax.LiteralForm + `)(?:\s*,\s*(?:` + syntax.LiteralForm + `))+\s*[)\]}]|` + syntax.LiteralForm)
	// both matches what stands between two comparisons that must both hold.
	both = lazyregexp.New(`^[^|]*(?:\band\b|&&)[^|]*$`)
	// compared and answered match what stands before an input and after one: a comparison, or
	// the mark behind which a table has the answer.
	compared = lazyregexp.New(`(?:[^!<>=]={2,3}|\.equals\(|\beq|\bcase|\bwhen)\s*$`)
	// comparedShell and shellCase match what stands before an input in a shell.
	comparedShell = lazyregexp.New(`\[[^\n]*\s(?:==?|-eq)\s+$`)
	shellCase     = lazyregexp.New(`(?:^|;;|\bin)\s*\(?$`)
	answered      = lazyregexp.New(`^\s*(?:={2,3}|=>|:\s*[^:=\s])`)
	// partOf matches what stands before or after a number that is a part of something: a list,
	// a sum, a limit, a slice, the first of two that are chosen from.
	partOf = lazyregexp.New(`[-+*/%&|^?:[<>!=]\s*$`)
	// goesOn matches what stands after a number that is an operand.
	goesOn = lazyregexp.New(`^\s*(?:[-+*/%^,<>]|&[^&]|\|[^|])`)
	// aSample matches texts that no program has for its own sake, as it has words, names and keys.
	aSample = lazyregexp.New(`\S[ \t]+\S|\d\D*\d\D*\d`)
	// numbers matches a number.
	numbers = lazyregexp.New(`\d[\d_]*(?:\.\d+)?`)
)

// recognised are the lines of the product that the work adds and that compare with an input
// of a test, and answer what it expects: the inputs are samples, as a sentence or a number of
// two digits, since programs have names and keys for their own sake. Lines that stand together
// count only where all of them are about tests: a table has more. What the gates run counts as
// tests, too.
func (s search) recognised() (found []Finding, err error) {
	var tests *sampleLines
	for _, p := range changedSources(s.After, s.Before) {
		was, now, err := proof.TwoTexts(s.Before[p], s.After[p], s.Content)
		if err != nil {
			return nil, err
		}
		old := map[string]bool{}
		syntax.AddLines(old, was)
		lang := proof.SourceLanguage(p, now)
		pairs := pairsIn(lang, now, old)
		if len(pairs) == 0 {
			continue
		}
		if tests == nil {
			all, err := s.samples()
			if err != nil {
				return nil, err
			}
			tests = all.with(s.duties.Texts)
		}
		for _, line := range tests.knownIn(pairs, syntax.CodeLines(lang, strings.Split(productPart(lang, now), "\n"))) {
			found = append(found, Finding{Path: p, Line: line + 1, What: knowsAnswers})
		}
	}
	return found, nil
}

// knownIn are the first lines of the groups of pairs that tests have: those of samples, and
// those with special cases where the source computes the rest, and those of lengths.
func (s *sampleLines) knownIn(pairs []pair, lines []string) (first []int) {
	of := func(kinds ...pairKind) [][]pair {
		return together(slices.DeleteFunc(slices.Clone(pairs), func(p pair) bool { return !slices.Contains(kinds, p.kind) }))
	}
	all := func(group []pair, has func(pair) bool) bool {
		return !slices.ContainsFunc(group, func(p pair) bool { return !has(p) })
	}
	for _, group := range of(aPair) {
		if all(group, s.have) {
			first = append(first, group[0].line)
		}
	}
	for _, group := range of(aPair, special) {
		skipped := func(p pair) bool { return slices.Contains(first, p.line) || !s.have(p) }
		if slices.ContainsFunc(group, skipped) || all(group, func(p pair) bool { return p.kind == aPair }) {
			continue
		}
		if computesRest(lines, group) {
			first = append(first, group[0].line)
		}
	}
	for _, group := range of(aPair, special, ofRound) {
		seen := slices.ContainsFunc(group, func(p pair) bool { return slices.Contains(first, p.line) })
		if !seen && len(group) > 1 && all(group, hasLongAnswer) && all(group, s.have) {
			first = append(first, group[0].line)
		}
	}
	for _, group := range of(byLength) {
		if all(group, s.haveByLength) {
			first = append(first, group[0].line)
		}
	}
	slices.Sort(first)
	return first
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
		for _, tests := range syntax.UnitModules(text) {
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

// isSample reports whether an input and its answer are those of an example, not names or round
// numbers, which programs have for their own sake. Of several inputs, two of all must be more
// than a digit or a name.
func isSample(input, answer []string) bool {
	in, out := input[0], answer[0]
	switch {
	case len(input) > 2 && len(answer) > 2: // lists
		return !slices.Equal(input, answer)
	case len(input) > 1:
		own, all := 0, 0
		for i, l := range slices.Concat(input, answer) {
			if isNumber(l) && len(l) > 1 || !isNumber(l) && aSample.MatchString(l) {
				if all++; i < len(input) {
					own++
				}
			}
		}
		return own > 0 && all > 1
	case in == out || out == "":
		return false
	case !isNumber(in):
		return aSample.MatchString(in)
	}
	return len(answer) == 1 && isExact(in) && (isExact(out) || !isNumber(out) && numbers.MatchString(out))
}

// isExact reports whether a number has two digits at least without the zeros at its ends, and is
// no power of two, nor one less.
func isExact(s string) bool {
	if !isNumber(s) {
		return false
	}
	if n, err := strconv.ParseUint(s, 10, 64); err == nil && (n&(n-1) == 0 || n&(n+1) == 0) {
		return false
	}
	return len(strings.Trim(strings.ReplaceAll(s, ".", ""), "0")) > 1
}
