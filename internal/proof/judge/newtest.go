package judge

import (
	"path"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
)

// isNewTest reports whether the work added a test or fixture as a plain file. One that
// configures a runner, like conftest.py, reaches the tests of the base as well, unless
// the base has nothing in its folder.
func (d *Diff) isNewTest(p string) bool {
	_, had := d.Before[p]
	_, test := d.isTest(p)
	return !had && test && (!proof.IsConfig(p) || d.configuresNewTests(p)) && proof.IsFile(d.After[p]) && !d.protects(p) && !d.replaces(p)
}

// configuresNewTests reports whether a file configures the tests of a folder that the
// work made, or only gives fixtures to new tests. It is absent from the run with the base's judges like any other.
func (d *Diff) configuresNewTests(p string) bool {
	dir := proof.DirOf(p)
	if path.Base(p) != "conftest.py" || dir == "." {
		return false
	}
	return !d.baseHas(dir) || d.offersFixtures(p)
}

// reachesOthers reports whether the work adds a test that the gate's command names, and beside
// it configuration that reaches tests of the base. Such a gate runs no test on the base, but
// others run those that it does not name. One that chooses tests by their names would not
// choose one of ralph's own.
func (d *Diff) reachesOthers() bool {
	if choosesNames.MatchString(d.Gate.Run) {
		return false
	}
	names, configures := false, false
	for _, p := range d.changed {
		lang, test := d.isTest(p)
		if _, had := d.Before[p]; had || !test {
			continue
		}
		_, named := d.commandNames(p)
		names = names || named && d.isNewTest(p)
		configures = configures || proof.IsConfig(p) && d.testedLanguages()[lang] && !d.configuresNewTests(p)
	}
	return names && configures
}

// choosesNames matches a command of pytest or unittest that chooses tests by their names or marks.
var choosesNames = lazyregexp.New(`\s-k\b|\bpytest\s.*\s-m\b`)

// replaces reports whether a path stands where the base has a folder, or below one of
// its files.
func (d *Diff) replaces(p string) bool {
	for dir := proof.DirOf(p); dir != "."; dir = proof.DirOf(dir) {
		if _, file := d.Before[dir]; file {
			return true
		}
	}
	return d.baseHas(p)
}
