package canary

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
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

const (
	aValue = `(?:-?\d{1,7}|"[^"\\\n]{0,60}"|'[^'\\\n]{0,60}')`
	values = `((?:` + aValue + `\s*,\s*)*` + aValue + `)`
)

var (
	// inTable matches where a table has inputs: at the beginning of a row, or as a key. A row
	// ends at a comma or a bracket. A bracket behind a name is a call, which may have what a
	// test expects.
	inTable = lazyregexp.New(`(?:\{|(?:^|[^\w\s)\]])\s*[(\[])\s*` + values + `\s*[,)\]}]|(` + aValue + `)\s*:`)
	inRow   = lazyregexp.New(aValue)
	// noNear matches values without another one near them: paths, and texts without a number
	// which are a word, or short. These may be all that there are.
	noNear   = lazyregexp.New(`[/\\]|\.[A-Za-z]\w*["']$|^\D{0,9}$`)
	someWord = lazyregexp.New(`[A-Za-z]{2,}`)
)

const (
	someValues = `(?:` + aValue + `(?:\s*,\s*` + aValue + `)*)?`
	// newValue is what makes a value of a class or type, from plain values.
	newValue = `(?:new |&)?(?:\w+\.)?(?:[A-Z]\w*|New\w*)(?:\(` + someValues + `\)|\{\})`
	// instance is such a value in the place of its name.
	instance  = `\(` + newValue + `\)`
	aFunction = `(?:` + instance + `\.|(?:[A-Za-z_]\w*\.)*)[A-Za-z_]\w*`
)

var (
	namesInstance = lazyregexp.New(`(?m)^\s*(?:(?:const|let|var)\s+)?(\w+)\s*:?=\s*(` + newValue + `);?$`)
	// inInstance matches a method of an instance; its groups are the package, the type and the
	// method.
	inInstance = lazyregexp.New(`^\((?:new |&)?(?:(\w+)\.)?(\w+)[({].*\)\.(\w+)$`)
)

// nameOf is what people call a function or method.
func nameOf(function string) string {
	if m := inInstance.FindStringSubmatch(function); m != nil {
		return m[2] + "." + m[3]
	}
	return function
}

// withInstances are tests in which a method is asked of a new value each time: a name that
// stands for one everywhere is replaced by what makes it.
func withInstances(tests string) string {
	made := map[string]string{}
	for _, m := range namesInstance.FindAllStringSubmatch(tests, -1) {
		makes := m[2]
		if strings.HasSuffix(makes, "{}") {
			makes = "&" + strings.TrimPrefix(makes, "&")
		}
		if before, is := made[m[1]]; is && before != makes {
			makes = ""
		}
		made[m[1]] = makes
	}
	for _, name := range slices.Sorted(maps.Keys(made)) {
		if makes := made[name]; makes != "" {
			tests = regexp.MustCompile(`(^|[^\w.])`+name+`\.(\w+\()`).ReplaceAllString(tests, "${1}("+strings.ReplaceAll(makes, "$", "$$")+").${2}")
		}
	}
	return tests
}

// inputsOf are the inputs that tests have for a function, in its calls and in tables, with so
// many values, and those near them. fits reports whether the function takes such values.
func inputsOf(tests, function string, count int, fits func(values []string) bool) (all []input) {
	calls := regexp.MustCompile(`(?:^|[^\w.])` + regexp.QuoteMeta(function) + `\(\s*` + values + `\s*\)`)
	var seen []string
	var rows [][]string
	take := func(matches [][]string) {
		for _, m := range matches {
			row := valuesOf(strings.Join(m[1:], ""))
			if len(row) < max(count, 1) || !fits(row[:count]) {
				continue
			}
			if of := strings.Join(row[:count], ", "); !slices.Contains(seen, of) && len(seen) < mostInputs {
				seen, rows = append(seen, of), append(rows, row[:count])
			}
		}
	}
	take(calls.FindAllStringSubmatch(tests, -1))
	for _, m := range regexp.MustCompile(`(?:^|[^\w.])`+regexp.QuoteMeta(function)+`\(`).FindAllStringIndex(tests, -1) {
		if of := literalsIn(tests[m[1]:]); of != "" && count == 0 && !slices.Contains(seen, of) && len(seen) < mostInputs {
			seen, all = append(seen, of), append(all, input{of, of, nearLiterals(of)})
		}
	}
	if count == 0 {
		return all
	}
	take(inTable.FindAllStringSubmatch(tests, -1))
	for _, row := range rows {
		in := inputFrom(row)
		for at, value := range row {
			for _, other := range nearValue(value) {
				near := slices.Clone(row)
				near[at] = other
				if other := inputFrom(near); !slices.Contains(seen, other.arguments) {
					in.near = append(in.near, other)
				}
			}
		}
		all = append(all, in)
	}
	return all
}

