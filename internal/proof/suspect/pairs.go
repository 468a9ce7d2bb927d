package suspect

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// pair is an input, of one literal or several, with what may be its answer, in a line from 0
// of the product.
type pair struct {
	input   []string
	answers [][]string
	line    int
	kind    pairKind
}

// pairKind is what the input of a pair is.
type pairKind int

const (
	aPair    pairKind = iota // see isSample
	special                  // a number that is no sample by itself, see isSpecial
	byLength                 // the length of a text, see isByLength
	ofRound                  // a round number with a long answer, see isOfRound
)

// pairsIn are the samples with answers in the new lines of a source.
func pairsIn(lang, text string, old map[string]bool) (out []pair) {
	if len(text) > syntax.LongestSource {
		return nil
	}
	whole := strings.Split(productPart(lang, text), "\n")
	lines := entriesOfPairs(syntax.CodeLines(lang, whole))
	for n, line := range lines {
		lines[n] = computed(line)
	}
	for n, line := range lines {
		if old[strings.TrimSpace(whole[n])] {
			continue
		}
		inputs := inputsIn(lang, line)
		for i := 0; i < len(inputs); i++ {
			p := pair{input: literalsOf(line[inputs[i][0]:inputs[i][1]]), line: n}
			for i+1 < len(inputs) && both.MatchString(line[inputs[i][1]:inputs[i+1][0]]) {
				i++
				p.input = append(p.input, literalsOf(line[inputs[i][0]:inputs[i][1]])...)
			}
			rest := []string{line[inputs[i][1]:]}
			if i+1 < len(inputs) {
				rest[0] = line[inputs[i][1]:inputs[i+1][0]]
			} else {
				rest = append(rest, answerLines(lang, lines[n+1:])...)
			}
			for kind, fit := range []func(input, answer []string) bool{aPair: isSample, special: isSpecial, byLength: isByLength, ofRound: isOfRound} {
				if p.answers = answersIn(p.input, rest, fit); len(p.answers) > 0 {
					p.kind = pairKind(kind)
					out = append(out, p)
					break
				}
			}
		}
	}
	return out
}

// arithmetic matches a text in quotes, or whole numbers that a line computes with.
var arithmetic = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\b[1-9]\d*(?:\s*[-+*]\s*[1-9]\d*)+\b`)

// computed is a line with the values of what it computes from whole numbers: "90 * 60" as 5400.
func computed(line string) string {
	return arithmetic.ReplaceAllStringFunc(line, func(of string) string {
		if of[0] == '"' || of[0] == '\'' {
			return of
		}
		value, err := types.Eval(token.NewFileSet(), nil, token.NoPos, of)
		if err != nil {
			return of
		}
		return value.Value.ExactString()
	})
}

// entriesOfPairs writes the entries of tables that are made from pairs as those of others:
// "new Map([[150, 179]])" as "150: 179".
func entriesOfPairs(lines []string) []string {
	for n, within := 0, false; n < len(lines); n++ {
		if within = within || syntax.TableOfPairs.MatchString(lines[n]); within {
			lines[n] = syntax.PairOfTable.ReplaceAllString(lines[n], " $1: $2 ")
			within = !strings.Contains(lines[n], "])")
		}
	}
	return lines
}

// answerLines are the next lines, up to one with an input of its own.
func answerLines(lang string, lines []string) []string {
	lines = lines[:min(answerWithin, len(lines))]
	if end := slices.IndexFunc(lines, func(line string) bool { return len(inputsIn(lang, line)) > 0 }); end >= 0 {
		lines = lines[:end]
	}
	return lines
}

// answersIn are the values in the first line that has any, as far as they fit the input.
func answersIn(input, lines []string, fit func(input, answer []string) bool) (answers [][]string) {
	for _, line := range lines {
		found := operands.FindAllString(line, -1)
		for _, v := range found {
			if answer := literalsOf(v); fit(input, answer) {
				answers = append(answers, answer)
			}
		}
		if len(found) > 0 {
			break
		}
	}
	return answers
}

func literalsOf(value string) (out []string) {
	for _, l := range literals.FindAllString(value, -1) {
		out = append(out, plainLiteral(l))
	}
	return out
}

// inputsIn are where operands with which a line compares begin and end.
func inputsIn(lang, line string) (out [][]int) {
	for _, m := range operands.FindAllStringIndex(line, -1) {
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
