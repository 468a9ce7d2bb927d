package judge

import (
	"path"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
)

// mergeRust returns the work's file with the modules of unit tests, single tests and
// examples of documentation that the base has in it as they are there: the file is the
// product, and these judge it. same: they are unchanged. What the work adds stays.
func mergeRust(base, work []byte) (merged []byte, same, ok bool) {
	old, now := syntax.UnitModules(string(base)), syntax.UnitModules(string(work))
	out, same := string(work), true
	for name, text := range old {
		switch have, still := now[name]; {
		case have == text:
		case still:
			out, same = strings.Replace(out, have, text, 1), false
		default:
			out, same = strings.TrimRight(out, "\n")+"\n\n"+text+"\n", false
		}
	}
	out, documented := mergeRustDocs(string(base), out)
	return []byte(out), same && documented, true
}

// mergerOf returns how a changed file is merged that is not a judge as a whole.
func (j *judging) mergerOf(p string) (manifest.Merger, error) {
	if path.Ext(p) == ".rs" {
		if _, test := proof.IsTest(p); !test && proof.IsFile(j.Before[p]) && j.Before[p].ID != "" && proof.IsFile(j.After[p]) && j.After[p].ID != "" {
			for _, is := range []func(proof.File) (bool, error){j.declares, j.checks, j.helpsTests} {
				if whole, err := is(j.Before[p]); whole || j.named[p] || err != nil {
					return nil, err
				}
			}
			return mergeRust, nil
		}
	}
	if _, had := j.Before[p]; !had && path.Base(p) == "package.json" && manifest.Of(p) != nil && j.hasScriptsBelow(proof.DirOf(p)) {
		return manifest.MergeAddedPackage(p), nil
	}
	if path.Base(p) == "package.json" && manifest.Of(p) != nil {
		if _, had := j.Before[p]; !had {
			return j.mergeNewPackage()
		}
		return j.mergePackageOf(p), nil
	}
	if _, test := proof.IsTest(p); IsMakefile(p) && !test && proof.IsFile(j.After[p]) && j.After[p].ID != "" {
		if j.Before[p].ID == "" || proof.IsFile(j.Before[p]) {
			return j.mergerOfMakefile(p)
		}
	}
	if _, test := proof.IsTest(p); path.Base(p) == "go.work" && !test && j.Before[p].ID != "" {
		return j.mergeGoWork(p)
	}
	if path.Base(p) == "pyproject.toml" && manifest.Of(p) != nil {
		return j.mergerOfPyproject(p)
	}
	if _, had := j.Before[p]; had && path.Base(p) == "Cargo.toml" && manifest.Of(p) != nil {
		free, err := j.freeTOML(p)
		return manifest.MergeCargoWith(free), err
	}
	return manifest.Of(p), nil
}

// hasScriptsBelow reports whether the base has sources of JavaScript in a folder or
// below it.
func (d *Diff) hasScriptsBelow(dir string) bool {
	for p := range d.Before {
		if proof.LanguageOf(p) == "js" && (dir == "." || strings.HasPrefix(p, dir+"/")) {
			return true
		}
	}
	return false
}

// mergerOfPyproject: the settings of linters judge where the gate may run one.
func (j *judging) mergerOfPyproject(p string) (manifest.Merger, error) {
	free, err := j.freeTOML(p)
	if err != nil {
		return nil, err
	}
	if j.mayLint() {
		return manifest.MergePyprojectWith(free, nil), nil
	}
	return manifest.MergePyprojectWith(free, pyLinters), nil
}
