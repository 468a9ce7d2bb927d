package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// A gate that runs go generate runs the programs that sources of Go name. One that writes
// tests or their data judges; another one writes the product, and accept asks about it.

var (
	// directive matches a command for go generate.
	directive = lazyregexp.New(`(?m)^//go:generate[ \t]+(.+)$`)
	// writesTests matches the name of a test or of its data.
	writesTests = lazyregexp.New(`_test\.go\b|\btestdata\b|\bgoldens?\b|\bfixtures\b`)
	generates   = lazyregexp.New(`\bgo\s+generate\b`)
)

// addGenerators adds the programs of the tree behind the directives of the base, where the
// commands of the gate run them, to those that check or of which that is unknown.
func (r *running) addGenerators() error {
	if r.generated || !generates.MatchString(r.commands) {
		return nil
	}
	r.generated = true
	sources, _, err := r.readingMost(mostUsers, func(f proof.File) bool { return proof.LanguageOf(f.Path) == "go" })
	if err != nil {
		return err
	}
	for _, f := range sources {
		data, err := r.Content(f.ID)
		if err != nil {
			return err
		}
		for _, command := range directivesOf(string(data)) {
			files, text, err := r.generator(proof.DirOf(f.Path), command)
			if err != nil {
				return err
			}
			for _, q := range files {
				r.doubtful[q] = true
				if writesTests.MatchString(command + "\n" + text) {
					r.addChecker(q)
				}
			}
		}
	}
	return nil
}

// directivesOf are the commands that a source of Go has for go generate.
func directivesOf(text string) (commands []string) {
	for _, m := range directive.FindAllStringSubmatch(text, -1) {
		commands = append(commands, strings.TrimSpace(m[1]))
	}
	return commands
}

// generator returns the files of the base that a command runs in a folder, and their text.
func (r *running) generator(dir, command string) (files []string, text string, err error) {
	for _, c := range shell.Split(command) {
		for _, w := range c.Words {
			for _, f := range r.Base {
				if _, test := r.isTest(f.Path); test || !proof.IsFile(f) || !r.runsFile(path.Join(dir, c.Dir), w, c.Words, f.Path) {
					continue
				}
				data, err := r.Content(f.ID)
				if err != nil {
					return nil, "", err
				}
				files, text = append(files, f.Path), text+string(data)
			}
		}
	}
	return files, text, nil
}

// runsFile reports whether a word of a command names a program's file: itself, or in a command
// of go its package, by its folder or by its path in a module of the tree.
func (r *running) runsFile(dir, w string, words []string, p string) bool {
	if path.Join(dir, w) == p {
		return isScript(r.Before[p]) || proof.LanguageOf(p) != ""
	}
	if path.Base(words[0]) != "go" || proof.LanguageOf(p) != "go" {
		return false
	}
	if strings.HasPrefix(w, ".") {
		return path.Join(dir, w) == proof.DirOf(p)
	}
	return strings.Contains(w, "/") && (w == proof.DirOf(p) || strings.HasSuffix(w, "/"+proof.DirOf(p)))
}

// losesDirective reports whether the work changes or removes a directive of the base.
func (o Obeyed) losesDirective(d *Diff, p string) (bool, error) {
	if path.Ext(p) != ".go" {
		return false, nil
	}
	base, err := d.ContentOf(d.Before[p])
	if err != nil {
		return false, err
	}
	work, err := d.ContentOf(d.After[p])
	kept := directivesOf(string(work))
	return slices.ContainsFunc(directivesOf(string(base)), func(c string) bool { return !slices.Contains(kept, c) }), err
}
