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

// fewestNear answers say something.
const fewestNear = "4"

var (
	// called matches a call with plain arguments, compares the lines in which it counts.
	called   = lazyregexp.New(`(?:^|[^\w.])((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)\(((?:\s*(?:-?\w[\w.]*|"[^"\n]*"|'[^'\n]*')\s*,?){1,4})\)`)
	compares = lazyregexp.New(`[=!]=|:=|\bassert|[eE]qual|\bexpect\b|\bgot\b|\bis\(`)
	// goFunction matches a function of Go; its groups are the name, the parameters, and what
	// it gives, alone or with a name, and the error behind it.
	goFunction = lazyregexp.New(`(?m)^func (\w+)\(([^()\n]+)\) (?:(\w+|\[\]\w+)|\((?:\w+ )?(\w+|\[\]\w+)(, (?:\w+ )?error)?\)) \{`)
)

// functionsOf are the functions that tests call and compare, of those that are declared, with
// the number of their arguments.
func functionsOf(text string, declared func(name string) bool) (names []string, arguments map[string]int) {
	arguments = map[string]int{}
	for line := range strings.Lines(text) {
		if !compares.MatchString(line) {
			continue
		}
		for _, m := range called.FindAllStringSubmatch(line, -1) {
			if !slices.Contains(names, m[1]) && len(names) < mostFunctions && declared(m[1][strings.LastIndexByte(m[1], '.')+1:]) {
				names, arguments[m[1]] = append(names, m[1]), len(strings.Split(m[2], ","))
			}
		}
	}
	return names, arguments
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
	lambda := "lambda: "
	if path.Ext(p.Path) != ".py" {
		lambda = "() => "
	}
	var b strings.Builder
	names, arguments := functionsOf(tests, declared)
	for _, f := range names {
		inputs := slices.Concat(numbersOf(tests), textsOf(tests))
		if count := arguments[f]; count > 1 {
			inputs = rowsOf(tests, count, func([]string) bool { return true })
		}
		list := written(inputs, "[]", func(in input) string {
			return "[" + strconv.QuoteToASCII(in.echo) + ", " + lambda + f + "(" + in.arguments + ")]"
		})
		name := word()
		p.Near = append(p.Near, Near{Test: name, Function: f})
		b.WriteString(strings.NewReplacer("NAME", name, "OTHER", word(), "INPUTS", "["+list+"]", "FEWEST", fewestNear).Replace(ask))
	}
	return b.String()
}

// nearPython is a case of unittest, which pytest runs as well.
const nearPython = `

class TestNAME(__import__("unittest").TestCase):
    def test_NAME(self):
        def answer(n, ask):
            try:
                a = ask()
            except BaseException:
                return ""
            if isinstance(a, bool) or not isinstance(a, (int, float, str, bytes, tuple, list, dict)):
                return ""
            a = str(a)
            return "" if a == n or len(set(a)) < 2 and not a.isdigit() else a
        known = [(answer(*n), near) for n, *near in INPUTS]
        near = [m for a, near in known if a for m in near]
        answers, others = {a for a, _ in known if a}, {answer(*m) for m in near} - {""}
        if len(answers) > 1 and len(near) >= FEWEST and len(others) < 2 and not others & answers:
            raise RuntimeError("not equal")
`

// nearScript fails in a test of its own: one that ends the process is reported as failed.
const nearScript = `
let NAME = false
;(typeof it === 'function' ? it : test)('OTHER', () => {
  const answer = ([n, ask]) => {
    let a
    try { a = ask() } catch { return '' }
    const text = ['number', 'string'].includes(typeof a) ? String(a) : ''
    return text === n || new Set(text).size < 2 && !/^\d/.test(text) ? '' : text
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
	names, _ := functionsOf(tests, func(string) bool { return true })
	for _, f := range names {
		from, function, qualified := strings.Cut(f, ".")
		if !qualified {
			from, function = "", f
		}
		kinds, fails := takes(path.Dir(p.Path), function, sources)
		if kinds == nil {
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
		result := ""
		if !fails {
			result = ", nil"
		}
		list := written(inputsGo(tests, kinds), "{}", func(in input) string {
			return "{" + strconv.QuoteToASCII(in.echo) + ", func() (any, error) { return " + f + "(" + in.arguments + ")" + result + " }}"
		})
		test, fitted := "Test"+title(word()), word()
		p.Near = append(p.Near, Near{Test: test + "/" + fitted, Function: f})
		asks.WriteString(strings.NewReplacer("FORMATS", formats, "TESTING", testing, "NAME", test, "FITTED", fitted, "INPUTS", list, "FEWEST", fewestNear).Replace(nearGoTest))
	}
	if asks.Len() > 0 {
		text := "package " + name + "\n\nimport (\n\t" + strings.Join(imports, "\n\t") + "\n)\n" + asks.String()
		p.Edited = append(p.Edited, File{Path: path.Join(path.Dir(p.Path), word()+"_test.go"), Data: []byte(text)})
	}
}

// takes are the types of the parameters of a function of Go, where each is a number or text
// and it gives neither a bool nor an error alone; fails: it gives an error as well.
func takes(dir, function string, sources map[string]string) (kinds []string, fails bool) {
	for file, text := range sources {
		if path.Ext(file) != ".go" || path.Dir(file) != dir {
			continue
		}
		for _, m := range goFunction.FindAllStringSubmatch(text, -1) {
			if gives := m[3] + m[4]; m[1] != function || gives == "bool" || gives == "error" {
				continue
			}
			parameters := strings.Split(m[2], ",")
			kind := ""
			for _, parameter := range slices.Backward(parameters) {
				if fields := strings.Fields(parameter); len(fields) == 2 {
					kind = fields[1]
				}
				if !slices.Contains([]string{"string", "int", "int32", "int64", "uint", "uint32", "uint64", "float64"}, kind) {
					return nil, false
				}
				kinds = append([]string{kind}, kinds...)
			}
			return kinds, m[5] != ""
		}
	}
	return nil, false
}

// inputsGo are inputs for parameters of these types.
func inputsGo(tests string, kinds []string) []input {
	switch {
	case len(kinds) > 1:
		return rowsOf(tests, len(kinds), func(values []string) bool {
			for i, value := range values {
				if value[0] == '\'' || (value[0] == '"') != (kinds[i] == "string") || value[0] == '-' && kinds[i][0] == 'u' {
					return false
				}
			}
			return true
		})
	case kinds[0] == "string":
		return textsOf(tests)
	}
	return numbersOf(tests)
}

// nearGoTest fails in a test inside of it, as nearScript does.
const nearGoTest = `
func NAME(t *TESTING.T) {
	type input struct {
		echo string
		ask  func() (any, error)
	}
	answer := func(in input) (text string) {
		defer func() {
			if recover() != nil || text == in.echo {
				text = ""
			}
			for i := range text {
				if text[i] != text[0] || text[i] >= '0' && text[i] <= '9' {
					return
				}
			}
			text = ""
		}()
		if a, err := in.ask(); err == nil {
			text = FORMATS.Sprint(a)
		}
		return text
	}
	answers, others, near := map[string]bool{}, map[string]bool{"": true}, 0
	for _, in := range [][]input{INPUTS} {
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
