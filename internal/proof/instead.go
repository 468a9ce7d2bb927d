package proof

import (
	"path"
	"slices"
	"strings"
)

// Endings of what an interpreter loads for a name without one, and of the files that
// the go command compiles into a package.
var (
	jsEndings      = []string{".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".vue", ".svelte"}
	pythonEndings  = []string{".py", ".pyc", ".so", ".pyd"}
	compiledWithGo = []string{".go", ".s", ".S", ".c", ".cc", ".cpp", ".h", ".m", ".f", ".swig", ".syso"}
)

// replacesJudge reports whether an added file is loaded in place of a judge file of the
// base or of an installed package that tests import, or becomes a part of its package.
func (d *diff) replacesJudge(p string) (bool, error) {
	if installed, err := d.shadowsInstalled(p); installed || err != nil {
		return installed, err
	}
	for _, judge := range slices.Concat(d.hiddenModules(p), d.hiddenScripts(p)) {
		if is, err := d.judges(judge); is || err != nil {
			return is, err
		}
	}
	return d.joinsJudges(p)
}

// hiddenModules are the modules of Python that an added file takes the place of: a
// package hides a module of its name, and a module hides a folder without __init__.
func (d *diff) hiddenModules(p string) (hidden []string) {
	dir, stem := dirOf(p), before(path.Base(p), ".")
	if isLinkedFolder(d.work[p]) {
		return d.present(p, pythonEndings)
	}
	if !slices.Contains(pythonEndings, path.Ext(p)) {
		return nil
	}
	if stem == "__init__" {
		return d.present(dir, pythonEndings)
	}
	folder := path.Join(dir, stem)
	if len(d.present(folder+"/__init__", pythonEndings)) > 0 {
		return nil
	}
	for b := range d.base {
		if strings.HasPrefix(b, folder+"/") && languageOf(b) == "python" {
			hidden = append(hidden, b)
		}
	}
	return hidden
}

// hiddenScripts are the sources of JavaScript that tools may find under the same name
// without an ending as an added file. Their orders differ, so that all count.
func (d *diff) hiddenScripts(p string) (hidden []string) {
	for _, name := range scriptNames(p) {
		hidden = append(hidden, d.present(name, jsEndings)...)
		hidden = append(hidden, d.present(name+"/index", jsEndings)...)
	}
	return hidden
}

// scriptNames are the names by which JavaScript can import a file without its ending.
func scriptNames(p string) []string {
	ext := path.Ext(p)
	stem := strings.TrimSuffix(p, ext)
	switch {
	case ext == "":
		return []string{p}
	case strings.HasSuffix(p, ".d"+ext), ext != ".json" && ext != ".node" && !slices.Contains(jsEndings, ext):
		return nil
	case path.Base(stem) == "index":
		return []string{stem, dirOf(p)}
	}
	return []string{stem}
}

func (d *diff) present(name string, endings []string) (found []string) {
	for _, e := range endings {
		if f, here := d.base[name+e]; here && isFile(f) {
			found = append(found, name+e)
		}
	}
	return found
}

// joinsJudges reports whether an added file is compiled into a package of Go of which
// all sources of the base judge, or is run before modules of Python of which this holds.
func (d *diff) joinsJudges(p string) (bool, error) {
	dir, ending := dirOf(p), ""
	switch {
	case slices.Contains(compiledWithGo, path.Ext(p)):
		ending = ".go"
	case before(path.Base(p), ".") == "__init__" && slices.Contains(pythonEndings, path.Ext(p)):
		ending = ".py"
	default:
		return false, nil
	}
	found := false
	for b := range d.base {
		if path.Ext(b) != ending || dirOf(b) != dir {
			continue
		}
		if _, test := d.isTest(b); test {
			continue
		}
		if judge, err := d.judges(b); !judge || err != nil {
			return false, err
		}
		found = true
	}
	return found, nil
}
