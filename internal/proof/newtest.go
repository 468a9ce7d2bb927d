package proof

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
)

// isNewTest reports whether the work added a test or fixture as a plain file. One that
// configures a runner, like conftest.py, reaches the tests of the base as well, unless
// the base has nothing in its folder.
func (d *diff) isNewTest(p string) bool {
	_, had := d.base[p]
	_, test := d.isTest(p)
	return !had && test && (!isConfig(p) || d.configuresNewTests(p)) && isFile(d.work[p]) && !d.protects(p) && !d.replaces(p)
}

// configuresNewTests reports whether a file configures the tests of a folder that the
// work made. It is absent from the run with the base's judges like any other.
func (d *diff) configuresNewTests(p string) bool {
	dir := dirOf(p)
	if path.Base(p) != "conftest.py" || dir == "." {
		return false
	}
	for b := range d.base {
		if strings.HasPrefix(b, dir+"/") {
			return false
		}
	}
	return true
}

// reachesOthers reports whether the work adds a test that the gate's command names, and beside
// it configuration that reaches tests of the base. Such a gate runs no test on the base, but
// others run those that it does not name. One that chooses tests by their names would not
// choose one of ralph's own.
func (d *diff) reachesOthers() bool {
	if choosesNames.MatchString(d.Gate.Run) {
		return false
	}
	names, configures := false, false
	for _, p := range d.changed {
		lang, test := d.isTest(p)
		if _, had := d.base[p]; had || !test {
			continue
		}
		_, named := d.commandNames(p)
		names = names || named && d.isNewTest(p)
		configures = configures || isConfig(p) && d.tested[lang] && !d.configuresNewTests(p)
	}
	return names && configures
}

// choosesNames matches a command of pytest or unittest that chooses tests by their names or marks.
var choosesNames = lazyregexp.New(`\s-k\b|\bpytest\s.*\s-m\b`)

// replaces reports whether a path stands where the base has a folder, or below one of
// its files.
func (d *diff) replaces(p string) bool {
	for dir := dirOf(p); dir != "."; dir = dirOf(dir) {
		if _, file := d.base[dir]; file {
			return true
		}
	}
	for b := range d.base {
		if strings.HasPrefix(b, p+"/") {
			return true
		}
	}
	return false
}
