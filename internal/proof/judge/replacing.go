package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
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
func (j *judging) replacesJudge(p string) (bool, error) {
	if installed, err := j.shadowsInstalled(p); installed || err != nil {
		return installed, err
	}
	for _, judge := range slices.Concat(j.hiddenModules(p), j.hiddenScripts(p)) {
		if is, err := j.judges(judge); is || err != nil {
			return is, err
		}
	}
	return j.joinsJudges(p)
}

// hiddenModules are the modules of Python that an added file takes the place of: a
// package hides a module of its name, and a module hides a folder without __init__.
func (d *Diff) hiddenModules(p string) (hidden []string) {
	dir, stem := proof.DirOf(p), syntax.Before(path.Base(p), ".")
	if isLinkedFolder(d.After[p]) {
		return d.Present(p, pythonEndings)
	}
	if !slices.Contains(pythonEndings, path.Ext(p)) {
		return nil
	}
	if stem == "__init__" {
		return d.Present(dir, pythonEndings)
	}
	folder := path.Join(dir, stem)
	if len(d.Present(folder+"/__init__", pythonEndings)) > 0 {
		return nil
	}
	for b := range d.Before {
		if strings.HasPrefix(b, folder+"/") && proof.LanguageOf(b) == "python" {
			hidden = append(hidden, b)
		}
	}
	return hidden
}

// hiddenScripts are the sources of JavaScript that tools may find under the same name
// without an ending as an added file. Their orders differ, so that all count.
func (d *Diff) hiddenScripts(p string) (hidden []string) {
	for _, name := range scriptNames(p) {
		hidden = append(hidden, d.Present(name, jsEndings)...)
		hidden = append(hidden, d.Present(name+"/index", jsEndings)...)
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
		return []string{stem, proof.DirOf(p)}
	}
	return []string{stem}
}

// Present are the files of the base of a name with one of the endings.
func (d *Diff) Present(name string, endings []string) (found []string) {
	for _, e := range endings {
		if f, here := d.Before[name+e]; here && proof.IsFile(f) {
			found = append(found, name+e)
		}
	}
	return found
}

// joinsJudges reports whether an added file is compiled into a package of Go of which
// all sources of the base judge, or is run before modules of Python of which this holds.
func (j *judging) joinsJudges(p string) (bool, error) {
	dir, ending := proof.DirOf(p), ""
	switch {
	case slices.Contains(compiledWithGo, path.Ext(p)):
		ending = ".go"
	case syntax.Before(path.Base(p), ".") == "__init__" && slices.Contains(pythonEndings, path.Ext(p)):
		ending = ".py"
	default:
		return false, nil
	}
	found := false
	for b := range j.Before {
		if path.Ext(b) != ending || proof.DirOf(b) != dir {
			continue
		}
		if _, test := j.isTest(b); test {
			continue
		}
		if judge, err := j.judges(b); !judge || err != nil {
			return false, err
		}
		found = true
	}
	return found, nil
}
