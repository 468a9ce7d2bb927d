package suspect

import (
	"testing"

	"ralph/internal/proof"
	"ralph/internal/proof/judge"
)

// TestCommentsHideNoCode: what stands behind a block comment, continues an expression with
// a star or is run inside a text is searched; documentation is not.
func TestCommentsHideNoCode(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"a.py": "x = ' # '; os._exit(0)", "a.go": "var x = \" // \"; var y = f(os.Exit)\nfunc f() { x = \" // \"; os.Exit(0) }",
		"a.rb": "x = ' # '; exit!(0)", "a.sh": "x=' # '; kill $PPID",
	} {
		found, _, err := Find(nil, []proof.File{{Path: name, Mode: "100644", ID: "x"}}, judge.Duties{}, func(id string) ([]byte, error) {
			if id == "" {
				return nil, nil
			}
			return []byte(source + "\n"), nil
		})
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
	for source, named := range map[string]bool{
		"/**/process.exit(0)":                           true,
		"const y = 1\n* process.exit(0)":                true,
		"/* a\n*/ process.exit(0)":                      true,
		"/* a */ /* b */ process.exit(0)":               true,
		"const s = `\n/*\n`\n* process.exit(0)":         true,
		"const s = `\n/*\n * ${process.exit(0)}\n`":     true,
		"const s = `\n// ${process.exit(0)}\n`":         true,
		"/**\n * It calls process.exit(0).\n */\nlet x": false,
		"/* process.exit(0) */ let x":                   false,
		"// see (\nprocess\n.exit(0)":                   true,
		"// process.exit(0)":                            false,
		"let x // see process.exit(0)":                  false,
		"const s = ' // '; process.exit(0)":             true,
	} {
		found, _, err := Find(nil, []proof.File{{Path: "a.js", Mode: "100644", ID: "x"}}, judge.Duties{}, func(id string) ([]byte, error) {
			if id == "" {
				return nil, nil
			}
			return []byte(source + "\n"), nil
		})
		if err != nil || (len(found) > 0) != named {
			t.Errorf("%q: %v, %v", source, found, err)
		}
	}
}
