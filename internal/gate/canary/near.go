package canary

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// A function that knows the inputs of its tests and no rule (a table, a "match", names of
// members) answers them. For inputs near them it fails, gives them back, gives one character
// again and again, or gives always the same that it gives for none of the tests. Tests of
// ralph's own ask it, in the run with the canaries. A function like "plural" gives one and the
// same for nearly all numbers, too, but its tests expect it.

// Near is a test that fails where a function answers inputs of the tests and none near them.
type Near struct{ Test, Function string }

// The bounds of what is asked in one place; fewestNear answers say something.
const (
	mostInputs    = 30
	mostFunctions = 20
	fewestNear    = "4"
)

var (
	// calledWith matches a call with one argument, compares the lines in which it counts.
	calledWith = lazyregexp.New(`(?:^|[^\w.])((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\(\s*(?:-?\w[\w.]*|"[^"\n]*"|'[^'\n]*')\s*\)`)
	compares   = lazyregexp.New(`[=!]=|:=|\bassert|[eE]qual|\bexpect\b|\bgot\b|\bis\(`)
	// aNumber and aText match inputs: whole numbers, and texts, of which those with a number
	// count that are no paths.
	aNumber = lazyregexp.New(`(?:^|[^\w.])(0|[1-9]\d{0,6})\b`)
	aText   = lazyregexp.New(`"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'`)
	noInput = lazyregexp.New(`^\D*$|[/\\]|\.[A-Za-z]\w*$|.{100}`)
	// takesOne matches a function of Go that takes one number or text; its groups are the
	// name, the type of the parameter, and what it gives, alone or with a name, and the error behind it.
	takesOne = lazyregexp.New(`(?m)^func (\w+)\(\w+ (string|u?int(?:8|16|32|64)?)\) (?:(\w+|\[\]\w+)|\((?:\w+ )?(\w+|\[\]\w+)(, (?:\w+ )?error)?\)) \{`)
)

// input is one of the tests, and those near it, as they are written in a source.
type input struct {
	of   string
	near []string
}

// numbersOf are the whole numbers of tests.
func numbersOf(text string) (all []input) {
	var seen []int
	for _, m := range aNumber.FindAllStringSubmatch(strings.ReplaceAll(text, ",", ", "), -1) {
		if n, _ := strconv.Atoi(m[1]); !slices.Contains(seen, n) && len(seen) < mostInputs {
			seen = append(seen, n)
		}
	}
	for _, n := range seen {
		in := input{of: strconv.Itoa(n)}
		for _, near := range []int{n + 1, n + 2, n + 3, n/2 + 1} {
			if !slices.Contains(seen, near) {
				in.near = append(in.near, strconv.Itoa(near))
			}
		}
		all = append(all, in)
	}
	return all
}

// textsOf are the texts of tests that have a number; near are those with another digit.
func textsOf(text string) (all []input) {
	var seen []string
	for _, m := range aText.FindAllStringSubmatch(text, -1) {
		if t := m[1] + m[2]; !slices.Contains(seen, t) && len(seen) < mostInputs && !noInput.MatchString(t) {
			seen = append(seen, t)
		}
	}
	for _, t := range seen {
		in := input{of: strconv.QuoteToASCII(t)}
		for i := len(t) - 1; i >= 0 && len(in.near) < 4; i-- {
			if c := t[i]; c >= '0' && c <= '9' {
				other := c + 1
				if c == '9' {
					other = '8'
				}
				if near := t[:i] + string(other) + t[i+1:]; !slices.Contains(seen, near) {
					in.near = append(in.near, strconv.QuoteToASCII(near))
				}
			}
		}
		all = append(all, in)
	}
	return all
}

// written lists inputs, each in brackets with those near it behind it.
func written(all []input, brackets string) string {
	var out []string
	for _, in := range all {
		out = append(out, brackets[:1]+strings.Join(append([]string{in.of}, in.near...), ", ")+brackets[1:])
	}
	return strings.Join(out, ", ")
}

// functionsOf are the functions that tests call with one argument and compare, of those that
// are declared.
func functionsOf(text string, declared func(name string) bool) (names []string) {
	for line := range strings.Lines(text) {
		if !compares.MatchString(line) {
			continue
		}
		for _, m := range calledWith.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(names, m[1]) && len(names) < mostFunctions && declared(m[1][strings.LastIndexByte(m[1], '.')+1:]) {
				names = append(names, m[1])
			}
		}
	}
	return names
}

