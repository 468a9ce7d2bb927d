package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// PythonRoots are the usual folders on Python's path.
var PythonRoots = []string{".", "src", "lib", "python"}

// HiddenBy are the modules of the base that are found only after an added file, so that it is
// loaded in their place.
func (d *Diff) HiddenBy(p string) []string {
	return slices.Concat(d.hiddenModules(p), d.hiddenByStub(p), d.hiddenByScript(p), d.hiddenElsewhere(p))
}

// hiddenByScript are the sources of JavaScript that node or a bundler finds only after an
// added file of the same name. An index is found after a file that is named like its
// folder, and JSON after sources. Those of CommonJS by their ending are named with it.
func (d *Diff) hiddenByScript(p string) []string {
	if !slices.Contains(syntax.NodeEndings, path.Ext(p)) {
		return nil
	}
	return slices.DeleteFunc(d.hiddenScripts(p), func(old string) bool {
		return path.Base(strings.TrimSuffix(p, path.Ext(p))) == "index" && proof.DirOf(old) != proof.DirOf(p) || !slices.Contains(syntax.NodeEndings, path.Ext(old)) || slices.Contains([]string{".cjs", ".cts"}, path.Ext(old))
	})
}

// hiddenByStub are the modules of Python whose types a checker reads in an added file.
func (d *Diff) hiddenByStub(p string) []string {
	if path.Ext(p) != ".pyi" {
		return nil
	}
	return d.Present(strings.TrimSuffix(p, ".pyi"), pythonEndings)
}

// rootModules are the files of the base in the folders on Python's path, by the name of
// their module.
func (d *Diff) rootModules() map[string]string {
	return d.roots.get(func() map[string]string {
		found := map[string]string{}
		for p := range d.Before {
			if name := rootModule(p); name != "" {
				found[name] = p
			}
		}
		return found
	})
}

// rootModule is the name of a module in a usual folder on Python's path, or "".
func rootModule(p string) string {
	if proof.LanguageOf(p) != "python" {
		return ""
	}
	dir, name := proof.DirOf(p), strings.TrimSuffix(path.Base(p), path.Ext(p))
	if name == "__init__" {
		dir, name = proof.DirOf(dir), path.Base(dir)
	}
	if !slices.Contains(PythonRoots, dir) {
		return ""
	}
	return name
}

// hiddenElsewhere are the modules of other folders on Python's path that have the name
// of an added one: the first folder wins.
func (d *Diff) hiddenElsewhere(p string) []string {
	if old := d.rootModules()[rootModule(p)]; old != "" && proof.DirOf(old) != proof.DirOf(p) {
		return []string{old}
	}
	return nil
}
