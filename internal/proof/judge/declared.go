package judge

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
)

// Tests whose files have no test's name: the base's configuration makes them tests
// (python_files of pytest, testMatch of jest, spec of mocha, path of a [[test]] of cargo).
// They are known by what they define.

var (
	// definesTests match a test of a language where no function of a product has that form.
	definesTests = map[string]*lazyregexp.Regexp{
		"js":   lazyregexp.New(`(?m)^[ \t]*(?:describe|it|test|suite)(?:\.\w+)*\(\s*['"` + "`" + `]`),
		"rust": lazyregexp.New(`(?m)^#\[(?:\w+::)*test\b`),
	}
	// inSource matches a module of JavaScript that holds the product and its tests.
	inSource = lazyregexp.New(`\bimport\.meta\.vitest\b`)
	// pythonFiles, pythonFunctions and pythonClasses match the settings of pytest.
	pythonFiles  = lazyregexp.New(`(?m)^[ \t]*python_files\s*=[ \t]*(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)`)
	pythonNaming = lazyregexp.New(`(?m)^[ \t]*python_(?:functions|classes)\s*=[ \t]*(\[[^\]]*\]|.*(?:\n[ \t]+\S.*)*)`)
	settingWord  = lazyregexp.New(`[^\s,"'\[\]]+`)
)

// declares reports whether a file of the base holds tests of that kind and nothing of
// the product.
func (r *reach) declares(f proof.File) (bool, error) {
	lang := proof.LanguageOf(f.Path)
	if r.Untested || !proof.IsFile(f) || lang != "python" && definesTests[lang] == nil {
		return false, nil
	}
	if lang == "rust" && proof.Within(f.Path, func(name string) bool { return name == "src" }) {
		return r.isUnitModule(f.Path)
	}
	if lang == "python" && !r.collects(f.Path) {
		return false, nil
	}
	data, err := r.Content(f.ID)
	if err != nil || len(data) > longestScript {
		return false, err
	}
	if lang != "python" {
		return definesTests[lang].MatchString(string(data)) && !inSource.MatchString(string(data)), nil
	}
	tests, other := r.pythonTests(string(data))
	switch {
	case len(tests) == 0:
		return false, nil
	case !other || !r.collectsAll(f.Path):
		return true, nil
	case !r.importsProject(string(data)):
		return false, nil
	}
	product, err := r.imported(f.Path)
	return !product, err
}

// unitModule matches a module of unit tests in a file of its own.
var unitModule = lazyregexp.New(`(?m)^[ \t]*#\[cfg\((?:test|(?:all|any)\([^\]\n]*\btest\b[^\]\n]*\))\)\]\s*(?:#\[path\s*=\s*"([^"\n]+)"\]\s*|#\[[^\]\n]*\]\s*)*(?:pub(?:\([a-z]+\))? )?mod (\w+);`)

// isUnitModule reports whether a file of Rust is a module of unit tests: one beside or
// above it on the base declares it as such.
func (d *Diff) isUnitModule(p string) (bool, error) {
	files, more, err := d.reading(func(f proof.File) bool {
		dir := proof.DirOf(f.Path)
		return path.Ext(f.Path) == ".rs" && f.Path != p && (dir == "." || strings.HasPrefix(p, dir+"/"))
	})
	if err != nil {
		return false, err
	}
	for _, f := range files {
		dir := proof.DirOf(f.Path)
		data, err := d.Content(f.ID)
		if err != nil {
			return false, err
		}
		own := path.Join(dir, strings.TrimSuffix(path.Base(f.Path), ".rs"))
		for _, m := range unitModule.FindAllStringSubmatch(string(data), -1) {
			for _, folder := range []string{dir, own} {
				if p == path.Join(folder, m[2]+".rs") || p == path.Join(folder, m[2], "mod.rs") || m[1] != "" && p == path.Join(folder, m[1]) {
					return true, nil
				}
			}
		}
	}
	return more, nil
}

// readPytest reads which files and functions pytest collects, from the configuration of
// the base.
func (r *reach) readPytest(text string) {
	if !strings.Contains(text, "pytest") {
		return
	}
	for _, m := range pythonFiles.FindAllStringSubmatch(text, -1) {
		r.pythonGlobs = append(r.pythonGlobs, settingWord.FindAllString(m[1], -1)...)
	}
	for _, m := range pythonNaming.FindAllStringSubmatch(text, -1) {
		r.pythonNames = append(r.pythonNames, settingWord.FindAllString(m[1], -1)...)
	}
}

// collects reports whether a setting python_files of the base names a file.
func (r *reach) collects(p string) bool {
	return slices.ContainsFunc(r.pythonGlobs, func(glob string) bool {
		if ok, err := path.Match(path.Base(glob), path.Base(p)); err != nil || !ok {
			return false
		}
		return !strings.Contains(glob, "/") || strings.Contains(p, strings.Trim(path.Dir(glob), "*/"))
	})
}

