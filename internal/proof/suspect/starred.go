package suspect

import (
	"maps"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Python's "from shop import *" gives a test all public names of the product, also those
// that the test has from elsewhere: a new approx of the product replaces that of pytest.

var (
	// takesAll matches an import of all names.
	takesAll = lazyregexp.New(`(?m)^from[ \t]+([\w.]+)[ \t]+import[ \t]+\*`)
	// listsExports matches the list of the names that a module gives away.
	listsExports = lazyregexp.New(`(?m)^__all__[^=\n]*=\s*[(\[]([^)\]]*)`)
)

const (
	// definesName and importsName match a line that binds NAME in a module.
	definesName = `^(?:async\s+)?(?:def|class)\s+NAME\b|^(?:\w+\s*,\s*)*NAME\s*(?:,[^=\n]*)?(?::[^=\n]*)?=[^=]`
	importsName = `\bimport\b[^\n]*\bNAME\b`
)

// starredNames are the names of tests of the base that a module of the product takes away
// if it binds them, by module: what each was.
func (h helpers) starredNames() (map[string]map[string]string, error) {
	found, read := map[string]map[string]string{}, 0
	for _, p := range proof.SortedPaths(h.Before) {
		if lang, test := proof.IsTest(p); !test || lang != "python" || !proof.IsFile(h.Before[p]) || read >= mostSuspectFiles {
			continue
		}
		data, err := h.Content(h.Before[p].ID)
		if err != nil {
			return nil, err
		}
		read++
		text := syntax.InLines("python", data)
		for _, at := range takesAll.FindAllStringSubmatchIndex(text, -1) {
			names := topNames(text[:at[0]])
			for _, module := range h.filesOf(p, "python", syntax.Binding{Name: "*", Module: text[at[2]:at[3]], Attr: "__init__"}) {
				if found[module] == nil {
					found[module] = map[string]string{}
				}
				maps.Copy(found[module], names)
			}
		}
	}
	return found, nil
}

// topNames are the public names that a text of Python binds, with what imports bind to them.
func topNames(text string) map[string]string {
	names := map[string]string{}
	for _, m := range exportedName.FindAllStringSubmatch(text, -1) {
		names[strings.Join(m[1:], "")] = ""
	}
	for _, b := range syntax.PythonBindings(text) {
		names[b.Name] = b.Full()
	}
	maps.DeleteFunc(names, func(name, _ string) bool { return name == "*" || strings.HasPrefix(name, "_") })
	return names
}

// takesNames are the new lines of a module of the product that take a name of a test; line 0
// where the line is unknown.
func (h helpers) takesNames(c changed) (out []Finding, err error) {
	if c.lang != "python" {
		return nil, nil
	}
	all, err := h.starred()
	if err != nil || len(all[c.Path]) == 0 {
		return nil, err
	}
	old, now := topNames(c.was), topNames(c.text)
	exports := listsExports.FindStringSubmatch(c.text)
	for _, name := range slices.Sorted(maps.Keys(all[c.Path])) {
		what, binds := now[name]
		was, bound := old[name]
		switch {
		case !binds || bound && was == what || what != "" && what == all[c.Path][name]:
			continue
		case exports != nil && !strings.Contains(exports[1], `"`+name+`"`) && !strings.Contains(exports[1], "'"+name+"'"):
			continue
		}
		line := 0
		if lines := newLines(c.lang, c.was, c.text, lazyregexp.New(named(definesName+"|"+importsName, []string{name}))); len(lines) > 0 {
			line = lines[0]
		}
		out = append(out, Finding{Path: c.Path, Line: line, What: changesCode})
	}
	return out, nil
}
