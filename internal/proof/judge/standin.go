package judge

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
	"ralph/internal/text/shell"
)

// standIn returns a file with one test that passes, for a new file of tests that the
// gate's command names: without such a file the gate could not run, although the person
// who wrote the command asked for it, and it would say nothing about the base's judges.
// So has one in a new folder: a script can run the tests of each package, and many runners
// fail where there are none. A file that could be loaded in place of another one has none.
func (j *judging) standIn(p string) ([]byte, error) {
	inside, named := j.commandNames(p)
	if !named && !j.inNewFolder(p) || !j.isNewTest(p) {
		return nil, nil
	}
	if err := j.follow(); err != nil || j.shadows(p) {
		return nil, err
	}
	if !named {
		if alone, err := j.loadedAlone(p); err != nil || !alone {
			return nil, err
		}
	}
	if replaces, err := j.replacesJudge(p); err != nil || replaces {
		return nil, err
	}
	work, err := j.Content(j.After[p].ID)
	if err != nil || work == nil {
		return nil, err
	}
	return passing(p, string(work), inside), nil
}

// inNewFolder reports whether a file is in a folder in which the base has nothing, in a
// language whose runners fail where they find no tests.
func (d *Diff) inNewFolder(p string) bool {
	lang := proof.LanguageOf(p)
	return lang != "go" && lang != "rust" && slices.Contains(standIns, lang) && proof.DirOf(p) != "." && !d.baseHas(proof.DirOf(p))
}

// loadedAlone reports whether a test in a new folder loads nothing of the work that tests of
// the base could get to see: for a test of Python, its packages run, and the folder of the
// outermost one comes first where modules are looked for.
func (d *Diff) loadedAlone(p string) (bool, error) {
	if proof.LanguageOf(p) != "python" {
		return true, nil
	}
	known, err := d.importedNames()
	if err != nil || known == nil {
		return false, err
	}
	for q, f := range d.After {
		if _, had := d.Before[q]; had || proof.LanguageOf(q) != "python" || d.isNewTest(q) {
			continue
		}
		text, err := d.Content(f.ID)
		if err != nil {
			return false, err
		}
		if path.Base(q) == "__init__.py" && strings.HasPrefix(p, proof.DirOf(q)+"/") && strings.TrimSpace(string(text)) != "" {
			return false, nil
		}
		for at := q; at != "." && !d.baseHas(at); at = proof.DirOf(at) {
			if known[strings.TrimSuffix(path.Base(at), ".py")] {
				return false, nil
			}
		}
	}
	return true, nil
}

// importedNames are the names of modules that sources of Python on the base have or import;
// nil where these are more than are read.
func (d *Diff) importedNames() (map[string]bool, error) {
	sources, more, err := d.reading(func(f proof.File) bool { return proof.LanguageOf(f.Path) == "python" })
	if err != nil || more {
		return nil, err
	}
	found := imports{any: maps.Clone(d.OwnModules()), first: map[string][]string{}}
	for _, f := range sources {
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		found.add(f.Path, string(data))
	}
	return found.any, nil
}

// emptyPackages sets aside what runs as a stand-in of Python is loaded: the __init__.py of the
// new packages that it is in. It could change what tests of the base see that the same
// command names.
func (j *judging) emptyPackages(aside map[string]proof.Edit) error {
	for _, p := range slices.Collect(maps.Keys(aside)) {
		if proof.LanguageOf(p) != "python" || aside[p].Mode != "" {
			continue
		}
		if data, err := j.standIn(p); err != nil || data == nil {
			if err != nil {
				return err
			}
			continue
		}
		for dir := proof.DirOf(p); dir != "."; dir = proof.DirOf(dir) {
			init := path.Join(dir, "__init__.py")
			f, here := j.After[init]
			if _, had := j.Before[init]; had || !here || !proof.IsFile(f) || j.Permits(init) {
				continue
			}
			text, err := j.Content(f.ID)
			if err != nil {
				return err
			}
			if strings.TrimSpace(string(text)) != "" || text == nil {
				aside[init] = proof.Edit{Path: init, Mode: f.Mode, Data: []byte("\n")}
			}
		}
	}
	return nil
}

// standIns are the languages that passing knows.
var standIns = []string{"go", "js", "php", "python", "ruby", "rust"}

