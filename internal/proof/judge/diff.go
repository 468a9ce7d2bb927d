package judge

import (
	"slices"

	"ralph/internal/proof"
)

// Diff is the first step of a judgement: the files of a case on both sides, and what can be told of
// them without its gate. The steps after it are those of judging.
type Diff struct {
	Case
	// Before and After are the files of the base and of the work, by their paths.
	Before, After map[string]proof.File
	// changed are the paths that differ, sorted.
	changed []string
	behind  behind
	// tested are the languages in which the base has tests, "" is that of fixtures; folders are
	// those of the base, own its modules of Python, roots those on Python's path, and stems its
	// files by their stems.
	tested, folders, own once[map[string]bool]
	roots                once[map[string]string]
	stems                once[map[string][]string]
	// imports are those of the base's tests of Python; crates and locals are packages of the tree.
	imports once[*imports]
	crates  once[[]crate]
	locals  once[*localPackages]
}

// once is a value that is found when it is first asked for.
type once[T any] struct{ value *T }

func (o *once[T]) get(find func() T) T {
	value, _ := o.try(func() (T, error) { return find(), nil })
	return value
}

func (o *once[T]) try(find func() (T, error)) (T, error) {
	if o.value != nil {
		return *o.value, nil
	}
	value, err := find()
	if err == nil {
		o.value = &value
	}
	return value, err
}

// Between is the difference of a base and a work, of which no gate is known.
func Between(before, after map[string]proof.File, content func(id string) ([]byte, error)) *Diff {
	return &Diff{Case: Case{Content: content}, Before: before, After: after}
}

// diff compares the files of a case.
func (c Case) diff() (d *Diff, err error) {
	d = &Diff{Case: c, Before: proof.Index(c.Base), After: proof.Index(c.Work)}
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
	d.behind, err = d.behindLinks()
	d.Untested = d.Untested && !d.reachesOthers()
	return d, err
}

// testedLanguages are the languages in which the base has tests.
func (d *Diff) testedLanguages() map[string]bool {
	return d.tested.get(func() map[string]bool {
		found := map[string]bool{}
		for p := range d.Before {
			if lang, test := d.isTest(p); test {
				found[lang] = true
			}
		}
		return found
	})
}

// baseHas reports whether the base has a file in a folder or below it.
func (d *Diff) baseHas(folder string) bool {
	return d.folders.get(func() map[string]bool {
		found := map[string]bool{}
		for p := range d.Before {
			for dir := proof.DirOf(p); dir != "." && !found[dir]; dir = proof.DirOf(dir) {
				found[dir] = true
			}
		}
		return found
	})[folder]
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
