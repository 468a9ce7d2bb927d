package suspect

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// Tests can reach their helper through the product: a package that re-exports it. A
// change of the product there gives them another helper, while the judge file stays.

// helpers finds what the product of the base exports of judge files.
type helpers struct {
	*judge.Diff
	// inFolder are the modules of Python in a folder that help tests, once it was read.
	inFolder map[string][]string
	// starred finds the names of tests that modules can take away: see starredNames.
	starred func() (map[string]map[string]string, error)
	// readInto finds the files that scripts read into themselves: see filesReadInto.
	readInto func() (map[string]reader, error)
	// testsWas and testsNow read the changed tests of the base and of the work.
	testsWas, testsNow func() ([]testText, error)
	// texts are the sources of the base by their languages: see textsOf.
	texts map[string]baseTexts
}

func newHelpers(base, work map[string]proof.File, content func(string) ([]byte, error)) helpers {
	h := helpers{Diff: judge.Between(base, work, content), inFolder: map[string][]string{}, texts: map[string]baseTexts{}}
	h.starred, h.readInto = sync.OnceValues(h.starredNames), sync.OnceValues(h.filesReadInto)
	h.testsWas = sync.OnceValues(func() ([]testText, error) { return changedTests(base, work, content) })
	h.testsNow = sync.OnceValues(func() ([]testText, error) { return changedTests(work, base, content) })
	return h
}

// suspectsIn are the suspect lines of a changed source for which files of the base are read.
func (h helpers) suspectsIn(c changed) (out []Finding, err error) {
	for _, find := range []func(changed) ([]Finding, error){
		h.replaced, h.takesNames, h.catching, h.endsReaders, h.narrowed, h.loosened, h.comparing, h.switchesTests, h.unread, h.asksTests, h.switchedOn, h.askedFor, h.storedOnly,
	} {
		found, err := find(c)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	return out, nil
}

// What takes the place of NAME in a source of Python: on any line, and on one of the
// package or module that exports it.
const (
	setsHelper   = `\.NAME(?:\.\w+)*\s*(?::[^=\n]*)?=[^=]|(?:^|[^\w.])NAME(?:\.\w+)+\s*(?::[^=\n]*)?=[^=]|\b(?:setattr|globals|locals|vars|__dict__)\b[^\n]*["']NAME["']`
	bindsHelper  = `\b(?:import|as|def|class|for|del)\b[^\n]*\bNAME\b|^\s*(?:\w+\s*,\s*)*NAME\s*(?:,[^=\n]*)?(?::[^=\n]*)?=[^=]|\bNAME\s*:=|\bimport\s*\*|^def __getattr__\b`
	mentionsName = `(?:^|[^\w$])NAME(?:[^\w$]|$)`
)

// replaced are the lines of a changed source by which tests get something else in place of
// a judge file, or of what it exports; line 0 where lines are only gone.
func (h helpers) replaced(c changed) ([]Finding, error) {
	if c.lang != "python" && c.lang != "js" {
		return nil, nil
	}
	siblings, err := h.siblings(c.Path, c.lang)
	if err != nil {
		return nil, err
	}
	exported, err := h.exported(c.Path, c.lang, c.was)
	if err != nil {
		return nil, err
	}
	var pattern []string
	if path.Base(c.Path) == "__init__.py" {
		exported = append(exported, siblings...)
	}
	switch {
	case c.lang == "js" && len(exported) > 0:
		pattern = []string{named(mentionsName, exported)}
	case len(exported) > 0:
		pattern = append(pattern, named(bindsHelper+"|"+setsHelper, exported))
	}
	if len(siblings) > 0 {
		pattern = append(pattern, named(setsHelper, siblings))
	}
	if len(pattern) == 0 {
		return nil, nil
	}
	changes := lazyregexp.New("(?:" + strings.Join(pattern, ")|(?:") + ")")
	added := newLines(c.lang, c.was, c.text, changes)
	if len(added) == 0 && len(newLines(c.lang, c.text, c.was, changes)) > 0 {
		added = []int{0}
	}
	var out []Finding
	for _, n := range added {
		out = append(out, Finding{Path: c.Path, Line: n, What: replacesHelper})
	}
	return out, nil
}

func named(pattern string, names []string) string {
	quoted := make([]string, 0, len(names))
	for _, n := range names {
		quoted = append(quoted, regexp.QuoteMeta(n))
	}
	return strings.ReplaceAll(pattern, "NAME", "(?:"+strings.Join(quoted, "|")+")")
}

// judge reports whether a file of the base is a test or a helper of tests.
func (h helpers) judge(p string) (bool, error) {
	f, here := h.Before[p]
	if !here {
		return false, nil
	}
	if _, test := proof.IsTest(p); test {
		return true, nil
	}
	return h.Supports(f)
}

// siblings are the names of the helpers of tests beside a source of Python: their package
// has them as attributes.
func (h helpers) siblings(p, lang string) (names []string, err error) {
	if lang != "python" {
		return nil, nil
	}
	dir := proof.DirOf(p)
	if names, read := h.inFolder[dir]; read {
		return without(names, p), nil
	}
	for q, f := range h.Before {
		if _, test := proof.IsTest(q); test || proof.DirOf(q) != dir || path.Ext(q) != ".py" || path.Base(q) == "__init__.py" {
			continue
		}
		judge, err := h.Supports(f)
		if err != nil {
			return nil, err
		}
		if judge {
			names = append(names, strings.TrimSuffix(path.Base(q), ".py"))
		}
	}
	slices.Sort(names)
	h.inFolder[dir] = names
	return without(names, p), nil
}

// without leaves out the name of a module itself.
func without(names []string, p string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n+".py" == path.Base(p) })
}

