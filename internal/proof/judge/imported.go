package judge

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/ratchet"
	"ralph/internal/proof/syntax"
)

var (
	// pythonImport matches an import with its indentation, and its modules.
	pythonImport = lazyregexp.New(`(?m)^([ \t]*)(?:from[ \t]+([A-Za-z_]\w*)|import[ \t]+([A-Za-z_][\w.]*(?:[ \t]+as[ \t]+\w+)?(?:[ \t]*,[ \t]*[A-Za-z_][\w.]*(?:[ \t]+as[ \t]+\w+)?)*))`)
	// importByName matches an import by a function, and its module.
	importByName = lazyregexp.New(`\b(?:import_module|importorskip|__import__)\(\s*["'](\w+)`)
)

// imports are the modules that tests of the base import and that are no files of it.
type imports struct {
	any map[string]bool
	// first are those that a file imports at its beginning, so that its tests cannot run
	// without, with these files.
	first map[string][]string
}

// testImports reads the imports of the base's tests of Python once.
func (d *Diff) testImports() (*imports, error) { return d.imports.try(d.findImports) }

func (d *Diff) findImports() (*imports, error) {
	tests, _, err := d.reading(func(f proof.File) bool {
		_, test := d.isTest(f.Path)
		return proof.LanguageOf(f.Path) == "python" && test
	})
	if err != nil {
		return nil, err
	}
	found := &imports{any: map[string]bool{}, first: map[string][]string{}}
	for _, f := range tests {
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		found.add(f.Path, string(data))
	}
	for name := range d.OwnModules() {
		delete(found.any, name)
		delete(found.first, name)
	}
	return found, nil
}

func (i *imports) add(p, source string) {
	for _, m := range importByName.FindAllStringSubmatch(source, -1) {
		i.any[m[1]] = true
	}
	for _, m := range pythonImport.FindAllStringSubmatch(source, -1) {
		names := []string{m[2]}
		if m[2] == "" {
			names = strings.Split(m[3], ",")
		}
		for _, one := range names {
			name := syntax.Before(syntax.Before(strings.TrimSpace(one), " "), ".")
			i.any[name] = true
			if m[1] == "" {
				i.first[name] = append(i.first[name], p)
			}
		}
	}
}

// OwnModules are the names by which the base's own modules of Python can be imported:
// that of the outermost package, and of every folder above that is none.
func (d *Diff) OwnModules() map[string]bool {
	return d.own.get(d.findOwn)
}

func (d *Diff) findOwn() map[string]bool {
	own := map[string]bool{}
	for p := range d.Before {
		if proof.LanguageOf(p) != "python" {
			continue
		}
		own[topModule(p, d.Before)] = true
		for dir := proof.DirOf(p); dir != "."; dir = proof.DirOf(dir) {
			if _, pkg := d.Before[path.Join(dir, "__init__.py")]; !pkg {
				own[path.Base(dir)] = true
			}
		}
	}
	return own
}

// ranIn reports whether a test of a file of Python ran: pytest names it
// tests/test_a.py::test_b, unittest tests.test_a.Class.test_b, from a folder above it.
// The runners have other names for a file that they could not import.
func ranIn(p string, names ratchet.Names) bool {
	dotted := strings.ReplaceAll(strings.TrimSuffix(p, ".py"), "/", ".")
	for _, t := range names {
		if file, _, ok := strings.Cut(t.Name, "::"); ok {
			if file == p || strings.HasSuffix(p, "/"+file) {
				return true
			}
			continue
		}
		for module := dotted; module != ""; {
			if strings.HasPrefix(t.Name, module+".") {
				return true
			}
			_, module, _ = strings.Cut(module, ".")
		}
	}
	return false
}
