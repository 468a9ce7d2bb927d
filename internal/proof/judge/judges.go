package judge

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/ratchet"
	"ralph/internal/scope"
)

// Case is a change that one gate judges.
type Case struct {
	Gate loop.Gate
	// Base and Work are every file of the two commits.
	Base, Work []proof.File
	// Opened are files of the base that the gate opened when it ran there.
	Opened []string
	// Untested: the gate ran on the base, and there was no test.
	Untested bool
	// Ran returns the tests that the gate ran on the base; none where they have no names.
	// Installed reports whether a module of Python can be imported where the gate runs on
	// the base; also false where no interpreter is known. Both may be nil.
	Ran       func() (ratchet.Names, error)
	Installed func(module string) (bool, error)
	// Protect are the project's path globs of judge files. Scope and MayChange are
	// globs of files that a person allowed the work to change.
	Protect, Scope, MayChange []string
	// Task is the text of the task.
	Task string
	// Reviewed are paths whose change reviewers allowed.
	Reviewed []string
	// Content returns a blob, or nil for one that cannot be read as text. Ahead, if any,
	// is told which blobs are about to be asked for: many are read faster together.
	Content func(id string) ([]byte, error)
	Ahead   func(ids []string) error
}

// Judges are the judge files that the work changed, added or removed.
type Judges struct {
	// SetAside were changed without permission, Permitted with it. New are tests and
	// fixtures that the work added to those of the base, and files of tests in which it
	// only added some at the end. Sorted.
	SetAside, Permitted, New []string
	// Edits turn the work into its variant with the base's judges. Empty if nothing
	// was set aside.
	Edits []proof.Edit
	// Runner are the edits but those of tests and fixtures: what a gate that measures
	// the tests of the work must not have from it. A script that tests is among them:
	// it may run the others.
	Runner []proof.Edit
	// Unexplained are edits beside Edits that put data back of which the gate's scripts may take
	// what they expect, and take away files that the base ignores.
	Unexplained []proof.Edit
	// NamesNew: the gate's command names files of tests that the work added.
	NamesNew bool
	// Measures: the gate measures coverage, to which new tests count.
	Measures bool
}

// Judges finds the judge files among the changes. With the edits, every judge file
// without permission is as on the base, and every other file as in the work. Of a
// dependency manifest the dependencies are the work's, and the rest is the base's.
//
// New tests are set aside too, except in a language in which the base has none: then
// the base has no judges that they could take the place of. One that the gate's command
// names is replaced by a test that passes: see standIn.
func (c Case) Judges() (Judges, error) {
	d, err := c.diff()
	if err != nil || len(d.changed) == 0 {
		return Judges{}, err
	}
	j, err := d.judging()
	if err != nil {
		return Judges{}, err
	}
	return j.findJudges()
}

func (j *judging) findJudges() (Judges, error) {
	aside := map[string]proof.Edit{}
	var out Judges
	for _, p := range j.changed {
		if _, named := j.commandNames(p); named && j.isNewTest(p) {
			out.NamesNew = true
		}
		e, judge, err := j.edit(p)
		switch {
		case err != nil:
			return Judges{}, err
		case !judge:
		case j.Permits(p):
			out.Permitted = append(out.Permitted, p)
		default:
			aside[p] = e
		}
	}
	out.Measures = len(aside) > 0 && j.does.Measures
	j.clear(aside)
	if err := j.emptyPackages(aside); err != nil {
		return Judges{}, err
	}
	for p, e := range aside {
		if e.Mode == "" {
			switch data, err := j.standIn(p); {
			case err != nil:
				return Judges{}, err
			case data != nil:
				e = proof.Edit{Path: p, Mode: j.After[p].Mode, Data: data}
			}
		}
		out.Edits = append(out.Edits, e)
		added, err := j.onlyAdds(p)
		if err != nil {
			return Judges{}, err
		}
		if added || j.isNewTest(p) {
			out.New = append(out.New, p)
		} else {
			out.SetAside = append(out.SetAside, p)
		}
	}
	snapshots, err := j.withoutNewSnapshots(out.Permitted, aside)
	if err != nil {
		return Judges{}, err
	}
	out.Edits = append(out.Edits, snapshots...)
	slices.Sort(out.SetAside)
	slices.Sort(out.New)
	slices.SortFunc(out.Edits, func(a, b proof.Edit) int { return strings.Compare(a.Path, b.Path) })
	for _, e := range out.Edits {
		if lang, test := j.isTest(e.Path); !test || lang == "shell" || proof.IsConfig(e.Path) || j.protects(e.Path) {
			out.Runner = append(out.Runner, e)
		}
	}
	unexplained, err := j.unexplained()
	if err != nil {
		return Judges{}, err
	}
	for _, e := range unexplained {
		if !slices.ContainsFunc(out.Edits, func(o proof.Edit) bool { return o.Path == e.Path }) {
			out.Unexplained = append(out.Unexplained, e)
		}
	}
	return out, nil
}