// addNear gives the places tests that ask the functions of the work's sources.
func addNear(places []Place, files []string, read func(path string) ([]byte, error), word func() string, work []string) {
	sources, tests := map[string]string{}, map[string][]string{}
	for _, f := range slices.Sorted(slices.Values(files)) {
		k, at := kindOf(f)
		if k == nil && !slices.Contains(work, f) {
			continue
		}
		data, err := read(f)
		switch {
		case err != nil:
		case k == nil:
			sources[f] = string(data)
		default:
			tests[at] = append(tests[at], string(data))
		}
	}
	for i := range places {
		p := &places[i]
		switch ext := path.Ext(p.Path); {
		case ext == ".go":
			byPackage := map[string]string{}
			for _, text := range tests[p.At] {
				if m := goPackage.FindStringSubmatch(text); m != nil && !strings.Contains(text, "//go:build") {
					byPackage[m[1]] += text
				}
			}
			for _, name := range slices.Sorted(maps.Keys(byPackage)) {
				p.nearGo(name, byPackage[name], sources, word)
			}
		case ext == ".py":
			ask := p.nearBy(nearPython, `(?m)^(?:def\s+NAME\s*\(|NAME\s*=)`, strings.Join(tests[p.At], ""), sources, word)
			p.Data = []byte(before(string(p.Data), "\nif __name__", ask))
		case javaScript.MatchString(p.Path):
			p.Data = append(p.Data, p.nearBy(nearScript, `\b(?:function\s+NAME\b|NAME\s*[=:(])`, strings.Join(tests[p.At], ""), sources, word)...)
		}
	}
}

// nearBy is a test by each function that the sources of the place's language declare.
func (p *Place) nearBy(ask, declares, tests string, sources map[string]string, word func() string) string {
	declared := func(name string) bool {
		pattern := regexp.MustCompile(strings.ReplaceAll(declares, "NAME", name))
		for file, text := range sources {
			if (path.Ext(file) == ".py") == (path.Ext(p.Path) == ".py") && path.Ext(file) != ".go" && pattern.MatchString(text) {
				return true
			}
		}
		return false
	}
	var b strings.Builder
	for _, f := range functionsOf(tests, declared) {
		name := word()
		p.Near = append(p.Near, Near{Test: name, Function: f})
		b.WriteString(strings.NewReplacer("NAME", name, "OTHER", word(), "FUNCTION", f, "INPUTS", "["+written(slices.Concat(numbersOf(tests), textsOf(tests)), "[]")+"]", "FEWEST", fewestNear).Replace(ask))
	}
	return b.String()
}

// nearPython is a case of unittest, which pytest runs as well.
const nearPython = `

class TestNAME(__import__("unittest").TestCase):
    def test_NAME(self):
        def answer(n):
            try:
                a = FUNCTION(n)
            except BaseException:
                return ""
            if isinstance(a, bool) or not isinstance(a, (int, float, str, bytes, tuple, list, dict)):
                return ""
            a = str(a)
            return "" if a == str(n) or len(set(a)) < 2 and not a.isdigit() else a
        known = [(answer(n), near) for n, *near in INPUTS]
        near = [m for a, near in known if a for m in near]
        answers, others = {a for a, _ in known if a}, {answer(m) for m in near} - {""}
        if len(answers) > 1 and len(near) >= FEWEST and len(others) < 2 and not others & answers:
            raise RuntimeError("not equal")
`

// nearScript fails in a test of its own: one that ends the process is reported as failed.
const nearScript = `
let NAME = false
;(typeof it === 'function' ? it : test)('OTHER', () => {
  const answer = (n) => {
    let a
    try { a = FUNCTION(n) } catch { return '' }
    const text = ['number', 'string'].includes(typeof a) ? String(a) : ''
    return text === String(n) || new Set(text).size < 2 && !/^\d/.test(text) ? '' : text
  }
  const known = INPUTS.map(([n, ...near]) => [answer(n), near]).filter(([a]) => a)
  const near = known.flatMap(([, near]) => near), others = new Set(near.map(answer)), answers = new Set(known.map(([a]) => a))
  others.delete('')
  NAME = answers.size > 1 && near.length >= FEWEST && others.size < 2 && ![...others].some((a) => answers.has(a))
})
;(typeof it === 'function' ? it : test)('NAME', () => { if (NAME) throw new Error('not equal') })
`

