package judge

import (
	"slices"

	"ralph/internal/proof"
)

// Diff is a case with what is known about its files.
type Diff struct {
	Case
	// Before and After are the files of the base and of the work, by their paths.
	Before, After map[string]proof.File
	// changed are the paths that differ, sorted.
	changed []string
	// Tested are the languages in which the base has tests; "" is that of fixtures.
	Tested map[string]bool
	// named are the base's files that the gate's command names, or that it opened;
	// after followed, also those that it reaches through them.
	named    map[string]bool
	followed bool
	// direct are those that the gate's command names itself or that it opened, texts what
	// it runs: see gateTexts.
	direct map[string]bool
	texts  []gateText
	// pairing are patterns of files by which texts find cases; nil is not known yet.
	pairing []string
	// stems are the files of the base by their stems; nil is not known yet.
	stems map[string][]string
	// commands are all command lines that the gate runs, as far as they are found with texts;
	// does is what the gate does by them, nil is not known yet.
	commands string
	does     *Duties
	// lintLoaded are the files that configuration loads into linters; nil is not known yet.
	lintLoaded map[string]bool
	// checkers are the sources of programs that check the work for a text, doubtful those of
	// which that is unknown: see addCommands and addPrograms.
	checkers, doubtful map[string]bool
	// crates are the packages of cargo on the base; nil is not known yet.
	crates []crate
	// locals are the packages of the tree; nil is not known yet.
	locals *localPackages
	// tasks are the files that a target of a Makefile on the base would be, and
	// programs the folders that the gate puts on PATH.
	tasks, programs map[string]bool
	// loaders are the modules that configuration loads into the tests, mentions the
	// sources that a script of the gate names.
	loaders, mentions map[string]bool
	// pythonGlobs and pythonNames are the files and the tests that pytest collects by
	// the configuration of the base.
	pythonGlobs, pythonNames []string
	modules                  versions
	// roots are the modules on Python's path; nil is not known yet.
	roots map[string]string
	// newPackages are folders below vendor/: see addedPackages.
	newPackages map[string]bool
	// ownVendored are files below vendor/ that are the product's: see vendoredSources.
	ownVendored map[string]bool
	behind      behind
	// imports are those of the base's tests of Python; nil is not known yet.
	imports *imports
	// doctests: the gate may run the examples of documentation; nil is not known yet.
	// plugins: the tests of the base were searched for plugins.
	doctests *bool
	plugins  bool
	// folders are those of the base, and ownModules its modules of Python; nil is not known yet.
	folders, ownModules map[string]bool
}

// Between is the difference of a base and a work, of which no gate is known.
func Between(before, after map[string]proof.File, content func(id string) ([]byte, error)) *Diff {
	d := &Diff{Case: Case{Content: content}, Before: before, After: after, Tested: map[string]bool{}}
	for p := range before {
		if lang, test := proof.IsTest(p); test {
			d.Tested[lang] = true
		}
	}
	return d
}

func (c Case) survey() (*Diff, error) {
	d := &Diff{Case: c, Before: proof.Index(c.Base), After: proof.Index(c.Work), Tested: map[string]bool{}}
	for p, f := range d.After {
		if d.Before[p] != f {
			d.changed = append(d.changed, p)
		}
	}
	for p := range d.Before {
		if _, still := d.After[p]; !still {
			d.changed = append(d.changed, p)
		}
	}
	slices.Sort(d.changed)
	if len(d.changed) == 0 {
		return d, nil
	}
	if err := d.behindLinks(); err != nil {
		return nil, err
	}
	for p := range d.Before {
		if lang, ok := d.isTest(p); ok {
			d.Tested[lang] = true
		}
	}
	d.Untested = d.Untested && !d.reachesOthers()
	d.reach()
	if err := d.loaded(); err != nil {
		return nil, err
	}
	var err error
	if d.newPackages, err = d.addedPackages(); err != nil {
		return nil, err
	}
	if d.ownVendored, err = d.vendoredSources(); err == nil {
		d.modules, err = d.moduleVersions()
	}
	return d, err
}

// baseHas reports whether the base has a file in a folder or below it.
func (d *Diff) baseHas(folder string) bool {
	if d.folders == nil {
		d.folders = map[string]bool{}
		for p := range d.Before {
			for dir := proof.DirOf(p); dir != "." && !d.folders[dir]; dir = proof.DirOf(dir) {
				d.folders[dir] = true
			}
		}
	}
	return d.folders[folder]
}

// reading returns the plain files of the base for which a condition holds, at most
// MostFollowed of them, with their contents read ahead. more: there are others.
func (d *Diff) reading(is func(proof.File) bool) (files []proof.File, more bool, err error) {
	return d.readingMost(MostFollowed, is)
}

// mostUsers bounds the sources among which those are sought that use another one.
const mostUsers = 5000

func (d *Diff) readingMost(most int, is func(proof.File) bool) (files []proof.File, more bool, err error) {
	var ids []string
	for _, f := range d.Base {
		if !proof.IsFile(f) || !is(f) {
			continue
		}
		if len(files) == most {
			more = true
			break
		}
		files, ids = append(files, f), append(ids, f.ID)
	}
	if d.Ahead != nil && len(ids) > 1 {
		err = d.Ahead(ids)
	}
	return files, more, err
}
