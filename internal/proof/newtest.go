package proof

import (
	"path"
	"strings"
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