// Permits reports whether people or reviewers allowed the work to change a judge file.
func (c Case) Permits(p string) bool {
	return scope.Match(c.Scope, p) || scope.Match(c.MayChange, p) || slices.Contains(c.Reviewed, p)
}

// protects reports whether a glob of protect: names the path or a folder above it.
func (c Case) protects(p string) bool {
	for _, g := range slices.Concat(c.Protect, c.Gate.Protect) {
		g = strings.TrimSuffix(strings.TrimPrefix(g, "./"), "/")
		if g == p || doublestar.MatchUnvalidated(g, p) || doublestar.MatchUnvalidated(g+"/**", p) {
			return true
		}
	}
	return false
}

// edit returns how a changed path becomes what it is on the base, if it is a judge.
func (j *judging) edit(p string) (proof.Edit, bool, error) {
	m, err := j.mergerOf(p)
	switch {
	case err != nil:
		return proof.Edit{}, false, err
	case m != nil && !j.protects(p):
		return j.merge(p, m)
	}
	judge, err := j.judges(p)
	if err == nil && !judge {
		m, err = j.productMerger(p)
	}
	if err != nil || m == nil {
		return j.restored(p), judge, err
	}
	return j.merge(p, m)
}

func (d *Diff) restored(p string) proof.Edit {
	f := d.Before[p]
	return proof.Edit{Path: p, Mode: f.Mode, ID: f.ID}
}

// judges reports whether a changed path is a judge file.
func (j *judging) judges(p string) (bool, error) {
	old, had := j.Before[p]
	lang, test := j.isTest(p)
	switch {
	case j.protects(p) || j.named[p] || !had && optionLike(p):
		return true, nil
	case test && !had && !j.hasTests(lang):
		// Tests ran that have no test's name, such as examples: new configuration reaches them.
		return proof.IsConfig(p) && !j.Untested && j.Ran != nil, nil
	case test, proof.IsConfig(p), isCache(p), j.programs[proof.DirOf(p)]:
		return true, nil
	}
	switch {
	case j.lints(p), j.lintLoaded[p], j.includedByForm(p):
		return true, nil
	case vendored(p) && !j.ownVendored[p]:
		return j.judgesVendored(p), nil
	case j.shadowsSource(p):
		return true, nil
	case had:
		return j.judgesSource(old)
	case j.shadows(p), j.included(p):
		return true, nil
	}
	return j.replacesJudge(p)
}

// judgesSource reports whether a file of the base judges that is no test by its name:
// it supports tests, holds them, documents with examples that run, or is a program that checks.
func (j *judging) judgesSource(f proof.File) (bool, error) {
	for _, is := range []func(proof.File) (bool, error){j.Supports, j.declares, j.losesExamples, j.holdsCases, j.checks, j.helpsTests, j.testPackage, j.namedHelper} {
		if judge, err := is(f); judge || err != nil {
			return judge, err
		}
	}
	return false, nil
}

// optionLike reports whether a pattern of the gate's command could turn the name of a
// file into an option: "grep -L x *" with a file "--exclude=*". Folders count too: a command
// or script can be in the file's own.
func optionLike(p string) bool {
	return strings.HasPrefix(path.Base(p), "-") || strings.HasPrefix(p, "-")
}

// hasTests reports whether the base has tests in a language. A fixture of no language
// belongs to any.
func (d *Diff) hasTests(lang string) bool {
	tested := d.testedLanguages()
	return !d.Untested && (tested[lang] || lang == "" && len(tested) > 0)
}

// clear adds the files of the work that stand where a file that is put back needs a
// folder, or below it.
func (d *Diff) clear(aside map[string]proof.Edit) {
	needed := map[string]bool{}
	for p, e := range aside {
		if e.Mode == "" {
			continue
		}
		for dir := proof.DirOf(p); dir != "."; dir = proof.DirOf(dir) {
			needed[dir] = true
		}
	}
	for _, p := range d.changed {
		if _, here := d.After[p]; !here {
			continue
		}
		below := false
		for dir := proof.DirOf(p); dir != "." && !below; dir = proof.DirOf(dir) {
			below = aside[dir].Mode != ""
		}
		if _, already := aside[p]; !already && (needed[p] || below) {
			aside[p] = proof.Edit{Path: p}
		}
	}
}
