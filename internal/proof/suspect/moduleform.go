package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Packages of JavaScript come in two forms: lib/index.mjs beside lib/index.js takes what it gives
// from there. Node loads a file of such an ending only by its full name; bundlers may find it by
// a name without an ending.

var (
	// importedModule and requiredModule match what a source loads by a name that it writes.
	importedModule = lazyregexp.New("(?:\\bfrom|\\bimport)\\s*\\(?\\s*['\"`]([^'\"`\\n]+)['\"`]")
	requiredModule = lazyregexp.New("\\brequire(?:\\.resolve)?\\(\\s*['\"`]([^'\"`\\n]+)['\"`]")
)

// moduleForms finds the modules of a change that are another form of one beside them.
type moduleForms struct {
	base, work map[string]proof.File
	content    func(string) ([]byte, error)
}

// of reports whether an added module loads an old one of the same name by its full name, and
// nothing may load the new one by the name that both have without their endings.
func (o moduleForms) of(added, old string) (bool, error) {
	ending := path.Ext(added)
	if ending != ".mjs" && ending != ".cjs" || path.Dir(added) != path.Dir(old) {
		return false, nil
	}
	loads, err := o.loads(o.work, added, importedModule, requiredModule)
	if err != nil || !slices.Contains(loads, old) {
		return false, err
	}
	patterns := []*lazyregexp.Regexp{importedModule}
	if ending == ".cjs" { // jest finds it so
		patterns = append(patterns, requiredModule)
	}
	names := []string{strings.TrimSuffix(added, ending)}
	if path.Base(names[0]) == "index" {
		names = append(names, path.Dir(added))
	}
	for _, files := range []map[string]proof.File{o.base, o.work} {
		for _, p := range proof.SortedPaths(files) {
			loads, err := o.loads(files, p, patterns...)
			if err != nil || slices.ContainsFunc(loads, func(l string) bool { return slices.Contains(names, l) }) {
				return false, err
			}
		}
	}
	return true, nil
}

// loads are the paths by which a source loads others.
func (o moduleForms) loads(files map[string]proof.File, p string, patterns ...*lazyregexp.Regexp) (paths []string, err error) {
	if ext := path.Ext(p); !proof.IsFile(files[p]) || proof.LanguageOf(p) != "js" && ext != ".vue" && ext != ".svelte" {
		return nil, nil
	}
	data, err := o.content(files[p].ID)
	if err != nil || len(data) > syntax.LongestSource {
		return nil, err
	}
	text := syntax.WithoutComments("js", string(data))
	for _, pattern := range patterns {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], ".") {
				paths = append(paths, path.Join(path.Dir(p), m[1]))
			}
		}
	}
	return paths, nil
}
