package proof

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/text/shell"
)

// reach finds the files of the base that the gate's command names, and those that it
// opened and that are scripts.
func (d *diff) reach() {
	d.named, d.tasks, d.programs = map[string]bool{}, map[string]bool{}, map[string]bool{}
	n := naming{diff: d, dir: path.Clean("./" + d.Gate.Dir)}
	for _, c := range shell.Split(d.Gate.Run) {
		n.command(c)
	}
	n.path(d.Gate.Run + " " + d.Gate.Env["PATH"])
	for _, p := range d.Opened {
		if f, here := d.base[path.Clean(p)]; here && isScript(f) {
			d.named[f.Path] = true
		}
	}
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
		if i > 0 && onlyLooks(c.Words, i) {
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
		if _, here := n.base[p]; here && manifestOf(p) == nil {
			n.named[p] = true
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
					n.named[p] = true
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

// nameLike is what could be a path in a script.
var nameLike = lazyregexp.New(`[\w.@+/-]+`)

// Limits of what is followed: larger scripts are written by programs.
const (
	longestScript = 1 << 20
	mostFollowed  = 500
)

// follow adds the scripts that are reached through others, once. It begins with the
// named files, and with the build files that a runner reads by itself. Scripts are not
// parsed: every word that is the name of a script counts as a use of it.
func (d *diff) follow() error {
	if d.followed {
		return nil
	}
	d.followed = true
	n := naming{diff: d, dir: path.Clean("./" + d.Gate.Dir)}
	n.index()
	var todo []string
	for p, f := range n.base {
		if n.named[p] && (isScript(f) || f.Mode == linkMode) || startsTasks(p) && n.near(p) {
			todo = append(todo, p)
		}
	}
	slices.Sort(todo)
	seen := map[string]bool{}
	for len(todo) > 0 && len(seen) < mostFollowed {
		p := todo[0]
		todo = todo[1:]
		if seen[p] {
			continue
		}
		seen[p] = true
		data, err := n.Content(n.base[p].ID)
		if err != nil {
			return err
		}
		if len(data) > longestScript {
			continue
		}
		if n.base[p].Mode == linkMode {
			n.word(dirOf(p), string(data))
		} else if isMakefile(p) {
			n.targets(dirOf(p), string(data))
		} else if path.Base(p) == "package.json" {
			n.packageScripts(dirOf(p), data)
		}
		for _, found := range n.mentioned(p, string(data)) {
			if !n.named[found] {
				n.named[found] = true
				todo = append(todo, found)
			}
		}
	}
	return nil
}

// near: make, npm and the others are run in the gate's folder, or name another one.
func (n *naming) near(p string) bool {
	dir := dirOf(p)
	return dir == n.dir || dir == "." || strings.Contains(n.Gate.Run, path.Base(dir))
}

func (n *naming) index() {
	n.byName, n.folders, n.ofShell = map[string][]string{}, map[string]bool{}, n.isShell()
	for p := range n.base {
		n.byName[path.Base(p)] = append(n.byName[path.Base(p)], p)
		for dir := dirOf(p); dir != "."; dir = dirOf(dir) {
			n.folders[dir] = true
		}
	}
}

// packageScripts reads the commands that the gate's command runs from a package.json
// as commands of the gate.
func (n *naming) packageScripts(dir string, data []byte) {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(data, &p) != nil {
		return
	}
	words := nameLike.FindAllString(n.Gate.Run, -1)
	seen := map[string]bool{}
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		if w == "t" || w == "tst" {
			w = "test"
		}
		for _, name := range []string{"pre" + w, w, "post" + w} {
			body := p.Scripts[name]
			if body == "" || seen[name] {
				continue
			}
			seen[name] = true
			for _, c := range shell.Split(body) {
				c.Dir = path.Join(dir, c.Dir)
				inner := naming{diff: n.diff, dir: "."}
				inner.command(c)
				words = append(words, c.Words...)
			}
		}
	}
}

// mentioned returns the scripts that a script names, by path or by the last part of
// one, and those in folders of tools that it names.
func (n *naming) mentioned(from, script string) []string {
	var out []string
	for _, w := range nameLike.FindAllString(script, -1) {
		w = strings.Trim(w, "/")
		if w == "" || w == "." || w == ".." {
			continue
		}
		for _, p := range n.byName[path.Base(w)] {
			if n.reached(p) {
				out = append(out, p)
			}
		}
		for _, dir := range []string{path.Join(dirOf(from), w), path.Join(n.dir, w)} {
			if n.folders[dir] && isToolFolder(dir+"/x") {
				out = append(out, n.below(dir)...)
			}
		}
	}
	return out
}

func (n *naming) below(dir string) (out []string) {
	for p := range n.base {
		if strings.HasPrefix(p, dir+"/") && n.reached(p) {
			out = append(out, p)
		}
	}
	return out
}

// reached reports whether a file that a script names is a judge. In a project of shell
// scripts they are the product, except in the folders of tools.
func (n *naming) reached(p string) bool {
	return isScript(n.base[p]) && (isToolFolder(p) || isConfig(p) || !n.ofShell)
}

// isShell: scripts outside the folders of tools are the only sources.
func (d *diff) isShell() bool {
	scripts := false
	for p, f := range d.base {
		lang := languageOf(p)
		if lang == "" && f.Mode == execMode {
			lang = "shell"
		}
		if _, test := isTest(p); test || lang == "" || isToolFolder(p) || isConfig(p) {
			continue
		}
		if lang != "shell" {
			return false
		}
		scripts = true
	}
	return scripts
}

var toolFolders = []string{"scripts", "script", "tools", "tool", "hack", "ci", ".ci", "checks", "check", "build-tools", ".github", ".gitlab", ".circleci", "dev", "etc", "make"}

func isToolFolder(p string) bool {
	return within(p, func(name string) bool { return slices.Contains(toolFolders, name) })
}

// isScript reports whether a file is a script, a build file or executable, by its name
// and mode.
func isScript(f File) bool {
	ext := strings.ToLower(path.Ext(f.Path))
	switch {
	case f.Path == "" || f.Mode == submoduleMode:
		return false
	case f.Mode == linkMode, isConfig(f.Path):
		return true
	case f.Mode == execMode && (languageOf(f.Path) == "" || dirOf(f.Path) == "."):
		return true
	case slices.Contains([]string{".sh", ".bash", ".zsh", ".ksh", ".fish", ".mk", ".awk", ".sed", ".ps1", ".bat", ".cmd"}, ext):
		return true
	}
	return (isToolFolder(f.Path) || checks.MatchString(path.Base(f.Path))) && slices.Contains([]string{".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua", ".go", ".r", ""}, ext)
}

// checks matches the names of programs that check something.
var checks = lazyregexp.New(`(?i)(?:^|[-_.])(?:run_?)?(?:tests?|checks?|verify|validate|lint|ci)(?:[-_.]|$)`)

// startsTasks: files whose tasks call scripts.
func startsTasks(p string) bool {
	name := strings.ToLower(path.Base(p))
	return isMakefile(p) || name == "package.json" || name == "composer.json" || name == "tox.ini" || name == "noxfile.py" ||
		matches([]string{"justfile", ".justfile", "taskfile.y*ml", "rakefile", "cmakelists.txt", "pyproject.toml"}, name)
}

func isMakefile(p string) bool {
	return matches([]string{"makefile", "gnumakefile", "*.mk"}, strings.ToLower(path.Base(p)))
}

var (
	target = lazyregexp.New(`(?m)^([\w./ -]+?)\s*::?(?:[^=]|$)`)
	phony  = lazyregexp.New(`(?m)^\.PHONY\s*:(.*)$`)
)

// targets finds the files that the targets of a Makefile would be. A phony target
// is never a file.
func (n *naming) targets(dir, makefile string) {
	no := map[string]bool{}
	for _, m := range phony.FindAllStringSubmatch(makefile, -1) {
		for _, w := range strings.Fields(m[1]) {
			no[w] = true
		}
	}
	for _, m := range target.FindAllStringSubmatch(makefile, -1) {
		for _, w := range strings.Fields(m[1]) {
			if p := path.Join(dir, w); !no[w] && !strings.HasPrefix(w, ".") && n.base[p].Path == "" {
				n.tasks[p] = true
			}
		}
	}
}
