package judge

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/proof/syntax"
)

// A package of the tree can stand behind the name of a library: by replace in go.mod, overrides
// and workspaces of npm, sources of uv, paths of poetry. One that only tests use helps them.
// helpsTests does the same for crates of Rust.

// localPackage is a package of the tree on the base.
type localPackage struct {
	lang, dir string
	// names are those by which others import it: modules in Python.
	names []string
	// called is the name by which manifests of Python need it, or "".
	called string
}

// localPackages are the packages of the tree, and by name whether a manifest needs one for
// tests and development alone (true) or for more (false); read once.
type localPackages struct {
	all            []localPackage
	forDevelopment map[string]bool
}

// needs notes that a manifest names a package, for development or for more.
func (l *localPackages) needs(name string, development bool) {
	was, known := l.forDevelopment[name]
	l.forDevelopment[name] = development && (was || !known)
}

func (d *Diff) packagesOfTree() (*localPackages, error) { return d.locals.try(d.findPackages) }

func (d *Diff) findPackages() (*localPackages, error) {
	l := &localPackages{forDevelopment: map[string]bool{}}
	files, _, err := d.reading(func(f proof.File) bool {
		_, test := d.isTest(f.Path)
		return !test && slices.Contains([]string{"go.mod", "package.json", "pyproject.toml"}, path.Base(f.Path))
	})
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		switch dir := proof.DirOf(f.Path); path.Base(f.Path) {
		case "go.mod":
			l.readGo(dir, string(data))
		case "package.json":
			l.readNode(dir, data)
		default:
			l.readPython(dir, data, d.modulesIn)
		}
	}
	return l, nil
}

func (l *localPackages) readGo(dir, text string) {
	for _, s := range manifest.GoStatements(text) {
		w := strings.Fields(s)
		if len(w) == 2 && w[0] == "module" {
			l.all = append(l.all, localPackage{lang: "go", dir: dir, names: w[1:]})
		} else if to := slices.Index(w, "=>"); w[0] == "replace" && to > 1 && to+1 < len(w) && strings.HasPrefix(w[to+1], ".") {
			l.all = append(l.all, localPackage{lang: "go", dir: path.Join(dir, w[to+1]), names: w[1:2]})
		}
	}
}

func (l *localPackages) readNode(dir string, data []byte) {
	var m map[string]json.RawMessage
	if json.Unmarshal(data, &m) != nil {
		return
	}
	var name string
	if json.Unmarshal(m["name"], &name) == nil && name != "" {
		l.all = append(l.all, localPackage{lang: "js", dir: dir, names: []string{name}})
	}
	for _, key := range slices.Concat(manifest.NpmDependencies, []string{"overrides", "resolutions"}) {
		var section map[string]any
		_ = json.Unmarshal(m[key], &section)
		for name, v := range section {
			version, _ := v.(string)
			if key != "overrides" && key != "resolutions" {
				l.needs("js "+name, key == "devDependencies")
			}
			for _, kind := range []string{"file:", "link:", "portal:"} {
				if at, local := strings.CutPrefix(version, kind); local {
					l.all = append(l.all, localPackage{lang: "js", dir: path.Join(dir, at), names: []string{strings.TrimPrefix(name, "**/")}})
				}
			}
		}
	}
}

// readPython reads a pyproject.toml; modules are those of a project in a folder.
func (l *localPackages) readPython(dir string, data []byte, modules func(dir string) []string) {
	var t manifest.Table
	if toml.Unmarshal(data, &t) != nil {
		return
	}
	l.all = append(l.all, localPackage{lang: "python", dir: dir, names: modules(dir)})
	located := func(name string, source any) {
		if where, is := source.(manifest.Table); is {
			if to, local := where["path"].(string); local {
				l.all = append(l.all, localPackage{"python", path.Join(dir, to), modules(path.Join(dir, to)), name})
			}
		}
	}
	for _, keys := range manifest.PyDependencies {
		had := manifest.Table{}
		manifest.ListDependencies(manifest.At(t, keys), had)
		runs := slices.Equal(keys, []string{"project", "dependencies"}) || slices.Equal(keys, []string{"tool", "poetry", "dependencies"})
		for name, source := range had {
			l.needs("python "+manifest.RequirementName(name), !runs)
			located(name, source)
		}
	}
	for _, sources := range manifest.At(t, []string{"tool", "uv", "sources"}) {
		all, _ := sources.(manifest.Table)
		for name, source := range all {
			located(name, source)
		}
	}
}

// modulesIn are the modules of Python that a project in a folder has.
func (d *Diff) modulesIn(dir string) (modules []string) {
	for p := range d.Before {
		for _, root := range []string{dir, path.Join(dir, "src")} {
			rest, inside := strings.CutPrefix(p, strings.TrimPrefix(root+"/", "./"))
			if name, _, _ := strings.Cut(strings.TrimSuffix(rest, ".py"), "/"); inside && proof.LanguageOf(p) == "python" && (rest == name+".py" || rest == name+"/__init__.py") {
				modules = append(modules, name)
			}
		}
	}
	return modules
}

