package gate

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// NamedFiles returns those of the given files (paths below the root, as git
// lists the base) that decide what the gate's command does: the scripts and
// files that its words name, the Makefile of make, and the configuration of a
// known test runner. Whoever restores them from the base keeps an agent from
// editing its own judge. They are returned as path patterns: a character that
// is special in one is escaped.
//
// Configuration comes in families, since a new pytest.ini overrules the
// tox.ini that was there. Where the base has any member of a family in a
// folder, all of its names there are returned, also those that do not exist.
// A base that configures nothing leaves the agent free to begin with it.
// package.json holds dependencies too and is left to RestoreScripts.
func NamedFiles(g loop.Gate, files []string) []string {
	n := naming{dir: path.Join(".", g.Dir), files: map[string]bool{}, out: map[string]bool{}, config: map[string]bool{}}
	for _, f := range files {
		n.files[path.Clean(f)] = true
	}
	for _, c := range split(g.Run) {
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
	// out are names of files, config patterns.
	out, config map[string]bool
}

func (n *naming) command(c simple) {
	dir := path.Join(n.dir, c.dir)
	for i, w := range c.words {
		if i > 0 && onlyLooks(c.words, i) {
			continue
		}
		n.word(dir, w)
		if _, value, ok := strings.Cut(w, "="); ok {
			n.word(dir, value)
		}
		if i > 0 && c.words[i-1] == "-C" {
			n.family(path.Join(dir, w), makefiles())
		}
	}
	n.program(dir, c.words)
	for i, w := range c.words {
		if w == "-c" && i+1 < len(c.words) && isShell(c.words[0]) {
			for _, inner := range split(c.words[i+1]) {
				inner.dir = path.Join(c.dir, inner.dir)
				n.command(inner)
			}
		}
	}
}

// word takes a word that is the path of a file; tests are named as
// file::test and file:line.
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

// program adds what the program reads without being told.
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

// goRun: "go run ./tools/check" is the files of that folder.
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

// module: "python -m tools.check" is tools/check.py or that package's main.
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
