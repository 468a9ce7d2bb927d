package suspect

import (
	"cmp"
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
)

// A test that asks only whether a value has a type, or is there, or is above zero, is red
// without the work and green with nearly any: work that adds no stronger one is not shown to
// do its task.

// asksLittle is what the first assertion of such work does.
const asksLittle = "passes with almost any result, as all new tests of the work do"

// assertion tells which lines of tests judge, and which of these nearly any value passes.
type assertion struct{ judges, weak *lazyregexp.Regexp }

const (
	arguments = `(?:[^()\n]|\((?:[^()\n]|\([^()\n]*\))*\))*`
	// chain is a name, a call, an element, or what follows one of these; someName is one
	// that is no number.
	chain    = `(?:await )?(?:[\w.$]|\[[^\]\n]*\]|\(` + arguments + `\))+`
	someName = `(?:await )?[A-Za-z_$]` + chain
	// truth is a name, or its call with at most one value: with two it may compare them.
	truth = `(?:await )?[a-z_$][\w$]*(?:\([^(),\n]*\))?`
	// nothing is what a function gives that does nothing.
	nothing = `(?:0(?:\.0)?|""|''|\[\]|\{\}|\(\)|None|undefined|null)`
)

// oneOf matches one of the patterns.
func oneOf(patterns ...string) string { return "(?:" + strings.Join(patterns, "|") + ")" }

var assertionsOf = sync.OnceValue(func() map[string]assertion {
	message := "(?:,\\s*f?['\"`].*)?"
	python := oneOf(
		`(?:not )?(?:isinstance|issubclass|callable|hasattr)\(`+arguments+`\)`, `type\(`+arguments+`\)\s*(?:is|==|in)\s[\w.(), ]+`,
		chain+` is not None`, chain+`\s*[!=]=\s*`+nothing, chain+`\s*>=?\s*0(?:\.0)?`, `len\(`+arguments+`\)\s*>=\s*1`, truth,
		chain+`\s*[<>]=?\s*`+someName, chain+`\s*==\s*\S+ or `+chain+`\s*==\s*\S+`,
		chain+`\s*==\s*(?:pytest\.)?approx\([^()\n]*\brel=(?:0?\.[5-9]|[1-9])[\d.]*\)`,
	)
	script := oneOf(
		`typeof `+chain+`\s*===?\s*['"]\w+['"]`, chain+` instanceof [\w.]+`, `Array\.isArray\(`+arguments+`\)`,
		chain+`\s*[!=]==?\s*`+nothing, chain+`\s*>=?\s*0`, chain+`\.length\s*>=\s*1`, truth, chain+`\s*[<>]=?\s*`+someName,
	)
	golang := oneOf(`err\w*\s*==\s*nil\s*&&\s*(?:len\(`+arguments+`\)\s*(?:==|<)\s*[01]|`+chain+`\s*==\s*(?:nil|""|0))`, chain+`\s*==\s*(?:nil|""|0)`, chain+`\s*<=?\s*0`, `len\(`+arguments+`\)\s*<\s*1`, `!ok`)
	return map[string]assertion{
		"python": {
			lazyregexp.New(`\bassert|\b(?:raises|warns|approx)\b|\bself\.fail|\w*(?:check|verify|expect|compare|validate|should)\w*\(|^[a-z_]\w*\(.*,`),
			lazyregexp.New(`^` + oneOf(
				`assert `+python+`(?: and `+python+`)*`+message, `self\.assertTrue\(`+python+message+`\)`, `self\.assert(?:IsInstance|IsNotNone)\(.*`,
				`self\.assertGreater(?:Equal)?\(`+arguments+`,\s*0(?:\.0)?\)`, `self\.assert(?:Greater|Less)(?:Equal)?\(`+chain+`,\s*`+someName+`\)`,
				`self\.assert(?:Not)?Equal\(`+chain+`,\s*`+nothing+`\)`) + `$`),
		},
		"js": {
			lazyregexp.New(`\bassert|\bexpect\b|\bshould\b|\.(?:to[A-Z]\w*|rejects|throws)\b|\bt\.(?:is|not|like|true|false|deepEqual|snapshot|regex)\b|\w*(?:check|verify|compare|validate)\w*\(`),
			lazyregexp.New(`^(?:await )?` + oneOf(
				`assert(?:\.ok)?\(`+script+`(?: && `+script+`)*`+message+`\)`, `assert\.doesNot(?:Throw|Reject)\(.*`,
				`assert\.(?:strictEqual|equal)\(typeof .*,\s*['"]\w+['"]\)`, `assert\.(?:(?:deep)?(?:[sS]trict)?[eE]qual|not(?:Strict)?Equal)\(`+chain+`,\s*`+nothing+`\)`,
				`expect\(.*\)\.(?:toBeDefined|toBeTruthy|not\.(?:toBeNull|toBeUndefined|toBeFalsy|toBeNaN|toThrow))\(\)`,
				`expect\(.*\)\.(?:toBeInstanceOf|toBeTypeOf|to\.be\.an?)\(.*\)`, `expect\(.*\)\.to\.(?:exist|be\.ok)`,
				`expect\(.*\)\.toBeGreaterThan(?:OrEqual)?\(0\)`, `expect\(.*\)\.to(?:Be|Equal|StrictEqual)\(`+nothing+`\)`,
				`expect\((?:typeof .*|Array\.isArray\(.*\))\)\.to(?:Be|Equal|StrictEqual)\([^()]*\)`) + `;?$`),
		},
		"go": {
			lazyregexp.New(`^(?:\} else )?if |^(?:switch|case)\b|\b(?:assert|require|check|expect|must|verify|compare)\w*(?:\.\w+)?\(|\(tb?\s*[,)]|\bcmp\.|\bDeepEqual\b`),
			lazyregexp.New(`^if (?:[^;{]*;\s*)?` + golang + `(?: \|\| ` + golang + `)* \{$|^(?:assert|require)\.(?:NotNil|NotEmpty|NotZero|IsType|Implements|Positive)\w*\(`),
		},
	}
})

