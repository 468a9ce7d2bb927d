package ralph_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// TestCommentsNameTheirFunction: a doc comment that begins with a name begins with that of
// its function. The name of another one is what a renaming or a move left behind.
func TestCommentsNameTheirFunction(t *testing.T) {
	t.Parallel()
	functions := map[string][]*ast.FuncDecl{}
	declared := map[string]map[string]bool{}
	set := token.NewFileSet()
	for _, path := range slices.Sorted(maps.Keys(sources(t))) {
		file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(path)
		if declared[dir] == nil {
			declared[dir] = map[string]bool{}
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				functions[dir] = append(functions[dir], f)
				declared[dir][f.Name.Name] = true
			}
		}
	}
	for dir, all := range functions {
		for _, f := range all {
			if other := namesAnother(f, declared[dir]); other != "" {
				t.Errorf("%s: the comment of %s begins with %s", set.Position(f.Pos()), f.Name.Name, other)
			}
		}
	}
}

var (
	// beginsWithVerb is a comment that tells what a name does or is.
	beginsWithVerb = regexp.MustCompile(`^(\w+) (?:are|is|\w+[^s\W]s) `)
	mixedCase      = regexp.MustCompile(`^[a-z]+[A-Z]\w*`)
)

// namesAnother returns the name with which the comment of a function begins, where it is not
// its own: one of its package, or one in mixed case, which is no word.
func namesAnother(f *ast.FuncDecl, declared map[string]bool) string {
	text := f.Doc.Text()
	name := mixedCase.FindString(text)
	if m := beginsWithVerb.FindStringSubmatch(text); m != nil && declared[m[1]] {
		name = m[1]
	}
	if name == f.Name.Name {
		return ""
	}
	return name
}
