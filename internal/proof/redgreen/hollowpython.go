package redgreen

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

func hollowPython(text string) (found []Function) {
	all, lines := syntax.Statements(text), []int{0}
	for at, c := range text {
		if c == '\n' {
			lines = append(lines, at+1)
		}
	}
	for i, s := range all {
		body := syntax.BlockOf(all, i)
		if !syntax.PythonFunction.MatchString(s.Text) || len(body) == 0 {
			continue
		}
		first := body[0]
		if len(body) > 1 && syntax.StringStart.MatchString(first.Text) {
			first = body[1] // its text is an attribute of the function
		}
		f := Function{Begin: lines[s.Line-1], Body: lines[first.Line-1], End: len(text)}
		last := body[len(body)-1]
		f.End = min(f.End, lines[last.Line-1]+last.Indent+len(last.Text))
		in := strings.Repeat(" ", first.Indent)
		f.ends = in + "return\n"
		f.fails = in + `raise AssertionError("` + hollowed + "\")\n"
		f.Name = syntax.PythonFunction.FindStringSubmatch(s.Text)[1]
		if slices.ContainsFunc(body, func(s syntax.Statement) bool { return givesPython.MatchString(s.Text) }) {
			f.idle = in + "return None\n"
			if f.Name != "__hash__" && f.Name != "__new__" {
				f.other = []insertion{{f.Begin, strings.Repeat(" ", s.Indent) + otherPython() + "\n"}}
			}
		}
		found = append(found, f)
	}
	return found
}

var (
	givesPython = lazyregexp.New(`^return\s+[^\s#]|\byield\b`)
	// declaresNothing matches a statement of Python that makes no value which a test can be about.
	declaresNothing = lazyregexp.New(`^(?:import|from|class|@|if __name__|pass\b|[rRuU]?["'])`)
	emptyValue      = lazyregexp.New(`^[\w.:, \[\]|]+=\s*(?:\[\s*\]|\{\s*\}|\(\s*\)|set\(\)|dict\(\)|list\(\)|None|""|'')$`)
	classOfPython   = lazyregexp.New(`^class\s+(\w+)`)
)

// declaredPython: a class with values of its own is one itself.
func declaredPython(rest string, old func(string) bool) (names []string) {
	all := syntax.Statements(rest)
	for i, s := range all {
		if m := classOfPython.FindStringSubmatch(s.Text); m != nil {
			if slices.ContainsFunc(syntax.BlockOf(all, i), func(in syntax.Statement) bool { return !declaresNothing.MatchString(in.Text) && !old(in.Text) }) {
				names = append(names, m[1])
			}
		}
		if !declaresNothing.MatchString(s.Text) && !emptyValue.MatchString(s.Text) && !old(s.Text) {
			names = append(names, syntax.Identifier.FindAllString(syntax.Before(s.Text, "="), -1)...)
			if strings.Contains(s.Text, "lambda") {
				names = append(names, anything)
			}
		}
	}
	return slices.DeleteFunc(names, func(n string) bool {
		return slices.Contains([]string{"def", "async", "self", "int", "str", "float", "bool", "list", "dict"}, n)
	})
}