// testPackage reports whether a source of the base belongs to a package of the tree that helps
// tests: those of other packages with sources of their own import it, no source of the
// product does, manifests need it for development alone, and it has no tests itself, unless
// its name is one of a helper.
func (d *Diff) testPackage(f proof.File) (bool, error) {
	lang := proof.LanguageOf(f.Path)
	if lang != "go" && lang != "js" && lang != "python" || !proof.IsFile(f) || !d.hasTests(lang) {
		return false, nil
	}
	l, err := d.packagesOfTree()
	if err != nil {
		return false, err
	}
	dir, names, called, others := ".", []string(nil), []string(nil), []string(nil)
	for _, p := range l.all {
		switch inside := p.lang == lang && strings.HasPrefix(f.Path, p.dir+"/"); {
		case inside && len(p.dir) > len(dir):
			dir, names, called = p.dir, p.names, []string{p.called}
		case inside && p.dir == dir:
			names, called = append(slices.Clone(names), p.names...), append(called, p.called)
		case p.lang == lang:
			others = append(others, p.dir)
		}
	}
	if dir == "." || len(names) == 0 || lang != "go" && !l.onlyForTests(lang, dir, slices.Concat(names, called)) {
		return false, nil
	}
	return d.onlyTestsUse(lang, dir, names, others)
}

// onlyForTests reports whether manifests name a package for development alone.
func (l *localPackages) onlyForTests(lang, dir string, names []string) bool {
	named := false
	for _, name := range append([]string{path.Base(dir)}, names...) {
		if lang == "python" {
			name = manifest.RequirementName(name)
		}
		if name == "" {
			continue
		}
		development, known := l.forDevelopment[lang+" "+name]
		if known && !development {
			return false
		}
		named = named || known
	}
	return named
}

// onlyTestsUse reports whether tests of other packages use a package, and no source of the
// product does.
func (d *Diff) onlyTestsUse(lang, dir string, names, others []string) (bool, error) {
	used, helper := false, helperName.MatchString(strings.ToLower(path.Base(dir)))
	sources, more, err := d.readingMost(mostUsers, func(q proof.File) bool { return proof.LanguageOf(q.Path) == lang })
	if err != nil || more {
		return false, err
	}
	for _, q := range sources {
		_, test := d.isTest(q.Path)
		own, inside := strings.CutPrefix(q.Path, dir+"/")
		if inside {
			if _, itself := proof.IsTest(own); itself && !helper {
				return false, nil
			}
			continue
		}
		data, err := d.Content(q.ID)
		switch {
		case err != nil:
			return false, err
		case !importsPackage(lang, string(data), names):
		case !test && !proof.IsConfig(q.Path):
			return false, nil
		default:
			used = used || d.hasProduct(lang, dir, homeOf(q.Path, append(others, ".")), others)
		}
	}
	return used, nil
}

// homeOf is the folder of the innermost package that holds a file.
func homeOf(p string, dirs []string) (home string) {
	for _, dir := range dirs {
		if (dir == "." || strings.HasPrefix(p, dir+"/")) && (home == "" || len(dir) > len(home) || home == ".") {
			home = dir
		}
	}
	return home
}

// hasProduct reports whether a package has sources that are no tests, outside of another one. A
// project of Python must have modules: the root of many packages, which only lists them for
// development, has other sources, such as docs/conf.py.
func (d *Diff) hasProduct(lang, but, home string, dirs []string) bool {
	if lang == "python" {
		return d.hasModules(home)
	}
	return slices.ContainsFunc(d.Base, func(f proof.File) bool {
		_, test := d.isTest(f.Path)
		return proof.LanguageOf(f.Path) == lang && !test && !proof.IsConfig(f.Path) && !strings.HasPrefix(f.Path, but+"/") && homeOf(f.Path, append(dirs, ".")) == home
	})
}

func (d *Diff) hasModules(home string) bool {
	return slices.ContainsFunc(d.modulesIn(home), func(name string) bool {
		_, folder := d.isTest(path.Join(name, "__init__.py"))
		_, test := d.isTest(name + ".py")
		return !folder && !test && !proof.IsConfig(name+".py")
	})
}

// importsPackage reports whether a source imports one of some packages or a part of it.
func importsPackage(lang, text string, names []string) bool {
	is := func(module, separator string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return module == name || strings.HasPrefix(module, name+separator) })
	}
	if lang == "python" {
		return slices.ContainsFunc(syntax.PythonBindings(text), func(b syntax.Binding) bool { return is(b.Module, ".") })
	}
	return slices.ContainsFunc(specifier.FindAllStringSubmatch(text, -1), func(m []string) bool { return is(m[1], "/") })
}
