package judge

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// longestScript is the size of a script that is followed, in bytes: larger ones are written by
// programs.
const longestScript = 1 << 20

// MostFollowed bounds the files that are read to follow a gate.
const MostFollowed = 500

// follow adds the scripts that are reached through others. It begins with the
// named files, and with the build files that a runner reads by itself. Scripts are not
// parsed: every word that is the name of a script counts as a use of it.
func (r *reach) follow() error {
	n := naming{reach: r, dir: r.gateDir()}
	n.index()
	var todo []string
	for p, f := range n.Before {
		if n.named[p] && (isScript(f) || f.Mode == proof.LinkMode) || startsTasks(p) && n.runsIn(p) {
			todo = append(todo, p)
		}
	}
	slices.Sort(todo)
	seen := map[string]bool{}
	for len(todo) > 0 && len(seen) < MostFollowed {
		p := todo[0]
		todo = todo[1:]
		if seen[p] {
			continue
		}
		seen[p] = true
		data, err := n.Content(n.Before[p].ID)
		if err != nil {
			return err
		}
		if len(data) > longestScript {
			continue
		}
		if n.Before[p].Mode == proof.LinkMode {
			n.word(proof.DirOf(p), string(data))
		} else if IsMakefile(p) {
			n.targets(proof.DirOf(p), string(data))
			n.searchPath(proof.DirOf(p), string(data))
		} else if path.Base(p) == "package.json" {
			n.packageScripts(proof.DirOf(p), data)
		}
		if path.Base(p) != "package.json" { // of its scripts only some run: see packageCommands
			r.loadedByScript(proof.DirOf(p), string(data))
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

// runsIn: make, npm and the others are run in the gate's folder, or name another one.
func (n *naming) runsIn(p string) bool {
	dir := proof.DirOf(p)
	return dir == n.dir || dir == "." || strings.Contains(n.Gate.Run, path.Base(dir))
}

func (n *naming) index() {
	n.byName, n.ofShell = map[string][]string{}, n.isShell()
	for p := range n.Before {
		n.byName[path.Base(p)] = append(n.byName[path.Base(p)], p)
	}
}

// packageScripts reads the commands that the gate's command runs from a package.json
// as commands of the gate.
func (n *naming) packageScripts(dir string, data []byte) {
	for _, body := range packageCommands(data, n.gateWords()) {
		inner := naming{reach: n.reach, dir: "."}
		inner.line(body, dir)
		n.readFlags(dir, body)
	}
}

// gateWords are the words of the gate's command that could name a script.
func (d *Diff) gateWords() []string {
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
// one, those in folders of tools that it names, and those that it runs in a loop.
func (n *naming) mentioned(from, script string) []string {
	out := n.looped(from, script)
	for _, w := range nameLike.FindAllString(script, -1) {
		w = strings.Trim(w, "/")
		if w == "" || w == "." || w == ".." {
			continue
		}
		for _, p := range n.byName[path.Base(w)] {
			if n.reached(p) {
				out = append(out, p)
			} else if p == path.Join(n.dir, w) || p == path.Join(proof.DirOf(from), w) {
				n.mentions[p] = true
			}
		}
		for _, dir := range []string{path.Join(proof.DirOf(from), w), path.Join(n.dir, w)} {
			if n.baseHas(dir) && isToolFolder(dir+"/x") {
				out = append(out, n.below(dir)...)
			}
		}
	}
	return out
}

func (n *naming) below(dir string) (out []string) {
	for p := range n.Before {
		if strings.HasPrefix(p, dir+"/") && n.reached(p) {
			out = append(out, p)
		}
	}
	return out
}

// reached reports whether a file that a script names is a judge. In a project of shell
// scripts they are the product, except in the folders of tools and of tests, and those that only check.
func (n *naming) reached(p string) bool {
	_, test := n.isTest(p)
	return isScript(n.Before[p]) && !n.computing[p] && (isToolFolder(p) || proof.IsConfig(p) || test || !n.ofShell || onlyChecks.MatchString(path.Base(p)))
}

// onlyChecks matches the name of a script that says nothing but that it checks, or helps to.
var onlyChecks = lazyregexp.New(`(?i)^(?:(?:run|all|do)[-_]?)*(?:(?:unit|smoke|e2e|integration|acceptance|self|regression)[-_]?)?(?:tests?|checks?|verify|validate|lint|ci|suite|specs?|assert\w*|expect\w*|harness)(?:[-_](?:all|lib|helpers?|utils?|tests?|checks?|run|functions))*(?:\.\w+)?$`)

// isShell: scripts outside the folders of tools are the only sources.
func (d *Diff) isShell() bool {
	scripts := false
	for p, f := range d.Before {
		lang := proof.LanguageOf(p)
		if lang == "" && f.Mode == proof.ExecMode {
			lang = "shell"
		}
		if _, test := proof.IsTest(p); test || lang == "" || isToolFolder(p) || proof.IsConfig(p) {
			continue
		}
		if lang != "shell" {
			return false
		}
		scripts = true
	}
	return scripts
}