// collectsAll reports whether pytest looks for tests in every file, so that the name of
// this one does not tell it from the product.
func (r *reach) collectsAll(p string) bool {
	for _, glob := range r.pythonGlobs {
		if base := path.Base(glob); strings.Trim(strings.TrimSuffix(base, ".py"), "*?") == "" && r.collects(p) {
			return true
		}
	}
	return false
}

// pythonTests are the functions and classes of a module that pytest collects, by name,
// with their decorators. other: it defines more than these.
func (r *reach) pythonTests(source string) (tests map[string]string, other bool) {
	tests = map[string]string{}
	lines := strings.SplitAfter(source, "\n")
	from := -1 // where a definition begins
	name := ""
	end := func(at int) {
		switch {
		case name == "":
		case r.isPythonTest(name):
			tests[name] = strings.TrimRight(strings.Join(lines[from:at], ""), "\n")
		case !strings.HasPrefix(name, "_"):
			other = true
		}
		from, name = -1, ""
	}
	for i, line := range lines {
		if line == "" || strings.ContainsAny(line[:1], " \t\n\r#)]}") {
			continue
		}
		if name != "" || from >= 0 && line[0] != '@' && !syntax.PythonDef.MatchString(line) {
			end(i)
		}
		if from < 0 {
			from = i
		}
		if m := syntax.PythonDef.FindStringSubmatch(line); m != nil {
			name = m[1]
		} else if line[0] != '@' {
			from = -1
		}
	}
	end(len(lines))
	return tests, other
}

func (r *reach) isPythonTest(name string) bool {
	return strings.HasPrefix(name, "test") || strings.HasPrefix(name, "Test") || slices.ContainsFunc(r.pythonNames, func(n string) bool {
		ok, err := path.Match(n, name)
		return err == nil && ok || !strings.ContainsAny(n, "*?") && strings.HasPrefix(name, n)
	})
}

// importsProject reports whether a source of Python imports modules of the base: tests import
// what they test.
func (d *Diff) importsProject(source string) bool {
	own := d.OwnModules()
	return slices.ContainsFunc(syntax.PythonBindings(source), func(b syntax.Binding) bool {
		return strings.HasPrefix(b.Module, ".") || own[syntax.Before(b.Module, ".")]
	})
}

// imported reports whether another file of the base imports a module: then it is, or
// has, the product.
func (d *Diff) imported(p string) (bool, error) {
	module := regexp.QuoteMeta(strings.TrimSuffix(path.Base(p), ".py"))
	imports := regexp.MustCompile(`(?m)^[ \t]*(?:from[ \t]+[\w.]*\b` + module + `[ \t]+import|import[ \t].*\b` + module + `\b|from[ \t]+[\w.]+[ \t]+import[ \t].*\b` + module + `\b)`)
	files, _, err := d.reading(func(f proof.File) bool { return f.Path != p && proof.LanguageOf(f.Path) == "python" })
	if err != nil {
		return false, err
	}
	for _, f := range files {
		if data, err := d.Content(f.ID); err != nil || imports.Match(data) {
			return err == nil, err
		}
	}
	return false, nil
}

// mergePythonTests adds the tests of a module that the work changed or removed to its
// end, as they are on the base: the last definition of a name counts.
func (r *reach) mergePythonTests(base, work string) (merged string, same bool) {
	old, _ := r.pythonTests(syntax.InLines("python", []byte(base)))
	now, _ := r.pythonTests(syntax.InLines("python", []byte(work)))
	merged, same = strings.TrimRight(work, "\n")+"\n", true
	for _, name := range slices.Sorted(maps.Keys(old)) {
		if now[name] != old[name] {
			merged, same = merged+"\n\n"+old[name]+"\n", false
		}
	}
	if same {
		return work, true
	}
	return merged, false
}

// productMerger returns how a changed source is merged that is the product and has tests
// in it; nil where it has none that run.
func (j *judging) productMerger(p string) (manifest.Merger, error) {
	if proof.LanguageOf(p) != "python" || !proof.IsFile(j.Before[p]) || j.Before[p].ID == "" || !proof.IsFile(j.After[p]) || j.After[p].ID == "" {
		return nil, nil
	}
	runs, err := j.runsDoctests()
	collects := j.collects(p)
	if err != nil || !runs && !collects {
		return nil, err
	}
	return func(base, work []byte) ([]byte, bool, bool) {
		merged, same := work, true
		if runs {
			merged, same = mergeDocstrings(base, work)
		}
		if collects {
			text, unchanged := j.mergePythonTests(string(base), string(merged))
			merged, same = []byte(text), same && unchanged
		}
		return merged, same, true
	}, nil
}
