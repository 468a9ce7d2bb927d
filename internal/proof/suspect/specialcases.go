package suspect

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// Round and small numbers are no samples: programs compare with them for their own sake. They
// are special cases all the same where the program computes with the very value that it
// compares: "if cents == 50: return 10", with "return cents * 19 // 100" below.

// computedWithin is the number of lines after an input in which the program computes the rest.
const computedWithin = 12

var (
	// comparedName matches the name that a line compares with a literal, or looks up.
	comparedName = lazyregexp.New(`(\$?\w+)"?\s*(?:={2,3}|-eq)\s*"?\d|\b\d+\s*={2,3}\s*(\w+)|^\s*(?:switch|match|case)\s*[("]*(\$?\w+)\b[^:]*(?:\{|:|\bin)\s*$`)
	// tableName matches the name of a table whose entries follow.
	tableName = lazyregexp.New(`(\w+)\s*(?::[^=\n]*)?:?=\s*(?:map\[|new Map|new \w*Map|\w*dict\(|\{|\[)`)
)

// isSpecial reports whether numbers may be an input, of one value or several, and its answer:
// an input that programs compare with for its own sake (0, 1, 2, 10, 100) is none.
func isSpecial(input, answer []string) bool {
	if len(answer) != 1 || len(input) == 1 && input[0] == answer[0] || !isNumber(answer[0]) {
		return false
	}
	own := false
	for _, in := range input {
		n, err := strconv.Atoi(in)
		if err != nil {
			return false
		}
		own = own || n > 2 && strings.TrimRight(in, "0") != "1"
	}
	return own
}

// isOfRound reports whether an input that many programs have has an answer that few do: a number of
// three digits at least without the zeros at its ends. Two such pairs of tests are no chance.
func isOfRound(input, answer []string) bool {
	return len(input) == 1 && len(answer) == 1 && isNumber(input[0]) && hasLongAnswer(pair{answers: [][]string{answer}})
}

func hasLongAnswer(p pair) bool {
	return len(p.answers[0]) == 1 && isExact(p.answers[0][0]) && len(strings.Trim(strings.ReplaceAll(p.answers[0][0], ".", ""), "0")) > 2
}

// computesRest reports whether a source computes with what it compares or looks up in the
// lines of a group of pairs. One of the answers must be more than a truth value.
func computesRest(lines []string, group []pair) bool {
	if !slices.ContainsFunc(group, func(p pair) bool { return p.answers[0][0] != "0" && p.answers[0][0] != "1" }) {
		return false
	}
	first, last := group[0].line, group[len(group)-1].line
	for _, line := range lines[max(0, first-answerWithin) : last+1] {
		for _, m := range comparedName.FindAllStringSubmatch(line, -1) {
			if computesWith(strings.Join(m[1:], ""), lines[first:min(len(lines), last+computedWithin)]) {
				return true
			}
		}
		for _, m := range tableName.FindAllStringSubmatch(line, -1) {
			if computesBeside(m[1], lines) {
				return true
			}
		}
	}
	return false
}

// computesWith reports whether one of the lines has a product, a quotient or a sum of a name.
func computesWith(name string, lines []string) bool {
	if name == "" {
		return false
	}
	name = regexp.QuoteMeta(name)
	if !strings.HasPrefix(name, `\$`) {
		name = `\b` + name
	}
	with := regexp.MustCompile(name + `\b\s*(?:[*/%]|[-+][^-+=>])|[^-+*/]\s*[-+*/%]\s*` + name + `\b`)
	return slices.ContainsFunc(lines, with.MatchString)
}

// computesBeside reports whether a source computes with the key by which it looks into a
// table, near there.
func computesBeside(table string, lines []string) bool {
	looks := regexp.MustCompile(`\b` + regexp.QuoteMeta(table) + `(?:\[|\.get\(|\.has\(|\.contains\w*\(&?)\s*(\w+)|(\w+) (?:not )?in ` + regexp.QuoteMeta(table) + `\b`)
	for n, line := range lines {
		for _, m := range looks.FindAllStringSubmatch(line, -1) {
			if computesWith(strings.Join(m[1:], ""), lines[n:min(len(lines), n+answerWithin+2)]) {
				return true
			}
		}
	}
	return false
}
