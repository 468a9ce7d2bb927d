package judge

import (
	"path"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/addition"
	"ralph/internal/proof/syntax"
)

// onlyAdds reports whether the work left the tests of a file as they are and added
// others at its end or between them, with the imports that they need. Like a new file of tests it
// takes nothing from what the base's tests find. So it is with unit tests of Rust in a file of
// the product, and with fixtures that only new tests can ask for. A hard gate of
// coverage counts the tests of the work, so that a person should see which files they are in.
func (j *judging) onlyAdds(p string) (bool, error) {
	was, now := j.Before[p], j.After[p]
	if j.Gate.Kind == loop.KindCoverage && j.Gate.Level != loop.Soft || proof.IsConfig(p) && path.Base(p) != "conftest.py" || proof.LanguageOf(p) == "" || j.protects(p) || was.ID == "" || now.ID == "" || was.Mode != now.Mode || !proof.IsFile(now) {
		return false, nil
	}
	_, test := j.isTest(p)
	if !test && path.Ext(p) != ".rs" {
		return false, nil
	}
	base, err := j.Content(was.ID)
	if err != nil {
		return false, err
	}
	work, err := j.Content(now.ID)
	if err != nil {
		return false, err
	}
	switch {
	case path.Base(p) == "conftest.py":
		return j.addsFixtures(p, base, work), nil
	case test:
		return addition.Only(p, base, work), nil
	}
	if addition.BringsOddEnds(base, work) {
		return false, nil
	}
	m, err := j.mergerOf(p)
	return m != nil && addsUnitTests(string(base), string(work)), err
}

// addsUnitTests reports whether a file of Rust, whose examples are as they were, has the
// unit tests of an earlier version, and only others at the end of their modules.
func addsUnitTests(base, work string) bool {
	now := syntax.UnitModules(work)
	for name, module := range syntax.UnitModules(base) {
		if now[name] != module && !addition.AtEnd("rust", strings.Split(module, "\n"), strings.Split(now[name], "\n")) {
			return false
		}
	}
	_, documented := mergeRustDocs(base, work)
	return documented
}
