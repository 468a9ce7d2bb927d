package ralph_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// named is a command for a certain run or file: a verb and the place where its name
// comes, be it a word for it.
var named = regexp.MustCompile(`\bralph (abort|accept|answer|archive|logs|pause|plan \w+|resume|retry|run|show|status|steer|loop \w+)( -[-\w]+)* (%[.\d]*[sqvd]|$|(ID|LOOP|OTHER|FILE|N)\b)`)

// TestCommandsHaveOneSource: only internal/next words a command for a certain run,
// so that every list, hint and error tells the same one.
func TestCommandsHaveOneSource(t *testing.T) {
	t.Parallel()
	exempt := map[string]string{
		"internal/next":             "words the commands",
		"internal/testing":          "is not the product",
		"internal/cli/demo/tell.go": "prints the command that the demonstration runs itself",
		"internal/cli/demo/plan.go": "likewise",
	}
	err := filepath.WalkDir("internal", func(path string, d fs.DirEntry, err error) error {
		path = filepath.ToSlash(path)
		switch {
		case err != nil:
			return err
		case exempt[path] != "" && d.IsDir():
			return filepath.SkipDir
		case exempt[path] != "", !strings.HasSuffix(path, ".go"), strings.HasSuffix(path, "_test.go"):
			return nil
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.KeyValueExpr: // help texts
				if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Example" || key.Name == "Long") {
					return false
				}
			case *ast.BasicLit:
				if s, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && named.MatchString(s) {
					t.Errorf("%s: %q: take the command from internal/next", files.Position(n.Pos()), s)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
