package judge

import (
	"maps"
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
)

// running follows what a gate runs. The commands known so far say which goals of a Makefile
// are made.
type running struct {
	*gateRun
	near            naming
	todo, makefiles []string
	read            map[string]bool
	// packages are the package.json whose scripts can run, scripts those that were found.
	packages []string
	scripts  map[string]bool
	// generated: the programs of go generate were added.
	generated bool
}

// begin finds what the gate's command names itself.
func (r *running) begin() error {
	for _, p := range proof.SortedPaths(r.Before) {
		switch {
		case IsMakefile(p) && r.near.runsIn(p):
			r.makefiles = append(r.makefiles, p)
		case r.direct[p]:
			r.todo = append(r.todo, p)
		case path.Base(p) == "package.json" && r.near.runsIn(p):
			r.packages = append(r.packages, p)
			if err := r.addScripts(p, r.gateWords()); err != nil {
				return err
			}
		}
	}
	return r.addCommands(gateText{from: path.Join(r.gateDir(), "-"), text: r.Gate.Run, commands: true}, r.gateDir())
}

// addCommands adds the programs in the commands of a text, which run in a folder, what
// these leave the comparing to, and the programs that the commands build.
func (r *running) addCommands(t gateText, dir string) error {
	if err := r.addPrograms(t, dir); err != nil {
		return err
	}
	for _, in := range r.inline(t, dir) {
		r.texts = append(r.texts, in)
		for _, q := range r.Base {
			if lang := proof.LanguageOf(q.Path); lang != proof.LanguageOf(in.from) || lang != "python" && lang != "js" || !proof.IsFile(q) {
				continue
			}
			is, err := r.delegates(in, q)
			if err != nil {
				return err
			}
			if is {
				r.addChecker(q.Path)
			}
		}
	}
	return nil
}

// next is the next file; a Makefile is read once all other commands are known, and the
// scripts of packages that commands of it run after it.
func (r *running) next() (p string, more bool, err error) {
	for i := 0; len(r.todo) == 0 && i < len(r.packages); i++ {
		if err := r.addScripts(r.packages[i], r.packageWords()); err != nil {
			return "", false, err
		}
	}
	if len(r.todo) > 0 {
		p, r.todo = r.todo[0], r.todo[1:]
		return p, true, nil
	}
	goals, made := goalsOf(r.commands)
	if !made || len(r.makefiles) == 0 {
		return "", false, nil
	}
	p, r.makefiles = r.makefiles[0], r.makefiles[1:]
	r.commands += "\nmake " + strings.Join(goals, " ")
	return p, true, nil
}

// addScripts adds the scripts of a package.json that words name, and were not found before.
func (r *running) addScripts(p string, words []string) error {
	data, err := r.Content(r.Before[p].ID)
	if err != nil {
		return err
	}
	var fresh []string
	for _, body := range packageCommands(data, words) {
		if !r.scripts[p+"\x00"+body] {
			r.scripts[p+"\x00"+body] = true
			fresh = append(fresh, body)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	commands := strings.Join(fresh, "\n")
	r.commands += "\n" + commands
	if len(r.read) > 0 { // scripts that the gate's command names itself are followed already
		r.todo = append(r.todo, r.near.mentioned(p, commands)...)
	}
	return r.addCommands(gateText{from: p, text: commands, commands: true}, proof.DirOf(p))
}

// text is the text of a file, of a Makefile what is made of it. A file that is neither
// program nor script does not judge: the gate's command names it, so that it is data itself.
func (r *running) text(p string) (t gateText, judges bool, err error) {
	f := r.Before[p]
	if r.read[p] || !proof.IsFile(f) {
		return t, false, nil
	}
	r.read[p] = true
	data, err := r.Content(f.ID)
	if err != nil || len(data) > longestScript {
		return t, false, err
	}
	t = gateText{from: p, text: string(data), commands: true}
	if IsMakefile(p) {
		goals, _ := goalsOf(r.commands)
		t.text = portion(t.text, goals)
		return t, true, nil
	}
	lang := proof.SourceLanguage(p, t.text)
	t.commands = lang == "shell" || lang == "" && isScript(f)
	return t, t.commands || lang != "", nil
}

// addReached adds what a text reaches in its turn.
func (r *running) addReached(t gateText) error {
	if t.commands {
		r.commands += "\n" + t.text
		dir := r.gateDir()
		if IsMakefile(t.from) {
			dir = proof.DirOf(t.from)
		}
		if err := r.addCommands(t, dir); err != nil {
			return err
		}
	}
	r.todo = append(r.todo, r.near.mentioned(t.from, t.text)...)
	for _, q := range slices.Sorted(maps.Keys(r.mentions)) {
		is, err := r.asserts(r.Before[q])
		if err != nil {
			return err
		}
		if is && strings.Contains(t.text, path.Base(q)) {
			r.todo = append(r.todo, q)
		}
	}
	return nil
}
