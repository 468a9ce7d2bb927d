package ralph_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"testing"
)

// TestPatterns: the program starts again for every child it supervises, so no
// package compiles a pattern while it is loaded; and a pattern that is compiled
// late is valid all the same.
func TestPatterns(t *testing.T) {
	t.Parallel()
	seen := 0
	for path := range sources(t) {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.VAR {
				seen += patterns(t, fset, g)
			}
		}
	}
	if seen < 10 {
		t.Fatalf("only %d patterns found: does this test still look in the right place?", seen)
	}
}

func patterns(t *testing.T, fset *token.FileSet, d ast.Decl) (seen int) {
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		f, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		pkg, _ := f.X.(*ast.Ident)
		switch {
		case pkg != nil && pkg.Name == "regexp":
			t.Errorf("%s: a package-level pattern is compiled at start: use lazyregexp.New", fset.Position(n.Pos()))
		case pkg != nil && pkg.Name == "lazyregexp":
			seen++
			lit, ok := call.Args[0].(*ast.BasicLit)
			if !ok {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err == nil {
				_, err = regexp.Compile(text)
			}
			if err != nil {
				t.Errorf("%s: %v", fset.Position(n.Pos()), err)
			}
		}
		return true
	})
	return seen
}
