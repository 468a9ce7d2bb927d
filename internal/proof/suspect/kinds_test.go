package suspect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestKinds: what findings do, which is all the constants of this package that are words, has a
// place among the kinds; none stands before one that it begins with.
func TestKinds(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var whats []string
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if d, is := d.(*ast.GenDecl); is && d.Tok == token.CONST {
				ast.Inspect(d, func(n ast.Node) bool {
					if lit, is := n.(*ast.BasicLit); is && strings.HasPrefix(lit.Value, `"`) && strings.Contains(lit.Value, " ") {
						what, _ := strconv.Unquote(lit.Value)
						whats = append(whats, what)
					}
					return true
				})
			}
		}
	}
	for _, what := range whats {
		if !strings.HasPrefix(what, " ") && !slices.ContainsFunc(kinds, func(k kind) bool { return k.what == what }) {
			t.Errorf("%q is no kind", what)
		}
	}
	for i, k := range kinds {
		if at := (Finding{What: k.what}).Weight(); at != i {
			t.Errorf("%q is taken for %q", k.what, kinds[at].what)
		}
	}
	if len(whats) < len(kinds) {
		t.Errorf("%d constants for %d kinds", len(whats), len(kinds))
	}
}
