package gate

import "path"

// family is a set of file names that configure the same program in one folder.
type family struct {
	// restored are patterns of names; shared hold the same configuration among
	// other things and are only a sign that the base has some.
	restored, shared []string
	// everywhere: the program reads such files in every folder.
	everywhere bool
}

func makefiles() family {
	return family{restored: []string{"Makefile", "makefile", "GNUmakefile"}}
}

// families says what a program reads without being told. conftest.py is among
// pytest's: it is code that can turn every failure into a pass.
func families(name string, args []string) []family {
	one := func(restored ...string) []family { return []family{{restored: restored}} }
	switch name {
	case "make", "gmake":
		return []family{makefiles()}
	case "pytest", "py.test":
		return pytestFiles()
	case "tox", "nox":
		return append(pytestFiles(), family{restored: []string{"noxfile.py"}})
	case "npm", "yarn", "pnpm", "bun", "jest", "vitest", "mocha", "karma", "ava", "nyc", "c8", "playwright", "cypress":
		return scriptFiles()
	case "phpunit", "composer":
		return one("phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml")
	case "rspec", "rake":
		return one(".rspec", "Rakefile")
	case "just":
		return one("justfile", "Justfile", ".justfile")
	case "task":
		return one("Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml")
	case "golangci-lint":
		return one(".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json")
	case "eslint":
		return one("eslint.config.*", ".eslintrc", ".eslintrc.*", ".eslintignore")
	case "tsc":
		return one("tsconfig.json")
	case "ruff":
		return one("ruff.toml", ".ruff.toml")
	case "flake8":
		return one(".flake8", "tox.ini", "setup.cfg")
	case "mypy":
		return one("mypy.ini", ".mypy.ini", "setup.cfg")
	case "cargo":
		if first(args) == "clippy" {
			return one("clippy.toml", ".clippy.toml")
		}
		return one("nextest.toml")
	}
	return nil
}

func pytestFiles() []family {
	return []family{
		{restored: []string{"pytest.ini", ".pytest.ini", "tox.ini", "setup.cfg"}, shared: []string{"pyproject.toml"}},
		{restored: []string{"conftest.py"}, everywhere: true},
	}
}

func scriptFiles() []family {
	out := []family{{restored: []string{".npmrc", ".yarnrc", ".yarnrc.yml"}}}
	for _, tool := range []string{"jest", "karma", "ava", "playwright", "cypress"} {
		f := family{restored: []string{tool + ".config.*"}}
		if tool == "karma" {
			f.restored = []string{"karma.conf.*"}
		}
		out = append(out, f)
	}
	return append(out,
		family{restored: []string{"vitest.config.*", "vitest.workspace.*"}, shared: []string{"vite.config.*"}},
		family{restored: []string{".mocharc.*", "mocha.opts", "test/mocha.opts"}},
		family{restored: []string{".nycrc", ".nycrc.*", ".c8rc.json", "nyc.config.*"}},
	)
}

// family adds the names of a family in a folder where the base has one of it.
func (n *naming) family(dir string, f family) {
	has := false
	for _, p := range append(append([]string{}, f.restored...), f.shared...) {
		has = has || len(n.matching(dir, p)) > 0
	}
	if !has {
		return
	}
	for _, p := range f.restored {
		n.config[join(pattern(dir), p)] = true
	}
}

// anywhere adds the files of such names in all folders.
func (n *naming) anywhere(f family) {
	for name := range n.files {
		for _, p := range f.restored {
			if ok, _ := path.Match(p, path.Base(name)); ok {
				n.out[name] = true
			}
		}
	}
}

func (n *naming) matching(dir, p string) (found []string) {
	for name := range n.files {
		if ok, _ := path.Match(join(pattern(dir), p), name); ok {
			found = append(found, name)
		}
	}
	return found
}

func join(dir, name string) string {
	if dir == "." || dir == "" {
		return name
	}
	return dir + "/" + name
}
