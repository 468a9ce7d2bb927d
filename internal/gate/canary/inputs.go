package canary

import (
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// The bounds of what is asked in one place.
const (
	mostInputs    = 30
	mostFunctions = 20
)

// input is what a function of the work is asked for.
type input struct {
	// arguments as they are written in a source, and the text by which a function gives one
	// of them back; empty for several.
	arguments, echo string
	near            []input
}

var (
	// aNumber and aText match inputs: whole numbers, and texts, of which those with a number
	// count that are no paths.
	aNumber = lazyregexp.New(`(?:^|[^\w.])(0|[1-9]\d{0,6})\b`)
	aText   = lazyregexp.New(`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'`)
	noInput = lazyregexp.New(`^\D*$|[/\\]|\.[A-Za-z]\w*$|.{100}`)
	// aRow matches numbers and texts behind a bracket: a case in a table, or a call. They end
	// at a comma or a bracket.
	aRow = lazyregexp.New(`[(\[{]\s*((?:` + aValue + `\s*,\s*)+` + aValue + `)\s*[,)\]}]`)
	// inRow matches one of them.
	inRow = lazyregexp.New(aValue)
)

const aValue = `(?:-?\d{1,7}|"[^"\\\n]{0,60}"|'[^'\\\n]{0,60}')`

// numbersOf are the whole numbers of tests.
func numbersOf(text string) (all []input) {
	var seen []int
	for _, m := range aNumber.FindAllStringSubmatch(strings.ReplaceAll(text, ",", ", "), -1) {
		if n, _ := strconv.Atoi(m[1]); !slices.Contains(seen, n) && len(seen) < mostInputs {
			seen = append(seen, n)
		}
	}
	of := func(n int) input { return input{arguments: strconv.Itoa(n), echo: strconv.Itoa(n)} }
	for _, n := range seen {
		in := of(n)
		for _, near := range nearNumber(n) {
			if !slices.Contains(seen, near) {
				in.near = append(in.near, of(near))
			}
		}
		all = append(all, in)
	}
	return all
}

func nearNumber(n int) []int { return []int{n + 1, n + 2, n + 3, n/2 + 1} }

// textsOf are the texts of tests that have a number.
func textsOf(text string) (all []input) {
	var seen []string
	for _, m := range aText.FindAllStringSubmatch(text, -1) {
		if t := m[1] + m[2]; !slices.Contains(seen, t) && len(seen) < mostInputs && !noInput.MatchString(t) {
			seen = append(seen, t)
		}
	}
	of := func(t string) input { return input{arguments: strconv.QuoteToASCII(t), echo: t} }
	for _, t := range seen {
		in := of(t)
		for _, near := range nearText(t) {
			if !slices.Contains(seen, near) {
				in.near = append(in.near, of(near))
			}
		}
		all = append(all, in)
	}
	return all
}

// nearText are texts with another digit, at most four.
func nearText(t string) (near []string) {
	for i := len(t) - 1; i >= 0 && len(near) < 4; i-- {
		if c := t[i]; c >= '0' && c <= '9' {
			other := c + 1
			if c == '9' {
				other = '8'
			}
			near = append(near, t[:i]+string(other)+t[i+1:])
		}
	}
	return near
}

// rowsOf are the cases of tests with so many values or more; near are those in which one of
// the first ones is another. fits reports whether a function takes such values.
func rowsOf(text string, count int, fits func(values []string) bool) (all []input) {
	var seen []string
	var rows [][]string
	for _, m := range aRow.FindAllStringSubmatch(text, -1) {
		row := inRow.FindAllString(m[1], -1)
		if len(row) < count || !fits(row[:count]) {
			continue
		}
		if of := strings.Join(row[:count], ", "); !slices.Contains(seen, of) && len(seen) < mostInputs {
			seen, rows = append(seen, of), append(rows, row[:count])
		}
	}
	for i, row := range rows {
		in := input{arguments: seen[i]}
		for at, value := range row {
			var others []string
			if n, err := strconv.Atoi(value); err == nil {
				others = []string{strconv.Itoa(n + 1), strconv.Itoa(n/2 + 1)}
			} else if !noInput.MatchString(value) {
				others = nearText(value)
			}
			for _, other := range others {
				near := slices.Clone(row)
				near[at] = other
				if of := strings.Join(near, ", "); !slices.Contains(seen, of) {
					in.near = append(in.near, input{arguments: of})
				}
			}
		}
		all = append(all, in)
	}
	return all
}

// written lists inputs, each with those near it: form makes the source of one.
func written(all []input, brackets string, form func(input) string) string {
	var out []string
	for _, in := range all {
		asks := []string{form(in)}
		for _, near := range in.near {
			asks = append(asks, form(near))
		}
		out = append(out, brackets[:1]+strings.Join(asks, ", ")+brackets[1:])
	}
	return strings.Join(out, ", ")
}
