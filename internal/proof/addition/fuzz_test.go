package addition

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plainOf is a table without the marks of its places.
func plainOf(table string) string {
	return strings.NewReplacer("\n^", "\n", "\n$\t", "\n\t", "\n$ ", "\n ", "\n$]", "\n]", "\n$}", "\n}").Replace(table)
}

// FuzzInsertion puts text before a line of a base. Where that is taken as an addition, the lines of
// the base are read as they were, and in Go its declarations follow each other as they did.
func FuzzInsertion(f *testing.F) {
	bases := []struct{ file, text string }{
		{"a_test.go", goTests},
		{"a_test.go", goState},
		{"a_test.go", goMap},
		{"test_a.py", pyTests},
		{"test_a.py", pyWhen},
		{"test_a.py", pyCases},
		{"a.test.js", jsTests},
		{"a.test.js", jsRows},
		{"a.rs", rsTests},
		{"a.rs", rsRows},
		{"ATest.php", phpTests},
		{"ATest.java", javaTests},
		{"a_spec.rb", rbTests},
		{"a_test.rb", rbUnit},
	}
	for b := range bases {
		for line := range uint8(8) {
			for _, piece := range []string{"func TestNew(t *testing.T) {\n}\n", "def test_new(): pass\n", "    def test_new(self):\n        x = '''\n", "it('n', () => {\n});\n", "#[test]\nfn new() {}\n", "    (1, 2),\n", phpNew, javaNew, rbNew, "  def test_new\n  end\n", "/*\n", "*/\n", "\"\"\"\n"} {
				f.Add(uint8(b), 3*line, piece)
			}
		}
	}
	f.Fuzz(func(t *testing.T, b, at uint8, piece string) {
		c := bases[int(b)%len(bases)]
		lines := append(strings.Split(strings.TrimSuffix(plainOf(c.text), "\n"), "\n"), "last")
		k := int(at) % len(lines)
		added := strings.Split(strings.TrimSuffix(piece, "\n"), "\n")
		work := slices.Concat(lines[:k], added, lines[k:])
		lang := languageOf(c.file)
		if slices.Contains(added, "last") || BringsOddEnds(nil, []byte(piece)) || !AtEnd(lang, lines, work) {
			return
		}
		if lang == "ruby" {
			rubyIsRead(t, readRuby(lines), readRuby(work), k, len(added))
			return
		}
		was, now := read(lang, lines), read(lang, work)
		for n := range lines {
			m := n
			if n >= k {
				m += len(added)
			}
			if was.codeOf(n) != now.codeOf(m) || was.lines[n].depth != now.lines[m].depth || was.lines[n].inside != now.lines[m].inside {
				t.Fatalf("%q at %d changes line %d, %q: %q", piece, k, n, lines[n], now.codeOf(m))
			}
		}
		imports := func(line string) bool { return strings.TrimSpace(line) != "" && importLine.MatchString(line) }
		if c.text == goTests && !slices.ContainsFunc(added, imports) {
			left, found := declared(lines), declared(work)
			for _, d := range found {
				if len(left) > 0 && d == left[0] {
					left = left[1:]
				}
			}
			if len(left) > 0 && found != nil {
				t.Fatalf("%q at %d changes %q", piece, k, left[0])
			}
		}
	})
}

// rubyIsRead reports lines of a base that are read in another way below lines that were added.
func rubyIsRead(t *testing.T, was, now []rubyLine, k, added int) {
	t.Helper()
	for n, l := range was {
		m := n
		if n >= k {
			m += added
		}
		if m >= len(now) || now[m].code != l.code || !slices.Equal(now[m].open, l.open) || now[m].sure != l.sure {
			t.Fatalf("at %d: line %d, %q, is another", k, n, l.code)
		}
	}
}

var emptyLines = regexp.MustCompile(`\n\s*\n`)

// declared are the declarations of a source as they are written; none where it is not Go.
func declared(lines []string) (out []string) {
	text := strings.Join(lines[:len(lines)-1], "\n") // without the mark of the end
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	for _, d := range file.Decls {
		if _, ok := d.(*ast.BadDecl); !ok {
			source := text[fset.Position(d.Pos()).Offset:fset.Position(d.End()).Offset]
			out = append(out, emptyLines.ReplaceAllString(source, "\n"))
		}
	}
	return out
}
