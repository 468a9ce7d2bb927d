package judge

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

var wordVendor = lazyregexp.New(`\bvendor\b`)

// vendoredSources are the new files of a folder vendor/ that is the product's own: the base has
// none there, and a source of the product loads them by a path ("./vendor/cents"). Nothing finds
// a module there by its name, as long as no package.json, configuration, test or source of
// the base, nor a manifest or configuration of the work, speaks of such a folder. In doubt
// there is none.
func (r *reach) vendoredSources() (map[string]bool, error) {
	folders := map[string]bool{}
	for _, p := range r.changed {
		if at := strings.Index("/"+p, "/vendor/"); at >= 0 {
			folders[p[:at+len("vendor")]] = true
		}
	}
	for folder := range folders {
		if !r.ownFolder(folder) {
			delete(folders, folder)
		}
	}
	if len(folders) == 0 || wordVendor.MatchString(r.Gate.Run) {
		return nil, nil
	}
	below := func(p string) bool {
		return slices.ContainsFunc(slices.Collect(maps.Keys(folders)), func(f string) bool { return strings.HasPrefix(p, f+"/") })
	}
	if spoken, err := r.speaksOfVendor(below); spoken || err != nil {
		return nil, err
	}
	found := map[string]bool{}
	var todo []string
	for _, p := range r.changed {
		if r.sourceOfNode(p) && !below(p) {
			todo = append(todo, p)
		}
	}
	for ; len(todo) > 0; todo = todo[1:] {
		loaded, err := r.loadedByPath(todo[0], r.After[todo[0]])
		if err != nil {
			return nil, err
		}
		for _, p := range loaded {
			if below(p) && !found[p] {
				found[p] = true
				todo = append(todo, p)
			}
		}
	}
	return found, nil
}

// ownFolder reports whether a folder vendor/ is new, beside a package.json of the base, and
// has nothing but plain sources of JavaScript and data in it. Other tools install into one.
func (d *Diff) ownFolder(folder string) bool {
	if f, ok := d.Before[path.Join(proof.DirOf(folder), "package.json")]; !ok || !proof.IsFile(f) {
		return false
	}
	for _, files := range []map[string]proof.File{d.Before, d.After} {
		for p := range files {
			if slices.Contains([]string{"go.mod", "go.work", "composer.json", "gemfile", "cargo.toml"}, strings.ToLower(path.Base(p))) {
				return false
			}
		}
	}
	if _, file := d.Before[folder]; file || d.baseHas(folder) {
		return false
	}
	for p, f := range d.After {
		if !strings.HasPrefix(p, folder+"/") {
			continue
		}
		lang := proof.LanguageOf(p)
		if !proof.IsFile(f) || f.Mode == proof.ExecMode || lang != "" && lang != "js" || path.Base(p) == "package.json" || strings.Contains(p, "/node_modules/") {
			return false
		}
	}
	return true
}

// sourceOfNode reports whether a path is a source of JavaScript that is no test and
// configures none.
func (r *reach) sourceOfNode(p string) bool {
	_, test := r.isTest(p)
	return proof.LanguageOf(p) == "js" && !test && !proof.IsConfig(p) && !r.protects(p) && !r.named[p]
}

// loadedByPath are the files of the work that a source loads by a path.
func (d *Diff) loadedByPath(p string, f proof.File) (found []string, err error) {
	if !proof.IsFile(f) {
		return nil, nil
	}
	data, err := d.Content(f.ID)
	for _, module := range syntax.RelativeImports(string(data)) {
		at := path.Join(proof.DirOf(p), module)
		for _, end := range syntax.NodeEndings {
			for _, name := range []string{at + end, at + ".json", path.Join(at, "index"+end)} {
				if _, is := d.After[name]; is {
					found = append(found, name)
				}
			}
		}
	}
	return found, err
}

// speaksOfVendor reports whether a file names a folder vendor/, other than by the path of a
// module that a source loads. One of the base must not load what the work puts there.
// Documents and lists of ignored files find no modules.
func (r *reach) speaksOfVendor(added func(string) bool) (bool, error) {
	speaks := func(f proof.File) bool {
		name := strings.ToLower(path.Base(f.Path))
		return !added(f.Path) && !slices.Contains([]string{".md", ".rst", ".txt"}, path.Ext(name)) && name != ".gitignore" && name != "license"
	}
	files, more, err := r.reading(speaks)
	if more || err != nil {
		return true, err
	}
	for _, p := range r.changed {
		if f := r.After[p]; proof.IsFile(f) && speaks(f) {
			files = append(files, f)
		}
	}
	for _, f := range files {
		data, err := r.Content(f.ID)
		if err != nil {
			return true, err
		}
		text := string(data)
		_, test := r.isTest(f.Path)
		switch base := r.Before[f.Path] == f; {
		case test && !base: // left out, or with permission
			continue
		case r.sourceOfNode(f.Path):
			text = syntax.WithoutImports(text, syntax.Import.Relative)
			loaded, err := r.loadedByPath(f.Path, f)
			if err != nil || base && slices.ContainsFunc(loaded, added) {
				return true, err
			}
		}
		if wordVendor.MatchString(text) {
			return true, nil
		}
	}
	return false, nil
}
