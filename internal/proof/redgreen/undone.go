package redgreen

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// Undone returns the changes of a commit after which its product is that of the base: changed
// and removed files become those of the base, added ones are removed.
func Undone(base, work []proof.File) (edits []proof.Edit) {
	before, after := proof.Index(base), proof.Index(work)
	changed := slices.DeleteFunc(append(proof.SortedPaths(before), proof.SortedPaths(after)...), func(p string) bool { return before[p] == after[p] })
	slices.Sort(changed)
	for _, p := range Product(slices.Compact(changed)) {
		edits = append(edits, proof.Edit{Path: p, Mode: before[p].Mode, ID: before[p].ID})
	}
	return edits
}

// UndoneBeside is Undone where tests stand in the sources of the product: unit tests of Rust,
// examples in documentation. Sources of a language in which the work holds some stay, with the
// functions of the base, and with what the work added only failing. Without any it is nil.
func UndoneBeside(base, work []proof.File, content func(id string) ([]byte, error)) ([]proof.Edit, error) {
	before, after := proof.Index(base), proof.Index(work)
	edits, tested := Undone(base, work), map[string]bool{}
	for i, e := range edits {
		lang := proof.LanguageOf(e.Path)
		tests, functions := testsInside(lang)
		if tests == nil || !proof.IsFile(after[e.Path]) || after[e.Path].ID == "" {
			continue
		}
		was, now, err := proof.TwoTexts(before[e.Path], after[e.Path], content)
		if err != nil {
			return nil, err
		}
		tested[lang] = tested[lang] || tests.MatchString(now)
		edits[i] = proof.Edit{Path: e.Path, Mode: after[e.Path].Mode, Data: []byte(undone(functions, was, now))}
	}
	for i, e := range edits {
		if e.Data != nil && !tested[proof.LanguageOf(e.Path)] {
			edits[i] = proof.Edit{Path: e.Path, Mode: before[e.Path].Mode, ID: before[e.Path].ID}
		}
	}
	for _, some := range tested {
		if some {
			return edits, nil
		}
	}
	return nil, nil
}

// Tests in the sources of languages that have them.
var (
	testsInPython = lazyregexp.New(`(?m)^\s*>>> `)
	testsInRust   = lazyregexp.New("(?m)#\\[(?:\\w+::)*test\\b|^\\s*//[/!]\\s*```")
)

// testsInside is what matches the tests in a language's sources, and the functions there.
func testsInside(lang string) (tests *lazyregexp.Regexp, functions func(string) []Function) {
	switch lang {
	case "python":
		return testsInPython, withExamples
	case "rust":
		return testsInRust, hollowRust
	}
	return nil, nil
}

// withExamples are the functions of a source of Python, which raise what is no failed assertion.
func withExamples(text string) []Function {
	found := hollowPython(text)
	for i := range found {
		found[i].fails = strings.Replace(found[i].fails, "AssertionError", "NotImplementedError", 1)
	}
	return found
}

// undone is a source in which the functions that the base has are as there, and the others of
// the work only fail. A function with other words of documentation is not another one.
func undone(functions func(string) []Function, before, after string) string {
	was := functions(before)
	var out strings.Builder
	wrote := 0
	for _, f := range functions(after) {
		name, _, _ := strings.Cut(after[f.Begin:f.Body], "\n")
		same := func(b Function) bool {
			return before[b.Body:b.End] == after[f.Body:f.End] && strings.HasPrefix(before[b.Begin:], name)
		}
		if f.Begin < wrote || slices.ContainsFunc(was, same) {
			continue
		}
		old := slices.DeleteFunc(slices.Clone(was), func(b Function) bool { return before[b.Begin:b.Body] != after[f.Begin:f.Body] })
		if len(old) == 1 {
			out.WriteString(after[wrote:f.Begin] + before[old[0].Begin:old[0].End])
			wrote = f.End
			continue
		}
		out.WriteString(after[wrote:f.Body] + f.fails)
		wrote = f.Body
	}
	return out.String() + after[wrote:]
}
