package proof

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ralph/internal/text/shell"
)

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
	n := naming{diff: d, dir: d.gateDir()}
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
			n.searchPath(dirOf(p), string(data))
		} else if path.Base(p) == "package.json" {
			n.packageScripts(dirOf(p), data)
		}
		if path.Base(p) != "package.json" { // of its scripts only some run: see packageCommands
			d.loadedByScript(dirOf(p), string(data))
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
	for _, body := range packageCommands(data, n.gateWords()) {
		inner := naming{diff: n.diff, dir: "."}
		inner.line(body, dir)
		n.readFlags(dir, body)
	}
}

// gateWords are the words of the gate's command that could name a script.
func (d *diff) gateWords() []string {
	words := nameLike.FindAllString(d.Gate.Run, -1)
	for _, c := range shell.Split(d.Gate.Run) { // "test:unit" is one name
		words = append(words, c.Words...)
	}
	return words
}

// packageCommands returns the scripts of a package.json that words name, and those that these
// run.
func packageCommands(data []byte, words []string) (commands []string) {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if json.Unmarshal(data, &p) != nil {
		return nil
	}
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
			commands = append(commands, body)
			for _, c := range shell.Split(body) {
				words = append(words, c.Words...)
			}
		}
	}
	return commands
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
			} else if p == path.Join(n.dir, w) || p == path.Join(dirOf(from), w) {
				n.mentions[p] = true
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
// scripts they are the product, except in the folders of tools and of tests.
func (n *naming) reached(p string) bool {
	_, test := n.isTest(p)
	return isScript(n.base[p]) && (isToolFolder(p) || isConfig(p) || test || !n.ofShell)
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
