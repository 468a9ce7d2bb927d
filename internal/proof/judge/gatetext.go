package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/text/shell"
)

// gateText is the text of a script, program or makefile of the base that a gate runs.
type gateText struct {
	from, text string
	// commands: its lines are commands of a shell.
	commands bool
}

// gateTexts are the scripts and programs that the gate's command reaches, and of each
// Makefile what its goals run, once. They judge, and so does the data that they alone read.
func (d *Diff) gateTexts() ([]gateText, error) {
	if d.texts != nil {
		return d.texts, nil
	}
	if err := d.follow(); err != nil {
		return nil, err
	}
	r := reached{Diff: d, near: naming{Diff: d, dir: d.gateDir()}, commands: d.Gate.Run, read: map[string]bool{}, scripts: map[string]bool{}}
	r.near.index()
	d.texts, d.checkers, d.doubtful = []gateText{}, map[string]bool{}, map[string]bool{}
	if err := r.begin(); err != nil {
		return nil, err
	}
	for len(d.texts) < MostFollowed {
		p, more, err := r.next()
		if err != nil {
			return nil, err
		}
		if !more {
			if err := r.addGenerators(); err != nil {
				return nil, err
			}
			if len(r.todo) == 0 {
				break
			}
			continue
		}
		t, judges, err := r.text(p)
		if err != nil {
			return nil, err
		}
		if !judges {
			continue
		}
		d.texts = append(d.texts, t)
		if err := r.addReached(t); err != nil {
			return nil, err
		}
	}
	tasks, err := r.taskRunners()
	d.commands = r.commands + tasks
	return d.texts, err
}

// anyData reports whether a file is data by its ending. Another one must stand in a
// command that reads it.
func anyData(p string) bool { return slices.Contains(dataNames, strings.ToLower(path.Ext(p))) }

// includesFile reports whether a command runs the file of its word as a part of itself.
func includesFile(words []string, i int) bool {
	return i > 0 && slices.Contains([]string{".", "source", "include", "-include", "sinclude"}, words[0])
}

// names reports whether a word of a script is the path of a file, seen from the script
// or from the gate's folder; where it has a variable, its last part counts.
func (t gateText) names(word, p, gateDir string) bool {
	for _, w := range nameLike.FindAllString(strings.TrimLeft(word, "<"), -1) {
		if w == p || path.Join(gateDir, w) == p || path.Join(proof.DirOf(t.from), w) == p {
			return true
		}
		if w = strings.TrimPrefix(w, "./"); anyData(p) && (strings.HasSuffix(p, "/"+w) || strings.ContainsAny(word, "$`") && path.Base(w) == path.Base(p)) {
			return true
		}
	}
	return false
}

// includes reports whether the text runs a file as a part of itself, if it is there.
func (t gateText) includes(p, gateDir string) bool {
	return t.commands && t.commandTakes(p, gateDir, includesFile)
}

// includesSome matches a line of make that includes files by a pattern or a variable, its group
// what it names; endOfWord the ending of a word there, also one by which make makes a name.
var (
	includesSome = lazyregexp.New(`(?m)^[ ]*(?:-include|include|sinclude)[ \t]+([^\n#]*[*?%$\[][^\n#]*)`)
	endOfWord    = lazyregexp.New(`(\.\w+)["')}]*$`)
)

// includesByForm reports whether make includes a file by a pattern or a variable, as far as
// its ending tells: all of the ending that the line has, else of the usual ones.
func (t gateText) includesByForm(p string) bool {
	end := path.Ext(p)
	for _, m := range includesSome.FindAllStringSubmatch(strings.ReplaceAll(t.text, "\\\n", " "), -1) {
		told := false
		for _, word := range strings.Fields(m[1]) {
			if e := endOfWord.FindStringSubmatch(word); e != nil {
				told = true
				if e[1] == end {
					return true
				}
			}
		}
		if !told && slices.Contains([]string{".d", ".mk", ".dep", ".deps", ".mak", ".make", ".inc", ".P"}, end) {
			return true
		}
	}
	return false
}

// commandTakes reports whether a command of the text names a file at a word of which is is
// true.
func (t gateText) commandTakes(p, gateDir string, is func(words []string, i int) bool) bool {
	name := path.Base(p)
	for _, line := range strings.Split(strings.ReplaceAll(t.text, "\\\n", " "), "\n") {
		line = strings.TrimLeft(line, "\t @+")
		if !strings.Contains(line, name) || strings.HasPrefix(line, "#") {
			continue
		}
		for _, c := range shell.Split(line) {
			for i, w := range c.Words {
				if is(c.Words, i) && t.names(w, p, gateDir) {
					return true
				}
			}
		}
	}
	return false
}

// includedByForm reports whether a makefile of the gate includes a file by a pattern or a
// variable.
func (d *Diff) includedByForm(p string) (bool, error) {
	if path.Ext(p) == "" || proof.LanguageOf(p) != "" || proof.IsDocument(strings.ToLower(path.Base(p))) {
		return false, nil
	}
	texts, err := d.gateTexts()
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(texts, func(t gateText) bool { return t.commands && t.includesByForm(p) }), nil
}

// included reports whether a script or makefile of the gate would run a new file, or a
// program of C in a folder of checks include it.
func (d *Diff) included(p string) (bool, error) {
	texts, err := d.gateTexts()
	if err != nil {
		return false, err
	}
	for q := range d.checkers {
		if proof.DirOf(q) == proof.DirOf(p) && proof.LanguageOf(q) == "c" && proof.LanguageOf(p) == "c" && checkName(proof.DirOf(p)) {
			return true, nil
		}
	}
	return slices.ContainsFunc(texts, func(t gateText) bool { return t.includes(p, d.gateDir()) }), nil
}

func (d *Diff) gateDir() string { return path.Clean("./" + d.Gate.Dir) }
