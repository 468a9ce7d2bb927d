package canary

import (
	"fmt"
	"path"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// golang is a file of its own in the package: it is built into the same program as
// the other tests. A file with build constraints may belong to no such program.
func golang(file, text string, word func() string, _ bool) (Place, bool) {
	m := syntax.GoPackage.FindStringSubmatch(text)
	if m == nil || strings.Contains(text, "//go:build") {
		return Place{}, false
	}
	p := Place{Path: path.Join(path.Dir(file), word()+"_test.go")}
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport \"testing\"\n", m[1])
	for _, body := range []string{
		`t.Errorf("got %d, want %d", 1, 2)`, `t.Fatal("not equal")`, `t.Fail()`,
		`t.Run("case", func(t *testing.T) { t.Error("not equal") })`,
	} {
		name := title(word())
		fmt.Fprintf(&b, "\nfunc Test%s(t *testing.T) {\n\t%s\n}\n", name, body)
		p.Names = append(p.Names, "Test"+name)
	}
	p.Data = []byte(b.String())
	return p, true
}

// python serves pytest and unittest. It stands before a main block, which would
// run the tests above it only.
func python(file, text string, word func() string, had bool) (Place, bool) {
	if !had && !strings.Contains(text, "def test") && !strings.Contains(text, "TestCase") {
		return Place{}, false
	}
	p := Place{Path: file}
	var b strings.Builder
	alias := word()
	fmt.Fprintf(&b, "\n\nimport unittest as %s\n\n\nclass Test%s(%s.TestCase):\n", alias, title(word()), alias)
	for _, body := range []string{
		"self.assertEqual(1, 2)", "self.assertTrue(False)", "self.assertIn(1, [])", "self.assertIsNone(1)",
		"self.assertRaises(ValueError, int, '1')", "self.fail('not equal')", "raise RuntimeError('not equal')", "assert 1 == 2",
	} {
		name := "test_" + word()
		fmt.Fprintf(&b, "    def %s(self):\n        %s\n\n", name, body)
		p.Names = append(p.Names, name)
	}
	if strings.Contains(text, "pytest") || strings.Contains(text, "\ndef test") || strings.HasPrefix(text, "def test") {
		// unittest does not know functions, so their report is no condition.
		fmt.Fprintf(&b, "\ndef test_%s():\n    assert 1 == 2\n", word())
	}
	p.Data = []byte(before(text, "\nif __name__", b.String()))
	return p, true
}

// pythonBeside is a module of its own in the folder of the tests. All modules run in
// one process, so that it need not load the product.
func pythonBeside(file, text string, word func() string, had bool) (Place, bool) {
	if _, ok := python(file, text, word, had); !ok {
		return Place{}, false
	}
	p, ok := python("", "", word, true)
	p.Path = path.Join(path.Dir(file), "test_"+word()+".py")
	return p, ok
}

// before inserts lines before the first occurrence of a mark, or at the end.
func before(text, mark, lines string) string {
	if i := strings.Index(text, mark); i >= 0 {
		return text[:i] + lines + text[i:]
	}
	return text + lines
}

// rust is a module of unit tests at the end of the file.
func rust(file, text string, word func() string, had bool) (Place, bool) {
	if !had && !strings.Contains(text, "#[test]") {
		return Place{}, false
	}
	p := Place{Path: file}
	var b strings.Builder
	fmt.Fprintf(&b, "\n#[cfg(test)]\nmod %s {\n", word())
	for _, body := range []string{"assert_eq!(1, 2)", "assert!(1 > 2)", `panic!("not equal")`, "None::<u8>.unwrap()"} {
		name := word()
		fmt.Fprintf(&b, "    #[test]\n    fn %s() {\n        %s;\n    }\n", name, body)
		p.Names = append(p.Names, name)
	}
	b.WriteString("}\n")
	p.Data = []byte(text + b.String())
	return p, true
}

var (
	scriptName = lazyregexp.New(`(?i)(?:^|[._-])(?:test|tests|spec)$`)
	// scriptCall also matches a call that failingScript changed: name(test)(
	scriptCall = lazyregexp.New(`\b(?:test|it)(?:\.\w+)?\)?\(`)
)

// script returns the kind of a JavaScript or TypeScript file: node:test, jest,
// vitest and mocha are used through the file's own functions.
func script(file, name string) kind {
	dir := path.Base(path.Dir(file))
	if !scriptName.MatchString(name) && dir != "test" && dir != "tests" && dir != "__tests__" {
		return nil
	}
	return javascript
}

func javascript(file, text string, word func() string, _ bool) (Place, bool) {
	if !scriptCall.MatchString(text) {
		return Place{}, false
	}
	p := Place{Path: file}
	var b strings.Builder
	run := "(typeof it === 'function' ? it : test)"
	for _, form := range [][2]string{
		{"expect(1).toBe(2)", "(assert.strictEqual || assert.equal)(1, 2)"},
		{"expect({ a: 1 }).toEqual({ a: 2 })", "(assert.deepStrictEqual || assert.deepEqual)({ a: 1 }, { a: 2 })"},
		{"expect(() => {}).toThrow()", "assert.throws(() => {})"},
		{"expect(false).toBeTruthy()", "assert.ok(false)"},
	} {
		name := word()
		fmt.Fprintf(&b, ";%s('%s', () => {\n  if (typeof expect === 'function' && expect(1).toBe) { %s; return }\n  if (typeof expect === 'function' && expect(1).to) { expect(1).to.equal(2); return }\n  if (typeof assert !== 'undefined' && assert.throws) { %s; return }\n  throw new Error('not equal')\n})\n", run, name, form[0], form[1])
		p.Names = append(p.Names, name)
	}
	for _, body := range []string{"throw new Error('not equal')", "return Promise.reject(new Error('not equal'))"} {
		name := word()
		fmt.Fprintf(&b, ";%s('%s', () => { %s })\n", run, name, body)
		p.Names = append(p.Names, name)
	}
	p.Data = []byte(unchecked(file) + strings.TrimRight(text, "\n") + "\n\n" + b.String())
	return p, true
}

// unchecked begins a source of TypeScript that its compiler does not check: a gate may run it
// before the tests.
func unchecked(file string) string {
	if strings.Contains(path.Ext(file), "ts") {
		return "// @ts-nocheck\n"
	}
	return ""
}

// title makes a word a name with a capital letter: in Go "Testabc" is no test.
func title(word string) string { return strings.ToUpper(word[:1]) + word[1:] }
