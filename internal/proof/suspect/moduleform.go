package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Packages of JavaScript come in two forms: lib/index.mjs beside lib/index.js takes what it gives
// from there. Node loads a file of such an ending only by its full name; bundlers may find it by
// a name without an ending.

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
	loads, err := o.loads(o.work, added, true)
	if err != nil || !slices.Contains(loads, old) {
		return false, err
	}
	names := []string{strings.TrimSuffix(added, ending)}
	if path.Base(names[0]) == "index" {
		names = append(names, path.Dir(added))
	}
	for _, files := range []map[string]proof.File{o.base, o.work} {
		for _, p := range proof.SortedPaths(files) {
			loads, err := o.loads(files, p, ending == ".cjs") // jest finds it so
			if err != nil || slices.ContainsFunc(loads, func(l string) bool { return slices.Contains(names, l) }) {
				return false, err
			}
		}
	}
	return true, nil
}

// loads are the paths by which a source loads others. required: also by require.
func (o moduleForms) loads(files map[string]proof.File, p string, required bool) (paths []string, err error) {
	if ext := path.Ext(p); !proof.IsFile(files[p]) || proof.LanguageOf(p) != "js" && ext != ".vue" && ext != ".svelte" {
		return nil, nil
	}
	data, err := o.content(files[p].ID)
	if err != nil || len(data) > syntax.LongestSource {
		return nil, err
	}
	for _, i := range syntax.ScriptImports(syntax.WithoutComments("js", string(data))) {
		if i.Relative() && (required || !i.Required) {
			paths = append(paths, path.Join(path.Dir(p), i.Module))
		}
	}
	return paths, nil
}
