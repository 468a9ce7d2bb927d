package canary

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// goFunction matches a function or method of Go; its groups are the name, the parameters, and what
// it gives, alone or with a name, and the error behind it.
var goFunction = lazyregexp.New(`(?m)^func (?:\([^()\n]*\) )?(\w+)\(([^()\n]+)\) (?:(\w+|\[\]\w+)|\((?:\w+ )?(\w+|\[\]\w+)(, (?:\w+ )?error)?\)) \{`)

var goFile = lazyregexp.New(`\.go$`)

// nearGo adds a file to a package of tests.
func (p *Place) nearGo(name, tests string, sources map[string]string, word func() string) {
	formats, testing, times := word(), word(), word()
	imports := []string{formats + ` "fmt"`, testing + ` "testing"`, times + ` "time"`}
	var asks strings.Builder
	known := joined(sources, goFile)
	names, _ := functionsOf(tests, func(string) bool { return true })
	for _, f := range names {
		from, function, qualified := strings.Cut(f, ".")
		if m := inInstance.FindStringSubmatch(f); m != nil {
			from, function, qualified = m[1], m[3], m[1] != ""
		} else if !qualified {
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
		form := func(in input) string {
			return "{" + strconv.QuoteToASCII(in.echo) + ", func() (any, error) { return " + f + "(" + in.arguments + ")" + result + " }}"
		}
		keys := []input(nil)
		if len(kinds) == 1 {
			keys = keysOf(known, fitsGo(kinds))
		}
		test, fitted := "Test"+title(word()), word()
		p.Near = append(p.Near, Near{Test: test + "/" + fitted, Function: nameOf(f)})
		asks.WriteString(strings.NewReplacer("FORMATS", formats, "TESTING", testing, "NAME", test, "FITTED", fitted, "INPUTS", written(inputsOf(tests, f, len(kinds), fitsGo(kinds)), "{}", form), "KEYS", strings.Join(forms(keys, form), ", "), "FEWEST", fewestNear, "ALONE", fewestAlone, "SECONDS", longestAsked, "TIMES", times).Replace(nearGoTest))
	}
	if asks.Len() > 0 {
		text := "package " + name + "\n\nimport (\n\t" + strings.Join(imports, "\n\t") + "\n)\n" + asks.String()
		p.Edited = append(p.Edited, File{Path: path.Join(path.Dir(p.Path), word()+"_test.go"), Data: []byte(text)})
	}
}

// takes are the types of the parameters of a function of Go, where each is a number or text
// and it gives neither a bool nor an error alone; fails: it gives an error as well.
func takes(dir, function string, sources map[string]string) (kinds []string, fails bool) {
	kinds, gives, fails := signature(dir, function, sources)
	if gives == "bool" || gives == "error" {
		return nil, false
	}
	return kinds, fails
}

// takesAny is the same of functions that give a bool, too, and no methods.
func takesAny(dir, function string, sources map[string]string) (kinds []string, fails bool) {
	kinds, gives, fails := signature(dir, function, sources)
	method := regexp.MustCompile(`(?m)^func \([^()\n]*\) ` + function + `\(`)
	for _, text := range sources {
		if gives == "error" || method.MatchString(text) {
			return nil, false
		}
	}
	return kinds, fails
}

// signature is what a function of a package takes, where these are numbers and texts, and gives.
func signature(dir, function string, sources map[string]string) (kinds []string, gives string, fails bool) {
	for file, text := range sources {
		if path.Ext(file) != ".go" || path.Dir(file) != dir {
			continue
		}
		for _, m := range goFunction.FindAllStringSubmatch(text, -1) {
			if m[1] != function {
				continue
			}
			parameters := strings.Split(m[2], ",")
			kind := ""
			for _, parameter := range slices.Backward(parameters) {
				if fields := strings.Fields(parameter); len(fields) == 2 {
					kind = fields[1]
				}
				if !slices.Contains([]string{"string", "int", "int32", "int64", "uint", "uint32", "uint64", "float64"}, kind) {
					return nil, "", false
				}
				kinds = append([]string{kind}, kinds...)
			}
			return kinds, m[3] + m[4], m[5] != ""
		}
	}
	return nil, "", false
}

// fitsGo reports whether values are of these types.
func fitsGo(kinds []string) func(values []string) bool {
	return func(values []string) bool {
		for i, value := range values {
			if value[0] == '\'' || (value[0] == '"') != (kinds[i] == "string") || value[0] == '-' && kinds[i][0] == 'u' {
				return false
			}
		}
		return true
	}
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
	fitted := make(chan bool, 1)
	go func() {
		answers, others, near, asked, alone := map[string]bool{}, map[string]bool{"": true}, 0, 0, 0
		for _, in := range [][]input{INPUTS} {
			a := answer(in[0])
			if a == "" {
				continue
			}
			answers[a] = true
			near += len(in) - 1
			any := false
			for _, n := range in[1:] {
				a := answer(n)
				others[a], any = true, any || a != ""
			}
			if len(in) > 1 {
				if asked++; !any {
					alone++
				}
			}
		}
		for _, key := range []input{KEYS} {
			if a := answer(key); a != "" && !answers[a] && !others[a] {
				near, alone = 0, 0
			}
		}
		for a := range others {
			if answers[a] {
				near = 0
			}
		}
		fitted <- len(answers) > 1 && (near >= FEWEST && len(others) < 3 || alone >= ALONE && 3*alone >= 2*asked)
	}()
	select {
	case fits := <-fitted:
		if fits {
			t.Run("FITTED", func(t *TESTING.T) { t.Errorf("got %d, want %d", 1, 2) })
		}
	case <-TIMES.After(SECONDS * TIMES.Second):
	}
}
`