// comparedPython and comparedScript match an assertion that two values are equal; their
// groups are both.
var (
	comparedPython = lazyregexp.New(`^(?:assert (` + chain + `)\s*==\s*(.+)|self\.assertEqual\((` + chain + `),\s*(.+)\))$`)
	comparedScript = lazyregexp.New(`^(?:assert\.(?:deep)?(?:[sS]trict)?[eE]qual\((` + chain + `),\s*(.+)\)|expect\((` + chain + `)\)\.to(?:Be|Equal|StrictEqual)\((.+)\));?$`)
)

// computedFromItself matches an assertion about a value less, by or over itself (price - price
// == 0), or about the rest of one by 1; its groups are that rest, and both values.
var computedFromItself = lazyregexp.New(`^assert(?:\.ok\(|\.equal\(|\.strictEqual\(|\s)\s*(?:\w+ (% 1)|(\w+) (?:-|/|//|%) (\w+))\s*(?:===?|,)\s*[01]\)?;?$`)

// ofConstant matches a value that is computed from a constant, its group, as "100 * RATE".
var ofConstant = lazyregexp.New(`^[\w\s.()*/+-]*?\b([A-Z][A-Z\d_]+)\b[\w\s.()*/+-]*$`)

// expectsItself reports whether a statement of a file compares a value with itself, or with
// what is computed from a constant of the product, which the work may have set to fit.
func expectsItself(lang, file, text string) bool {
	if m := computedFromItself.FindStringSubmatch(text); m != nil && (m[1] != "" || m[2] == m[3]) {
		return true
	}
	compared := comparedPython
	if lang == "js" {
		compared = comparedScript
	}
	m := compared.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	got, want := m[1]+m[3], m[2]+m[4]
	constant := ofConstant.FindStringSubmatch(want)
	return got == want || constant != nil && !regexp.MustCompile(`\b`+constant[1]+`\s*=[^=]`).MatchString(file)
}

// noError matches what Go writes behind nearly every call.
var noError = lazyregexp.New(`^(?:\} else )?if (?:[^;{]*;\s*)?\w+ != nil \{$|^(?:assert|require)\.(?:NoError|NotPanics)`)

// wantsFailure matches what fails where an error or an exception is missing, and the output
// that an example of Go must have.
var wantsFailure = lazyregexp.New(`(?i)err\w*(?:\([^()\n]*\))?\s*==\s*nil(?:\s*[^&\s]|\s*$)|recover\(\); \w+\s*==\s*nil|\bassert False\b|\bOutput:`)

var (
	// approximate matches an expected number of pytest and how far off a value may be.
	approximate = lazyregexp.New(`^assert .*\bapprox\(\s*-?([\d.]+)\s*,.*\babs=([\d.eE+-]+)`)
	// oneLine matches the beginning of a test of JavaScript that is one expression.
	oneLine = lazyregexp.New("^(?:test|it)\\(['\"`].*['\"`],\\s*(?:async\\s*)?\\(\\w*\\)\\s*=>\\s*([^\\s{].*)$")
)

// allowsAny reports whether a number may be off by half of it or more.
func allowsAny(text string) bool {
	m := approximate.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	want, err := strconv.ParseFloat(m[1], 64)
	off, err2 := strconv.ParseFloat(m[2], 64)
	return errors.Join(err, err2) == nil && off >= want/2
}

