package proof

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
)

// Tests can reach their helper through the product: a package that re-exports it. A
// change of the product there gives them another helper, while the judge file stays.

// helpers finds what the product of the base exports of judge files.
type helpers struct {
	*diff
	// inFolder are the modules of Python in a folder that help tests, once it was read.
	inFolder map[string][]string
	// starred finds the names of tests that modules can take away: see starredNames.
	starred func() (map[string]map[string]string, error)
	// readInto finds the files that scripts read into themselves: see filesReadInto.
	readInto func() (map[string]bool, error)
}

func newHelpers(base, work map[string]File, content func(string) ([]byte, error)) helpers {
	d := &diff{base: base, work: work, tested: map[string]bool{}}
	d.Content = content
	for p := range base {
		if lang, test := isTest(p); test {
			d.tested[lang] = true
		}
	}
	h := helpers{diff: d, inFolder: map[string][]string{}}
	h.starred, h.readInto = sync.OnceValues(h.starredNames), sync.OnceValues(h.filesReadInto)
	return h
}

// suspectsIn are the suspect lines of a changed source for which files of the base are read.
func (h helpers) suspectsIn(f File, lang, text string, old map[string]bool) (out []Suspect, err error) {
	for _, find := range []func() ([]Suspect, error){
		func() ([]Suspect, error) { return h.replaced(f.Path, lang, text) },
		func() ([]Suspect, error) { return h.takesNames(f.Path, lang, text) },
		func() ([]Suspect, error) { return h.catching(f.Path, lang, text, old) },
		func() ([]Suspect, error) { return h.endsReaders(f, lang, text, old) },
		func() ([]Suspect, error) { return h.narrowed(f.Path, lang, text) },
		func() ([]Suspect, error) { return h.loosened(f.Path, lang, text) },
		func() ([]Suspect, error) { return h.comparing(f.Path, lang, text) },
		func() ([]Suspect, error) { return h.unread(f.Path, lang, text, old) },
		func() ([]Suspect, error) { return h.asksTests(f.Path, lang, text, old) },
	} {
		found, err := find()
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
func (h helpers) replaced(p, lang, after string) ([]Suspect, error) {
	if lang != "python" && lang != "js" {
		return nil, nil
	}
	data, err := h.contentOf(h.base[p])
	if err != nil {
		return nil, err
	}
	before := inLines(lang, data)
	siblings, err := h.siblings(p, lang)
	if err != nil {
		return nil, err
	}
	exported, err := h.exported(p, lang, before)
	if err != nil {
		return nil, err
	}
	var pattern []string
	if path.Base(p) == "__init__.py" {
		exported = append(exported, siblings...)
	}
	switch {
	case lang == "js" && len(exported) > 0:
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
	added := newLines(lang, before, after, changes)
	if len(added) == 0 && len(newLines(lang, after, before, changes)) > 0 {
		added = []int{0}
	}
	var out []Suspect
	for _, n := range added {
		out = append(out, Suspect{Path: p, Line: n, What: replacesHelper})
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

// newLines are the numbers of the lines of a text that match and that another lacks.
func newLines(lang, before, after string, match *lazyregexp.Regexp) (found []int) {
	old := map[string]bool{}
	addLines(old, before)
	lines := strings.Split(after, "\n")
	code := codeLines(lang, lines)
	for n, line := range lines {
		if !old[strings.TrimSpace(line)] && match.MatchString(code[n]) {
			found = append(found, n+1)
		}
	}
	return found
}

// judge reports whether a file of the base is a test or a helper of tests.
func (h helpers) judge(p string) (bool, error) {
	f, here := h.base[p]
	if !here {
		return false, nil
	}
	if _, test := isTest(p); test {
		return true, nil
	}
	return h.supports(f)
}

// siblings are the names of the helpers of tests beside a source of Python: their package
// has them as attributes.
func (h helpers) siblings(p, lang string) (names []string, err error) {
	if lang != "python" {
		return nil, nil
	}
	dir := dirOf(p)
	if names, read := h.inFolder[dir]; read {
		return without(names, p), nil
	}
	for q, f := range h.base {
		if _, test := isTest(q); test || dirOf(q) != dir || path.Ext(q) != ".py" || path.Base(q) == "__init__.py" {
			continue
		}
		judge, err := h.supports(f)
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
	found := bindings(lang, text)
	if lang == "js" {
		for _, m := range importCalls[lang].FindAllStringSubmatch(text, -1) {
			found = append(found, binding{name: "*", module: strings.Join(m[1:], "")})
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
			if b.name != "*" {
				names = append(names, b.name)
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
func (h helpers) filesOf(p, lang string, b binding) (files []string) {
	var stems []string
	switch {
	case lang == "js" && strings.HasPrefix(b.module, "."):
		stems = []string{path.Join(dirOf(p), b.module), path.Join(dirOf(p), b.module, "index")}
	case lang == "python" && strings.HasPrefix(b.module, "."):
		dots := len(b.module) - len(strings.TrimLeft(b.module, "."))
		module := strings.ReplaceAll(strings.TrimSpace(b.module[dots:]), ".", "/")
		stem := path.Join(dirOf(p), strings.Repeat("../", dots-1), module)
		stems = []string{stem, path.Join(stem, b.attr)}
	case lang == "python":
		module := strings.ReplaceAll(b.module, ".", "/")
		for _, root := range pythonRoots {
			stems = append(stems, path.Join(root, module), path.Join(root, module, b.attr))
		}
	}
	endings := []string{".py"}
	if lang == "js" {
		endings = nodeEndings
	}
	for _, stem := range stems {
		files = append(files, h.present(stem, endings)...)
	}
	return files
}

// exportedName matches what a module exports, in Python and JavaScript.
var exportedName = lazyregexp.New(`(?m)^(?:def|class)\s+(\w+)|^(\w+)\s*=|^export\s+(?:async\s+)?(?:function\*?|const|let|var|class)\s+([\w$]+)|\bexports\.([\w$]+)\s*=`)

func (h helpers) exports(p, lang string) (names []string, err error) {
	data, err := h.Content(h.base[p].ID)
	if err != nil {
		return nil, err
	}
	for _, m := range exportedName.FindAllStringSubmatch(string(data), -1) {
		names = append(names, strings.Join(m[1:], ""))
	}
	if lang == "js" {
		for _, m := range scriptList.FindAllStringSubmatch(string(data), -1) {
			for _, b := range destructured(m[1], p) {
				names = append(names, b.name)
			}
		}
	}
	return names, nil
}

// scriptList matches the list of what a module of JavaScript exports.
var scriptList = lazyregexp.New(`(?:\bexport\s*|\bmodule\.exports\s*=\s*)(\{[^}]*\})`)
