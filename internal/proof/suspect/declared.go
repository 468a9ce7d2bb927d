package suspect

import (
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/redgreen"
	"ralph/internal/proof/syntax"
)

var (
	// classHead matches the head of a class, or of a type of Go; its groups are the name in each.
	classHead = lazyregexp.New(`(?m)^(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(\w+)|^type\s+(\w+)\s`)
	// madeValue matches a line that gives a name of a module a value.
	madeValue = lazyregexp.New(`(?m)^(?:export\s+)?(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*(?::[^=\n]*)?=[^=]`)
)

// declaration is a function, class or type of the product, with its code, and the type whose
// method it is in Go. kind: it is a class or type.
type declaration struct {
	path, name, code string
	line             int
	of               string
	kind             bool
}

// declarations are those of a source. The code of a class or type has that of its methods.
func declarations(p, lang, text string) (out []declaration) {
	how, known := functionsIn(lang)
	if !known {
		return nil
	}
	for _, f := range how.Functions(text) {
		if f.Name != "" {
			d := declaration{path: p, name: f.Name, code: codeOf(lang, decorators(text, f.Begin)+text[f.Begin:f.End]), line: lineOf(text, f.Begin)}
			if m := methodOfGo.FindStringSubmatch(text[f.Begin:f.End]); m != nil && lang == "go" {
				d.of = m[1]
			}
			out = append(out, d)
		}
	}
	for _, m := range classHead.FindAllStringSubmatchIndex(text, -1) {
		name := text[max(m[2], m[4]):max(m[3], m[5])]
		end := strings.Index(text[m[1]:], "\n}")
		if lang == "python" {
			end = unindented(text[m[1]:])
		}
		if end < 0 {
			end = strings.IndexByte(text[m[1]:]+"\n", '\n')
		}
		out = append(out, declaration{path: p, name: name, code: codeOf(lang, text[m[0]:m[1]+end]), line: lineOf(text, m[0]), kind: true})
	}
	return out
}

// decorators are the lines of decorators above what begins in a text.
func decorators(text string, begin int) string {
	end := strings.LastIndexByte(text[:begin], '\n') + 1
	start := end
	for start > 0 {
		above := strings.LastIndexByte(text[:start-1], '\n') + 1
		if !strings.HasPrefix(strings.TrimSpace(text[above:start]), "@") {
			break
		}
		start = above
	}
	return text[start:end]
}

// methodOfGo matches the beginning of a method of Go, its group the type.
var methodOfGo = lazyregexp.New(`^func \([^()]*?\b(\w+)(?:\[[^\]]*\])?\)`)

// backAtMargin matches the end of a block of Python that stands at the margin.
var backAtMargin = lazyregexp.New(`\n[^\s#)\]}]`)

// unindented is where a block of Python ends that begins in a text.
func unindented(text string) int {
	if at := backAtMargin.FindIndex([]byte(text)); at != nil {
		return at[0]
	}
	return len(text)
}

// redeclared is a change of the product by what its sources declare.
type redeclared struct {
	was, now []declaration
	// changed are the names of declarations and values that are new or another, added the code of
	// such declarations.
	changed []string
	added   string
	// edits are the changed sources. other: one changes something else, before any declaration.
	edits []sourceEdit
	other bool
}

// sourceEdit is the text of a source on the base and in the work.
type sourceEdit struct{ lang, old, text string }

// declaring gives what a change declares, and whether that is known: see redeclaredIn. Each call
// gives lists of its own.
type declaring func() (c redeclared, ok bool, err error)

// declaringOnce reads the sources once, however often it is asked.
func declaringOnce(before, after map[string]proof.File, content func(id string) ([]byte, error)) declaring {
	known := false
	once := sync.OnceValues(func() (c redeclared, err error) {
		c, known, err = redeclaredIn(before, after, content)
		return c, err
	})
	return func() (redeclared, bool, error) {
		c, err := once()
		c.was, c.now, c.changed, c.edits = slices.Clone(c.was), slices.Clone(c.now), slices.Clone(c.changed), slices.Clone(c.edits)
		return c, known, err
	}
}

// mostDeclaring bounds the sources in which declarations are looked for.
const mostDeclaring = 400

// redeclaredIn reads what the sources of the product declare. ok is false where it is not all known:
// the work changes files that are no sources, or a source that is too long, or there are too many.
func redeclaredIn(before, after map[string]proof.File, content func(id string) ([]byte, error)) (c redeclared, ok bool, err error) {
	read := 0
	for _, p := range proof.SortedPaths(after) {
		f, lang := after[p], proof.LanguageOf(p)
		_, known := functionsIn(lang)
		if redgreen.KeptWithTests(p) || !proof.IsFile(f) || !known {
			if f.ID != before[p].ID && !redgreen.KeptWithTests(p) && !proof.IsDocument(strings.ToLower(p)) {
				return c, false, nil
			}
			continue
		}
		old, text, err := proof.TwoTexts(before[p], f, content)
		if read++; err != nil || read > mostDeclaring {
			return c, false, err
		}
		if max(len(old), len(text)) > syntax.LongestSource {
			if old != text { // it may change what a task names, and Find says that it is not searched
				return c, false, nil
			}
			continue
		}
		of, in := declarations(p, lang, old), declarations(p, lang, text)
		c.was, c.now = append(c.was, of...), append(c.now, in...)
		for _, d := range in {
			if !slices.ContainsFunc(of, func(o declaration) bool { return o.name == d.name && o.code == d.code }) {
				c.changed, c.added = append(c.changed, d.name), c.added+"\n"+d.code
			}
		}
		c.changed = append(c.changed, newValues(old, text)...)
		if old != text {
			c.edits = append(c.edits, sourceEdit{lang, old, text})
			c.other = c.other || len(c.changed) == 0 && codeOf(lang, old) != codeOf(lang, text)
		}
	}
	return c, true, nil
}

// unchanged are the declarations that the base has like this in the same file.
func unchanged(was, now []declaration) []declaration {
	return slices.DeleteFunc(slices.Clone(now), func(d declaration) bool {
		return !slices.ContainsFunc(was, func(o declaration) bool { return o.path == d.path && o.name == d.name && o.code == d.code })
	})
}

// newValues are the names of a module that get another value, in lines that the base does not have.
func newValues(old, text string) (names []string) {
	lines := map[string]bool{}
	syntax.AddLines(lines, old)
	for line := range strings.Lines(text) {
		if m := madeValue.FindStringSubmatch(line); m != nil && !lines[strings.TrimSpace(line)] {
			names = append(names, m[1])
		}
	}
	return names
}