// javaScript matches its files; those of TypeScript may be refused for a type.
var javaScript = lazyregexp.New(`\.[cm]?jsx?$`)

// nearGo adds a file to a package of tests.
func (p *Place) nearGo(name, tests string, sources map[string]string, word func() string) {
	formats, testing := word(), word()
	imports := []string{formats + ` "fmt"`, testing + ` "testing"`}
	var asks strings.Builder
	for _, f := range functionsOf(tests, func(string) bool { return true }) {
		from, function, qualified := strings.Cut(f, ".")
		if !qualified {
			from, function = "", f
		}
		kind, fails := takes(path.Dir(p.Path), function, sources)
		if kind == "" {
			continue
		}
		if qualified {
			m := regexp.MustCompile(`(?m)^\s*(?:import\s+)?((?:` + from + `\s+)?"(?:[^"\n]*/)?` + from + `")$`).FindStringSubmatch(tests)
			if m == nil {
				continue
			}
			if !slices.Contains(imports, m[1]) {
				imports = append(imports, m[1])
			}
		}
		literal, list := "int", ""
		if kind == "string" {
			literal, list = kind, written(textsOf(tests), "{}")
		} else {
			list = written(numbersOf(tests), "{}")
		}
		gets := "a := FUNCTION(KIND(n))"
		if fails {
			gets = "a, err := FUNCTION(KIND(n)); if err != nil { return \"\" }"
		}
		test, fitted := "Test"+title(word()), word()
		p.Near = append(p.Near, Near{Test: test + "/" + fitted, Function: f})
		asks.WriteString(strings.NewReplacer("FUNCTION", f, "KIND", kind, "FORMATS", formats, "TESTING", testing, "NAME", test, "FITTED", fitted, "LITERAL", literal, "INPUTS", list, "FEWEST", fewestNear).
			Replace(strings.Replace(nearGoTest, "GETS", gets, 1)))
	}
	if asks.Len() > 0 {
		text := "package " + name + "\n\nimport (\n\t" + strings.Join(imports, "\n\t") + "\n)\n" + asks.String()
		p.Edited = append(p.Edited, File{Path: path.Join(path.Dir(p.Path), word()+"_test.go"), Data: []byte(text)})
	}
}

// takes is the type of the one parameter of a function of Go, where that is a number or text
// and it gives neither a bool nor an error alone; fails: it gives an error as well.
func takes(dir, function string, sources map[string]string) (kind string, fails bool) {
	for file, text := range sources {
		if path.Ext(file) != ".go" || path.Dir(file) != dir {
			continue
		}
		for _, m := range takesOne.FindAllStringSubmatch(text, -1) {
			if gives := m[3] + m[4]; m[1] == function && gives != "bool" && gives != "error" {
				return m[2], m[5] != ""
			}
		}
	}
	return "", false
}

// nearGoTest fails in a test inside of it, as nearScript does.
const nearGoTest = `
func NAME(t *TESTING.T) {
	answer := func(n LITERAL) (text string) {
		defer func() {
			if recover() != nil {
				text = ""
			}
			for i := range text {
				if text[i] != text[0] || text[i] >= '0' && text[i] <= '9' {
					return
				}
			}
			text = ""
		}()
		GETS
		if text = FORMATS.Sprint(a); text == FORMATS.Sprint(n) {
			return ""
		}
		return text
	}
	answers, others, near := map[string]bool{}, map[string]bool{"": true}, 0
	for _, in := range [][]LITERAL{INPUTS} {
		a := answer(in[0])
		if a == "" {
			continue
		}
		answers[a] = true
		near += len(in) - 1
		for _, n := range in[1:] {
			others[answer(n)] = true
		}
	}
	for a := range others {
		if answers[a] {
			return
		}
	}
	if len(answers) > 1 && near >= FEWEST && len(others) < 3 {
		t.Run("FITTED", func(t *TESTING.T) { t.Errorf("got %d, want %d", 1, 2) })
	}
}
`
