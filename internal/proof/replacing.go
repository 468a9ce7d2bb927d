package proof

import (
	"path"
	"slices"
	"strings"
)

// pythonRoots are the usual folders on Python's path.
var pythonRoots = []string{".", "src", "lib", "python"}

// systemHeaders are headers of C that tests include, and that a folder of the project can
// hide.
var systemHeaders = []string{
	"assert.h", "cassert", "check.h", "cmocka.h", "criterion.h", "ctype.h", "errno.h", "float.h", "limits.h", "math.h", "setjmp.h", "stdbool.h", "stdint.h", "stdio.h", "stdlib.h",
	"string.h", "time.h", "unistd.h", "unity.h",
}

// replacing are the added files that are loaded under the name of a file of the product
// which is still there: that one looks as it was, and nothing uses it any more. A file of
// types counts only where a gate inspects the product: no program loads it.
func replacing(base, work map[string]File, inspects bool) (found []Suspect) {
	d := &diff{base: base, work: work}
	var roots map[string]string
	for _, p := range sortedPaths(work) {
		_, had := base[p]
		if _, test := isTest(p); had || test || path.Ext(p) == ".pyi" && !inspects {
			continue
		}
		if slices.Contains(systemHeaders, path.Base(p)) {
			found = append(found, Suspect{Path: p, What: takesPlace + " <" + path.Base(p) + "> of the system"})
			continue
		}
		if program := replacedProgram(work[p]); program != "" {
			found = append(found, Suspect{Path: p, What: takesPlace + " the program " + program})
			continue
		}
		if roots == nil {
			roots = d.rootModules()
		}
		hidden := slices.Concat(d.hiddenModules(p), d.hiddenByStub(p), d.hiddenByScript(p), d.hiddenElsewhere(p, roots))
		for _, old := range hidden {
			if _, still := work[old]; still {
				found = append(found, Suspect{Path: p, What: takesPlace + " " + old})
				break
			}
		}
	}
	return found
}

// hiddenByScript are the sources of JavaScript that node or a bundler finds only after an
// added file of the same name. An index is found after a file that is named like its
// folder, and JSON after sources.
func (d *diff) hiddenByScript(p string) []string {
	if !slices.Contains(nodeEndings, path.Ext(p)) {
		return nil
	}
	return slices.DeleteFunc(d.hiddenScripts(p), func(old string) bool {
		return path.Base(strings.TrimSuffix(p, path.Ext(p))) == "index" && dirOf(old) != dirOf(p) || !slices.Contains(nodeEndings, path.Ext(old))
	})
}

// hiddenByStub are the modules of Python whose types a checker reads in an added file.
func (d *diff) hiddenByStub(p string) []string {
	if path.Ext(p) != ".pyi" {
		return nil
	}
	return d.present(strings.TrimSuffix(p, ".pyi"), pythonEndings)
}

// rootModules are the files of the base in the folders on Python's path, by the name of
// their module.
func (d *diff) rootModules() map[string]string {
	found := map[string]string{}
	for p := range d.base {
		if name := rootModule(p); name != "" {
			found[name] = p
		}
	}
	return found
}

// rootModule is the name of a module in a usual folder on Python's path, or "".
func rootModule(p string) string {
	if languageOf(p) != "python" {
		return ""
	}
	dir, name := dirOf(p), strings.TrimSuffix(path.Base(p), path.Ext(p))
	if name == "__init__" {
		dir, name = dirOf(dir), path.Base(dir)
	}
	if !slices.Contains(pythonRoots, dir) {
		return ""
	}
	return name
}

// hiddenElsewhere are the modules of other folders on Python's path that have the name
// of an added one: the first folder wins.
func (d *diff) hiddenElsewhere(p string, roots map[string]string) []string {
	if old := roots[rootModule(p)]; old != "" && dirOf(old) != dirOf(p) {
		return []string{old}
	}
	return nil
}
