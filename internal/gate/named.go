package gate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text/shell"
)

// NamedFiles returns those of the given files (paths below the root, as git lists
// the base) that decide what the gate's command does: the scripts and files that
// it names, the Makefile of make, and the configuration of a known test runner.
// Restoring them from the base keeps an agent from editing its own judge. They
// are returned as path patterns: special characters are escaped.
//
// Configuration comes in families, since a new pytest.ini overrides the existing
// tox.ini. Where the base has any member of a family in a folder, all of its
// names there are returned, also those that do not exist. A base without
// configuration leaves the agent free to add one. package.json holds dependencies
// too and is left to RestoreScripts.
func NamedFiles(g loop.Gate, files []string) []string {
	n := naming{dir: path.Join(".", g.Dir), files: map[string]bool{}, out: map[string]bool{}, config: map[string]bool{}}
	for _, f := range files {
		n.files[path.Clean(f)] = true
	}
	for _, c := range shell.Split(g.Run) {
		n.command(c)
	}
	for f := range n.out {
		n.config[pattern(f)] = true
	}
	return slices.Sorted(maps.Keys(n.config))
}

func pattern(name string) string {
	var b strings.Builder
	for _, r := range name {
		if strings.ContainsRune(`*?[]{}\`, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

type naming struct {
	dir   string
	files map[string]bool
	// out are names of files, as patterns.
	out, config map[string]bool
}

func (n *naming) command(c shell.Command) {
	dir := path.Join(n.dir, c.Dir)
	for i, w := range c.Words {
		if i > 0 && onlyLooks(c.Words, i) {
			continue
		}
		n.word(dir, w)
		if _, value, ok := strings.Cut(w, "="); ok {
			n.word(dir, value)
		}
		if i > 0 && c.Words[i-1] == "-C" {
			n.family(path.Join(dir, w), makefiles())
		}
	}
	n.program(dir, c.Words)
	for i, w := range c.Words {
		if w == "-c" && i+1 < len(c.Words) && isShell(c.Words[0]) {
			for _, inner := range shell.Split(c.Words[i+1]) {
				inner.Dir = path.Join(c.Dir, inner.Dir)
				n.command(inner)
			}
		}
	}
}

// word adds a word that is the path of a file; tests are named as file::test and
// file:line.
func (n *naming) word(dir, w string) {
	for _, name := range []string{w, cutAt(w, "::"), cutAt(w, ":")} {
		if name == "" || strings.HasPrefix(name, "/") {
			continue
		}
		if p := path.Join(dir, name); n.files[p] && path.Base(p) != "package.json" {
			n.out[p] = true
		}
	}
}

func cutAt(s, sep string) string {
	before, _, _ := strings.Cut(s, sep)
	return before
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash"}, path.Base(name))
}

// program adds the files that the program reads by default.
func (n *naming) program(dir string, words []string) {
	name, args := path.Base(words[0]), words[1:]
	switch {
	case name == "go" && first(args) == "run":
		n.goRun(dir, args)
	case strings.HasPrefix(name, "python"):
		n.module(dir, args)
	}
	for _, f := range families(name, args) {
		n.family(dir, f)
		if f.everywhere {
			n.anywhere(f)
		}
	}
}

// goRun adds the folder of "go run ./tools/check".
func (n *naming) goRun(dir string, args []string) {
	for _, a := range args[1:] {
		pkg := path.Join(dir, a)
		for f := range n.files {
			if path.Dir(f) == pkg {
				n.out[f] = true
			}
		}
	}
}

// module adds tools/check.py, or that package's main, for "python -m
// tools.check".
func (n *naming) module(dir string, args []string) {
	i := slices.Index(args, "-m")
	if i < 0 || i+1 >= len(args) {
		return
	}
	base := path.Join(dir, strings.ReplaceAll(args[i+1], ".", "/"))
	for _, f := range []string{base + ".py", base + "/__main__.py"} {
		if n.files[f] {
			n.out[f] = true
		}
	}
	n.program(dir, append([]string{args[i+1]}, args[i+2:]...))
}

// onlyLooks reports whether a program only reads the files that it names: in
// "grep -q fixed README.md" README.md is the work, not the judge. The patterns of
// grep -f are a judge.
func onlyLooks(words []string, i int) bool {
	switch path.Base(words[0]) {
	case "grep", "egrep", "fgrep", "rg":
		return words[i-1] != "-f" && words[i-1] != "--file"
	case "test", "[", "ls", "wc", "stat":
		return true
	}
	return false
}

// family is a set of file names that configure the same program in one folder.
type family struct {
	// restored are patterns of names; shared files hold the same configuration
	// among other things and only indicate that the base has some.
	restored, shared []string
	// everywhere: the program reads such files in every folder.
	everywhere bool
}

func makefiles() family {
	return family{restored: []string{"Makefile", "makefile", "GNUmakefile"}}
}

// families returns the files that a program reads by default. conftest.py is
// among pytest's: its code can turn every failure into a pass.
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

// anywhere adds the files with such names in all folders.
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
