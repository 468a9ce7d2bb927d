package suspect

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// neverRuns is what a line is that stands behind the end of its block.
const neverRuns = "can never run: the statement above it leaves the block"

var (
	// leavesBlock matches a statement after which none of its block runs.
	leavesBlock = lazyregexp.New(`^(?:return|raise|continue|break)\b`)
	// afterReturn matches what may stand there: it makes a function of Python a generator.
	afterReturn = lazyregexp.New(`^yield\b`)
)

// unreachable are the lines of a source that can never run and that the base does not have.
func unreachable(file, lang, text string, old map[string]bool) (out []Finding) {
	var lines []int
	switch lang {
	case "python":
		all := syntax.Statements(text)
		for i := 1; i < len(all); i++ {
			if all[i].Indent == all[i-1].Indent && leavesBlock.MatchString(all[i-1].Text) && !strings.HasSuffix(all[i-1].Text, ":") && !afterReturn.MatchString(all[i].Text) {
				lines = append(lines, all[i].Line)
			}
		}
	case "go":
		lines = unreachableGo(text)
	}
	source := strings.Split(text, "\n")
	for _, n := range lines {
		if !old[strings.TrimSpace(source[n-1])] {
			out = append(out, Finding{Path: file, Line: n, What: neverRuns})
		}
	}
	return out
}

func unreachableGo(text string) (lines []int) {
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		var list []ast.Stmt
		switch n := n.(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		}
		for i := 1; i < len(list); i++ {
			if _, labelled := list[i].(*ast.LabeledStmt); leavesGo(list[i-1]) && !labelled {
				lines = append(lines, files.Position(list[i].Pos()).Line)
			}
		}
		return true
	})
	return lines
}

func leavesGo(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return s.Tok != token.FALLTHROUGH
	case *ast.ExprStmt:
		call, is := s.X.(*ast.CallExpr)
		if !is {
			return false
		}
		name, is := call.Fun.(*ast.Ident)
		return is && name.Name == "panic"
	}
	return false
}
