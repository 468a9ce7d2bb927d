package redgreen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

func hollowGo(text string) (found []Function) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	at := func(p token.Pos) int { return files.File(parsed.FileStart).Offset(p) }
	for _, d := range parsed.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Body == nil || f.Recv == nil && (f.Name.Name == "init" || f.Name.Name == "main") {
			continue
		}
		here := Function{Name: f.Name.Name, Begin: at(f.Pos()), Body: at(f.Body.Lbrace) + 1, End: at(f.End()), fails: ` panic("` + hollowed + `");`, ends: " return;"}
		if f.Type.Results != nil {
			here.other = otherResults(f, at)
			here.idle = " return " + zeros(f.Type.Results, func(n ast.Node) string { return text[at(n.Pos()):at(n.End())] }) + ";"
		}
		found = append(found, here)
	}
	return found
}

// zeros are the zero values of results; those with names need none.
func zeros(results *ast.FieldList, source func(ast.Node) string) string {
	var out []string
	for _, r := range results.List {
		if len(r.Names) > 0 {
			return ""
		}
		out = append(out, "*new("+source(r.Type)+")")
	}
	return strings.Join(out, ", ")
}

// declaredGo are the names of the types, fields, values and constants.
func declaredGo(rest string, old func(string) bool) (names []string) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", rest, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	in := files.File(parsed.FileStart)
	for _, d := range parsed.Decls {
		if g, is := d.(*ast.GenDecl); !is || g.Tok == token.IMPORT || old(rest[in.Offset(g.Pos()):in.Offset(g.End())]) {
			continue
		}
		ast.Inspect(d, func(n ast.Node) bool {
			source := func(n ast.Node) string { return rest[in.Offset(n.Pos()):in.Offset(n.End())] }
			switch n := n.(type) {
			case *ast.TypeSpec:
				if _, parts := n.Type.(*ast.StructType); !parts || !old("type "+n.Name.Name+" struct") {
					names = append(names, n.Name.Name)
				}
			case *ast.ValueSpec:
				names = append(names, nameList(n.Names)...)
			case *ast.FuncLit:
				names = append(names, anything)
			case *ast.Field:
				if !old(source(n)) {
					names = append(names, nameList(n.Names)...)
				}
			}
			return true
		})
	}
	return names
}

func nameList(idents []*ast.Ident) (names []string) {
	for _, n := range idents {
		names = append(names, n.Name)
	}
	return names
}
