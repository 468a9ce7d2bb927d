package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// function is a function or a method of a source: from and to are the bytes of its declaration,
// with its doc comment.
type function struct {
	file, name, of, doc string
	from, to, lines     int
	// words are the names in it.
	words map[string]bool
}

// source is a file of Go.
type source struct {
	tree      *ast.File
	test      bool
	functions []function
}

func parseSource(file, text string) (source, bool) {
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, text, parser.ParseComments)
	if err != nil {
		return source{}, false
	}
	s := source{tree: tree, test: strings.HasSuffix(file, "_test.go")}
	for _, d := range tree.Decls {
		decl, is := d.(*ast.FuncDecl)
		if !is || decl.Body == nil {
			continue
		}
		f := function{file: file, name: decl.Name.Name, doc: decl.Doc.Text(), words: map[string]bool{}}
		first := decl.Pos()
		if decl.Doc != nil {
			first = decl.Doc.Pos()
		}
		f.from, f.to = set.Position(first).Offset, set.Position(decl.End()).Offset
		f.lines = 1 + strings.Count(text[f.from:f.to], "\n") - strings.Count(f.doc, "\n")
		ast.Inspect(decl, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is {
				f.words[id.Name] = true
			}
			return true
		})
		if decl.Recv != nil {
			f.of = receiver(decl.Recv.List[0].Type)
		}
		s.functions = append(s.functions, f)
	}
	return s, true
}

// receiver is the name of a method's type.
func receiver(of ast.Expr) string {
	switch t := of.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return ""
}

// folder has the functions of a package and of its tests.
type folder struct{ functions, tests []function }

func (d *folder) add(s source) {
	if s.test {
		d.tests = append(d.tests, s.functions...)
	} else {
		d.functions = append(d.functions, s.functions...)
	}
}

// candidates are the exported functions with a text that only tests use, the longest first.
func (d *folder) candidates(uses map[string]int) (out []function) {
	for _, f := range d.functions {
		tests := d.testsOf(f.name)
		runs := slices.ContainsFunc(tests, func(t function) bool { return strings.HasPrefix(t.name, "Test") })
		help := slices.ContainsFunc(tests, func(t function) bool { return !testName.MatchString(t.name) })
		if ast.IsExported(f.name) && f.doc != "" && f.lines >= leastRealLines && uses[f.name] == 1 && runs && !help && len(tests) <= mostRealTests {
			out = append(out, f)
		}
	}
	slices.SortStableFunc(out, func(a, b function) int { return b.lines - a.lines })
	return out
}

var testName = regexp.MustCompile(`^(?:Test|Example|Benchmark|Fuzz)`)

// testsOf are the functions of tests that use a name.
func (d *folder) testsOf(name string) (out []function) {
	for _, t := range d.tests {
		if t.words[name] {
			out = append(out, t)
		}
	}
	return out
}

// without is a source without some of its functions, and the imports that only these need.
func without(text string, cut []function) (string, bool) {
	slices.SortFunc(cut, func(a, b function) int { return b.from - a.from })
	for _, f := range cut {
		text = text[:f.from] + strings.TrimLeft(text[f.to:], "\n")
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, "", text, parser.ParseComments)
	if err != nil {
		return "", false
	}
	used := map[string]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if s, is := n.(*ast.SelectorExpr); is {
			if x, is := s.X.(*ast.Ident); is {
				used[x.Name] = true
			}
		}
		return true
	})
	for _, spec := range slices.Backward(tree.Imports) {
		of, err := strconv.Unquote(spec.Path.Value)
		name := strings.TrimPrefix(path.Base(majorVersion.ReplaceAllString(of, "")), "go-")
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if err != nil || used[name] || name == "_" || name == "." {
			continue
		}
		from, to := set.Position(spec.Pos()).Offset, set.Position(spec.End()).Offset
		from = strings.LastIndexByte(text[:from], '\n') + 1
		if rest := strings.IndexByte(text[to:], '\n'); rest >= 0 {
			to += rest + 1
		}
		text = text[:from] + text[to:]
	}
	return text, true
}

var majorVersion = regexp.MustCompile(`/v\d+$`)