// longestLiterals bounds lists and objects in a call.
const longestLiterals = 300

var (
	beginsCall = lazyregexp.New(`(` + aFunction + `)\(`)
	// quoted matches a text, atLiteral what a list or an object of literals has beside texts,
	// and a number or text in it.
	quoted    = lazyregexp.New(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'`)
	noLiteral = lazyregexp.New(`\b(?:True|False|None|true|false|null)\b|[A-Za-z_]\w*\s*:|[\s\d.,:\[\]{}()-]`)
	partOf    = lazyregexp.New(`"[^"\\\n]+"|'[^'\\\n]+'|\b\d{1,7}\b`)
)

// literalsIn are the arguments of a call, whose text begins behind its parenthesis, where they
// are literals with a list or an object among them; else "".
func literalsIn(text string) string {
	if of, ok := literals(text); ok && strings.ContainsAny(of, "[{") {
		return of
	}
	return ""
}

// literals are what a text has until the bracket that closes it, which stands open before it;
// ok: it is literals alone.
func literals(text string) (of string, ok bool) {
	of, closed := syntax.InBrackets(text[:min(len(text), longestLiterals)])
	return of, closed && strings.TrimSpace(noLiteral.ReplaceAllString(quoted.ReplaceAllString(of, ""), "")) == ""
}

// nearLiterals are arguments with another number or text in them: of the last four, one each.
func nearLiterals(arguments string) (near []input) {
	parts := partOf.FindAllStringIndex(arguments, -1)
	for _, at := range parts[max(0, len(parts)-4):] {
		part := arguments[at[0]:at[1]]
		others := []string{part[:max(len(part)-2, 1)] + string(otherLetter(part[max(len(part)-2, 0)])) + part[len(part)-1:]}
		if n, err := strconv.Atoi(part); err == nil {
			others = []string{strconv.Itoa(n + 1), strconv.Itoa(n + 3)}
		}
		for _, other := range others {
			of := arguments[:at[0]] + other + arguments[at[1]:]
			near = append(near, input{arguments: of, echo: of})
		}
	}
	return near
}

// keysOf are the keys in sources: a function that answers one which the tests do not have, in
// its own way, has more than their answers.
func keysOf(sources string, fits func(values []string) bool) (all []input) {
	for _, m := range inTable.FindAllStringSubmatch(sources, -1) {
		if key := valuesOf(m[2]); len(key) == 1 && fits(key) && len(all) < mostInputs {
			all = append(all, inputFrom(key))
		}
	}
	return all
}

// valuesOf are the values of a row; numbers have no zeros before them, which some languages
// refuse.
func valuesOf(row string) []string {
	values := inRow.FindAllString(row, -1)
	for i, value := range values {
		if n, err := strconv.Atoi(value); err == nil {
			values[i] = strconv.Itoa(n)
		}
	}
	return values
}

func inputFrom(row []string) input {
	in := input{arguments: strings.Join(row, ", ")}
	if len(row) == 1 {
		in.echo = strings.Trim(row[0], `"'`)
	}
	return in
}

// nearValue are values near one, as they are written.
func nearValue(value string) (near []string) {
	if n, err := strconv.Atoi(value); err == nil {
		for _, other := range []int{n + 1, n + 2, n + 3, n/2 + 1} {
			near = append(near, strconv.Itoa(other))
		}
		return near
	}
	if noNear.MatchString(value) {
		return nil
	}
	return nearText(value)
}

// nearText are texts with another digit, or where they have none and several words with
// another last letter of one of these, at most four.
func nearText(t string) (near []string) {
	if !strings.ContainsAny(t, "0123456789") {
		words := someWord.FindAllStringIndex(t, -1)
		for i := 0; len(words) > 1 && i < min(len(words), 4); i++ {
			at := words[i][1] - 1
			near = append(near, t[:at]+string(otherLetter(t[at]))+t[at+1:])
		}
		return near
	}
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

func otherLetter(c byte) byte {
	if c == 'z' || c == 'Z' {
		return c - 1
	}
	return c + 1
}

// written lists inputs, each in brackets with those near it: form makes the source of one.
func written(all []input, brackets string, form func(input) string) string {
	var out []string
	for _, in := range all {
		out = append(out, brackets[:1]+strings.Join(append([]string{form(in)}, forms(in.near, form)...), ", ")+brackets[1:])
	}
	return strings.Join(out, ", ")
}

// forms are inputs as source.
func forms(all []input, form func(input) string) (out []string) {
	for _, in := range all {
		out = append(out, form(in))
	}
	return out
}
