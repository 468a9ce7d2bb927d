package judge

import (
	"path"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// shadowsInstalled reports whether an added file of Python has the name of a package
// that tests of the base import and that is installed where the gate runs. A module
// that the work is to make is missing there.
func (d *Diff) shadowsInstalled(p string) (bool, error) {
	name := topModule(p, d.After)
	if name == "" {
		return false, nil
	}
	imports, err := d.testImports()
	if err != nil || !imports.any[name] {
		return false, err
	}
	if found, err := d.foundByTests(name); found || err != nil {
		return found, err
	}
	if d.Installed == nil {
		return false, nil
	}
	return d.Installed(name)
}

// foundByTests reports whether a test that imports a module at its beginning ran on the
// base: it found the module there. Its name says that, whatever starts the tests.
func (d *Diff) foundByTests(name string) (bool, error) {
	found, err := d.testImports()
	if err != nil || len(found.first[name]) == 0 || d.Ran == nil {
		return false, err
	}
	names, err := d.Ran()
	if err != nil {
		return false, err
	}
	for _, p := range found.first[name] {
		if ranIn(p, names) {
			return true, nil
		}
	}
	return false, nil
}

// topModule is the name by which a file of Python is imported from a folder on the path
// of modules: that of its outermost package, or its own; "" for other files. A link may
// be a package.
func topModule(p string, files map[string]proof.File) string {
	if proof.LanguageOf(p) != "python" && path.Ext(p) != ".so" && path.Ext(p) != ".pyd" && !isLinkedFolder(files[p]) {
		return ""
	}
	name, dir := syntax.Before(path.Base(p), "."), proof.DirOf(p)
	for ; dir != "."; dir = proof.DirOf(dir) {
		if _, pkg := files[path.Join(dir, "__init__.py")]; !pkg {
			break
		}
		name = path.Base(dir)
	}
	return name
}

// isLinkedFolder reports whether a path may be a folder without having files: a link or a
// submodule with a folder's name.
func isLinkedFolder(f proof.File) bool {
	return (f.Mode == proof.LinkMode || f.Mode == proof.SubmoduleMode) && path.Ext(f.Path) == ""
}
