package proof

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text/shell"
)

// reach finds the files of the base that the gate's command names, and those that it
// opened and that are scripts.
func (d *diff) reach() {
	d.named, d.direct, d.tasks, d.programs = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	d.loaders, d.mentions = map[string]bool{}, map[string]bool{}
	n := naming{diff: d, dir: d.gateDir()}
	for _, c := range shell.Split(d.Gate.Run) {
		n.command(c)
	}
	n.path(d.Gate.Run + " " + d.Gate.Env["PATH"])
	d.opens()
}

// naming finds the files that a command names.
type naming struct {
	*diff
	// dir is the folder of the gate.
	dir string
	// byName are the base's files by the last part of their path, folders all that
	// have files.
	byName  map[string][]string
	folders map[string]bool
	// ofShell: the project's language is shell.
	ofShell bool
}

func (n *naming) command(c shell.Command) {
	dir := path.Join(n.dir, c.Dir)
	for i, w := range c.Words {
		if i > 0 && (onlyLooks(c.Words, i) || onlyDoctested(c)) {
			continue
		}
		n.word(dir, w)
		if _, value, ok := strings.Cut(w, "="); ok {
			n.word(dir, value)
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

// word adds the file of a word; tests are named as file::test and file:line.
func (n *naming) word(dir, w string) {
	for _, name := range []string{w, before(w, "::"), before(w, ":")} {
		if name == "" || strings.HasPrefix(name, "/") {
			continue
		}
		p := path.Join(dir, name)
		if strings.ContainsAny(name, "*?[") {
			n.pattern(p)
			continue
		}
		if _, here := n.base[p]; here && manifestOf(p) == nil {
			n.named[p], n.direct[p] = true, true
		}
	}
}

// pattern adds the scripts that a pattern of the shell names: in "for t in checks/*"
// they are run one by one. Other files that it names are mostly what is checked.
func (n *naming) pattern(glob string) {
	n.ofShell = n.isShell()
	for p := range n.base {
		if ok, err := path.Match(glob, p); err == nil && ok && n.reached(p) {
			n.named[p], n.direct[p] = true, true
		}
	}
}

func before(s, sep string) string {
	head, _, _ := strings.Cut(s, sep)
	return head
}

func isShell(name string) bool {
	return slices.Contains([]string{"sh", "bash", "dash", "zsh", "ksh", "ash"}, path.Base(name))
}

// program adds the files of "go run ./tools/check" and "python -m tools.check".
func (n *naming) program(dir string, words []string) {
	name, args := path.Base(words[0]), words[1:]
	switch {
	case name == "go" && len(args) > 0 && args[0] == "run":
		for _, a := range args[1:] {
			for p := range n.base {
				if dirOf(p) == path.Join(dir, a) {
					n.named[p], n.direct[p] = true, true
				}
			}
		}
	case strings.HasPrefix(name, "python"):
		i := slices.Index(args, "-m")
		if i < 0 || i+1 >= len(args) {
			return
		}
		module := strings.ReplaceAll(args[i+1], ".", "/")
		n.word(dir, module+".py")
		n.word(dir, module+"/__main__.py")
	}
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

// path finds the folders that a command puts on PATH.
func (n *naming) path(line string) {
	if !strings.Contains(line, "PATH") && n.Gate.Env["PATH"] == "" {
		return
	}
	for _, w := range nameLike.FindAllString(line, -1) {
		if w = strings.Trim(strings.TrimPrefix(w, "PWD/"), "/"); w != "" && w != "." {
			n.programs[path.Join(n.dir, w)] = true
		}
	}
}

// setsPath matches an assignment to PATH in a Makefile.
var setsPath = lazyregexp.New(`(?m)^[^#\n]*\bPATH\b[ \t]*[:+?]*=.*$`)

// searchPath finds the folders that a Makefile puts on PATH.
func (n *naming) searchPath(dir, makefile string) {
	in := naming{diff: n.diff, dir: dir}
	for _, line := range setsPath.FindAllString(makefile, -1) {
		in.path(line)
	}
}

// nameLike is what could be a path in a script.
var nameLike = lazyregexp.New(`[\w.@+/-]+`)