// passing is a test that passes, in the language of a file of tests; nil where there is
// none. inside are the parts of the name of a test of Python in it: a function, or a class
// and a method.
func passing(p, work string, inside []string) []byte {
	name := strings.TrimSuffix(path.Base(p), path.Ext(p))
	switch proof.LanguageOf(p) {
	case "go":
		m := syntax.GoPackage.FindStringSubmatch(work)
		if m == nil || strings.Contains(work, "//go:build") {
			return nil
		}
		return fmt.Appendf(nil, "package %s\n\nimport \"testing\"\n\nfunc TestStandIn(t *testing.T) {}\n", m[1])
	case "python":
		return passingPython(inside)
	case "js":
		if syntax.ImportsScript(work, "vitest") {
			return []byte("import { test } from \"vitest\";\n\ntest(\"stand-in\", () => {});\n")
		}
		return []byte("// @ts-nocheck\n(globalThis.test || globalThis.it || (() => {}))(\"stand-in\", () => {});\n")
	case "rust":
		return []byte("#[test]\nfn stand_in() {}\n")
	case "ruby":
		return []byte("RSpec.describe(\"stand-in\") { it(\"passes\") {} }\n")
	case "php":
		return fmt.Appendf(nil, "<?php\nfinal class %s extends \\PHPUnit\\Framework\\TestCase {\n    public function testNothing(): void { $this->addToAssertionCount(1); }\n}\n", name)
	}
	return nil
}

func passingPython(inside []string) []byte {
	class, method := "TestStandIn", "test_nothing"
	switch {
	case len(inside) == 1 && strings.HasPrefix(inside[0], "test"):
		return fmt.Appendf(nil, "def %s():\n    pass\n", inside[0])
	case len(inside) > 1:
		method = inside[1]
		fallthrough
	case len(inside) > 0:
		class = inside[0]
	}
	return fmt.Appendf(nil, "import unittest\n\n\nclass %s(unittest.TestCase):\n    def %s(self):\n        pass\n", class, method)
}

// commandNames reports whether the gate's command itself names a new file of tests: by
// its path, as a module of Python, by a part of its name as runners of JavaScript take
// it, or by a folder in which the base has nothing; inside are the parts of the name of
// a test in it, of Python.
func (d *Diff) commandNames(p string) (inside []string, named bool) {
	if !slices.Contains(standIns, proof.LanguageOf(p)) {
		return nil, false
	}
	return d.anyNames(shell.Split(d.Gate.Run), d.gateDir(), p)
}

func (d *Diff) anyNames(all []shell.Command, in, p string) (inside []string, named bool) {
	for _, c := range all {
		dir := path.Join(in, c.Dir)
		for i, w := range c.Words {
			switch {
			case i == 0 || strings.HasPrefix(w, "/") || namesScript(c.Words, i):
				continue
			case c.Words[i-1] == "-c" && isShell(c.Words[0]):
				inside, named = d.anyNames(shell.Split(w), dir, p)
			default:
				inside, named = d.wordNames(dir, w, p)
			}
			if named {
				return inside, true
			}
		}
	}
	return nil, false
}

// namesScript reports whether a word is the subcommand of a package manager or the script
// that it runs, as in "npm test" and "yarn run test:unit": it names no file.
func namesScript(words []string, i int) bool {
	manager := slices.Contains([]string{"npm", "pnpm", "yarn", "bun", "deno"}, path.Base(words[0]))
	return manager && (i == 1 || i == 2 && slices.Contains([]string{"run", "run-script", "task"}, words[1]))
}

// pythonName is a name in Python.
var pythonName = lazyregexp.New(`^[A-Za-z_]\w*$`)

func (d *Diff) wordNames(dir, w, p string) (inside []string, named bool) {
	if _, value, ok := strings.Cut(w, "="); ok {
		w = value
	}
	w, rest, _ := strings.Cut(w, "::")
	w = strings.TrimSuffix(w, "/...")
	switch proof.LanguageOf(p) {
	case "python":
		if rest != "" {
			inside = strings.Split(rest, "::")
		}
		if after, ok := strings.CutPrefix(w, strings.ReplaceAll(strings.TrimSuffix(relative(dir, p), ".py"), "/", ".")); ok && (after == "" || after[0] == '.') && after != ".py" {
			if after != "" {
				inside = strings.Split(after[1:], ".")
			}
			named = true
		}
	case "js":
		named = len(w) > 2 && !strings.HasPrefix(w, "-") && strings.Contains(path.Base(p), w)
	}
	folder := path.Join(dir, w)
	named = named || folder == p || folder != "." && strings.HasPrefix(p, folder+"/") && !d.baseHas(folder)
	if !named || slices.ContainsFunc(inside, func(part string) bool { return !pythonName.MatchString(part) }) {
		return nil, named
	}
	return inside, named
}

// relative is a path as it is called in a folder that holds it.
func relative(dir, p string) string { return strings.TrimPrefix(p, strings.TrimPrefix(dir+"/", "./")) }