// exported are the names that a source of the base binds by imports of judge files.
func (h helpers) exported(p, lang, text string) (names []string, err error) {
	found := syntax.Bindings(lang, text)
	if lang == "js" {
		for _, i := range syntax.ScriptImports(text) {
			if i.Call {
				found = append(found, syntax.Binding{Name: "*", Module: i.Module})
			}
		}
	}
	for _, b := range found {
		for _, q := range h.filesOf(p, lang, b) {
			judge, err := h.judge(q)
			if err != nil {
				return nil, err
			}
			if !judge {
				continue
			}
			if b.Name != "*" {
				names = append(names, b.Name)
				continue
			}
			all, err := h.exports(q, lang)
			if err != nil {
				return nil, err
			}
			names = append(names, all...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// filesOf are the files of the base from which a source may import.
func (h helpers) filesOf(p, lang string, b syntax.Binding) (files []string) {
	var stems []string
	switch {
	case lang == "js" && strings.HasPrefix(b.Module, "."):
		stems = []string{path.Join(proof.DirOf(p), b.Module), path.Join(proof.DirOf(p), b.Module, "index")}
	case lang == "python" && strings.HasPrefix(b.Module, "."):
		dots := len(b.Module) - len(strings.TrimLeft(b.Module, "."))
		module := strings.ReplaceAll(strings.TrimSpace(b.Module[dots:]), ".", "/")
		stem := path.Join(proof.DirOf(p), strings.Repeat("../", dots-1), module)
		stems = []string{stem, path.Join(stem, b.Attr)}
	case lang == "python":
		module := strings.ReplaceAll(b.Module, ".", "/")
		for _, root := range judge.PythonRoots {
			stems = append(stems, path.Join(root, module), path.Join(root, module, b.Attr))
		}
	}
	endings := []string{".py"}
	if lang == "js" {
		endings = syntax.NodeEndings
	}
	for _, stem := range stems {
		files = append(files, h.Present(stem, endings)...)
	}
	return files
}

// exportedName matches what a module exports, in Python and JavaScript.
var exportedName = lazyregexp.New(`(?m)^(?:def|class)\s+(\w+)|^(\w+)\s*=|^export\s+(?:async\s+)?(?:function\*?|const|let|var|class)\s+([\w$]+)|\bexports\.([\w$]+)\s*=`)

func (h helpers) exports(p, lang string) (names []string, err error) {
	data, err := h.Content(h.Before[p].ID)
	if err != nil {
		return nil, err
	}
	for _, m := range exportedName.FindAllStringSubmatch(string(data), -1) {
		names = append(names, strings.Join(m[1:], ""))
	}
	if lang == "js" {
		for _, m := range scriptList.FindAllStringSubmatch(string(data), -1) {
			for _, b := range syntax.Destructured(m[1], p) {
				names = append(names, b.Name)
			}
		}
	}
	return names, nil
}

// scriptList matches the list of what a module of JavaScript exports.
var scriptList = lazyregexp.New(`(?:\bexport\s*|\bmodule\.exports\s*=\s*)(\{[^}]*\})`)