// statementsIn are those of a line of Go or JavaScript.
func statementsIn(lang, line string) (out []string) {
	line = strings.TrimSpace(line)
	if lang != "js" {
		return []string{line}
	}
	if m := oneLine.FindStringSubmatch(line); m != nil {
		line = strings.TrimSuffix(strings.TrimSuffix(m[1], ";"), ")")
	}
	for part := range strings.FieldsFuncSeq(line, func(c rune) bool { return strings.ContainsRune(";{}", c) }) {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// weakTests is the first assertion of the work's new tests where each of them passes with
// nearly any value.
func weakTests(was, now []testText, before map[string]proof.File, content func(id string) ([]byte, error)) (found []Finding, err error) {
	var old []string
	for _, t := range was {
		if how, known := functionsIn(t.lang); known && len(t.data) <= syntax.LongestSource {
			for _, f := range how.Functions(t.text) {
				old = append(old, t.text[f.Begin:f.End])
			}
		}
	}
	for _, t := range now {
		how, known := functionsIn(t.lang)
		if !known || len(t.data) > syntax.LongestSource {
			return nil, nil
		}
		first, strong := weakIn(t.lang, t.text, how, old)
		if strong {
			return nil, nil
		}
		if first > 0 && len(found) == 0 {
			line := strings.Split(t.text, "\n")[first-1]
			if repairs, err := ofOldFunction(t.lang, line, before, content); repairs || err != nil {
				return nil, err
			}
			found = append(found, Finding{Path: t.path, Line: first, What: asksLittle})
		}
	}
	return found, nil
}

// wantsNothing matches an assertion of a call that is to give nothing; its group is the function.
var wantsNothing = lazyregexp.New(`\b([A-Za-z_$][\w$]*)\(` + arguments + `\)(?:\s*[!=]==?\s*` + nothing + `(?:\W|$)|,\s*` + nothing + `\s*\)|\)\.to\w+\(` + nothing + `\))`)

// ofOldFunction reports whether an assertion says of a function of the base that it gives
// nothing: where that failed there, nothing may be the right answer.
func ofOldFunction(lang, line string, before map[string]proof.File, content func(id string) ([]byte, error)) (bool, error) {
	m := wantsNothing.FindStringSubmatch(line)
	if m == nil {
		return false, nil
	}
	declares := regexp.MustCompile(`\b(?:def|func|function|const|let|var)\s+(?:\([^)\n]*\)\s*)?` + regexp.QuoteMeta(m[1]) + `\b|^\s*(?:async\s+)?` + regexp.QuoteMeta(m[1]) + `\(`)
	for _, p := range proof.SortedPaths(before) {
		if redgreen.KeptWithTests(p) || proof.LanguageOf(p) != lang || !proof.IsFile(before[p]) {
			continue
		}
		data, err := content(before[p].ID)
		if err != nil || declares.Match(data) {
			return err == nil, err
		}
	}
	return false, nil
}

// weakIn is the line of the first weak assertion of a file's new functions, counted from 1,
// and whether they have one that is not.
func weakIn(lang, text string, how redgreen.Hollowing, old []string) (first int, strong bool) {
	isNew := linesOfNew(text, how.Functions(text), old)
	lines := strings.Split(text, "\n")
	var all []syntax.Statement
	if lang == "python" {
		all = syntax.Statements(text)
	} else {
		for n, line := range syntax.CodeLines(lang, lines) {
			for _, text := range statementsIn(lang, line) {
				all = append(all, syntax.Statement{Text: text, Line: n + 1})
			}
		}
	}
	asserts := assertionsOf()[lang]
	for _, s := range all {
		switch {
		case !isNew[s.Line-1] || lang == "go" && noError.MatchString(s.Text):
		case wantsFailure.MatchString(lines[s.Line-1]):
			return 0, true
		case asserts.weak.MatchString(s.Text), expectsItself(lang, text, s.Text), allowsAny(s.Text):
			first = cmp.Or(first, s.Line)
		case asserts.judges.MatchString(s.Text):
			return 0, true
		}
	}
	return first, false
}

// linesOfNew are the lines of new functions, but for those of old ones inside of them.
func linesOfNew(text string, functions []redgreen.Function, old []string) []bool {
	isNew := make([]bool, strings.Count(text, "\n")+1)
	mark := func(is bool) {
		for _, f := range functions {
			if slices.Contains(old, text[f.Begin:f.End]) == is {
				continue
			}
			first := strings.Count(text[:f.Begin], "\n")
			for n := range strings.Count(text[f.Begin:f.End], "\n") + 1 {
				isNew[first+n] = is
			}
		}
	}
	mark(true)
	mark(false)
	return isNew
}
