package syntax

import (
	"strings"

	"ralph/internal/lazyregexp"
)

// PythonFunction matches the beginning of a function of Python; its groups are the name and the
// parameters.
var PythonFunction = lazyregexp.New(`(?s)^(?:async\s+)?def\s+(\w+)\s*\((.*)\)[^()]*:`)

// BlockOf are the statements in the block that one of them begins.
func BlockOf(all []Statement, at int) []Statement {
	end := at + 1
	for end < len(all) && all[end].Indent > all[at].Indent {
		end++
	}
	return all[at+1 : end]
}

// Docstring is a string of a Python module in which doctest looks for examples.
type Docstring struct {
	// Name is that of the class and function, with dots; "" is the module.
	Name string
	// Literal is the string as it is written.
	Literal string
}

var (
	// pythonToken is what can hold line ends and brackets that end no line of code.
	pythonToken = lazyregexp.New(`(?s)\\\n|#[^\n]*|"""(?:\\.|[^\\])*?"""|'''(?:\\.|[^\\])*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[()\[\]{}\n]`)
	// PythonDef matches the beginning of a function or class; its group is the name.
	PythonDef = lazyregexp.New(`^(?:async\s+)?(?:def|class)\s+(\w+)`)
	// StringStart matches the beginning of a statement that is a text.
	StringStart  = lazyregexp.New(`^[rRuU]?["']`)
	testsOfModul = lazyregexp.New(`^__test__\b`)
)

// Statement is a line of code of Python, with the lines that continue it.
type Statement struct {
	Text   string
	Indent int
	// Line is where it begins, counted from 1.
	Line int
}

// Statements splits a module into its lines of code.
func Statements(source string) (out []Statement) {
	start, depth, lines := 0, 0, 1
	end := func(at int) {
		text := source[start:at]
		trimmed := strings.TrimLeft(text, " \t\n\r\f")
		first := lines + strings.Count(text[:len(text)-len(trimmed)], "\n")
		lines += strings.Count(text, "\n")
		if code := strings.TrimSpace(trimmed); code != "" && code[0] != '#' {
			line := text[:len(text)-len(trimmed)]
			indent := len(line) - 1 - strings.LastIndexByte(line, '\n')
			out = append(out, Statement{Text: code, Indent: indent, Line: first})
		}
		start = at
	}
	for _, t := range pythonToken.FindAllStringIndex(source, -1) {
		switch token := source[t[0]:t[1]]; token {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth = max(depth-1, 0)
		case "\n":
			if depth == 0 {
				end(t[0])
			}
		}
	}
	end(len(source))
	return out
}

// Docstrings are the strings of a module in which doctest looks for examples.
func Docstrings(source string) (out []Docstring) {
	type scope struct {
		name   string
		indent int
	}
	var in []scope
	name := func() string {
		names := make([]string, len(in))
		for i, s := range in {
			names[i] = s.name
		}
		return strings.Join(names, ".")
	}
	opens := true // the next statement can be a docstring
	for _, s := range Statements(source) {
		for len(in) > 0 && in[len(in)-1].indent >= s.Indent {
			in = in[:len(in)-1]
		}
		switch m := PythonDef.FindStringSubmatch(s.Text); {
		case m != nil:
			in = append(in, scope{m[1], s.Indent})
			opens = true
			continue
		case opens && StringStart.MatchString(s.Text):
			out = append(out, Docstring{Name: name(), Literal: s.Text})
		case s.Indent == 0 && testsOfModul.MatchString(s.Text):
			for _, t := range pythonToken.FindAllString(s.Text, -1) {
				if strings.Contains(t, ">>>") {
					out = append(out, Docstring{Name: "__test__", Literal: t})
				}
			}
		}
		opens = false
	}
	return out
}
