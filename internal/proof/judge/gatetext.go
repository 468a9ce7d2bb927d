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

// gateRun is the third step of a judgement: what the gate runs.
type gateRun struct {
	*reach
	// texts are the scripts and programs that its command reaches, and of each Makefile what its
	// goals run. They judge, and so does the data that they alone read.
	texts []gateText
	// commands are all command lines that it runs, as far as they are found with texts.
	commands string
	// checkers are the sources of programs that check the work for a text, doubtful those of
	// which that is unknown: see addCommands and addPrograms.
	checkers, doubtful map[string]bool
	// pairing are patterns of files by which texts find cases.
	pairing []string
}

// run finds what the gate runs.
func (r *reach) run() (*gateRun, error) {
	g := &gateRun{reach: r, commands: r.Gate.Run, checkers: map[string]bool{}, doubtful: map[string]bool{}}
	in := running{gateRun: g, near: naming{reach: r, dir: r.gateDir()}, read: map[string]bool{}, scripts: map[string]bool{}}
	in.near.index()
	if err := in.begin(); err != nil {
		return nil, err
	}
	for len(g.texts) < MostFollowed {
		p, more, err := in.next()
		if err != nil {
			return nil, err
		}
		if !more {
			if err := in.addGenerators(); err != nil {
				return nil, err
			}
			if len(in.todo) == 0 {
				break
			}
			continue
		}
		t, judges, err := in.text(p)
		if err != nil {
			return nil, err
		}
		if !judges {
			continue
		}
		g.texts = append(g.texts, t)
		if err := in.addReached(t); err != nil {
			return nil, err
		}
	}
	for _, t := range g.texts {
		g.pairing = append(g.pairing, t.pairing(g.gateDir())...)
	}
	tasks, err := in.taskRunners()
	g.commands += tasks
	return g, err
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
func (g *gateRun) includedByForm(p string) bool {
	if path.Ext(p) == "" || proof.LanguageOf(p) != "" || proof.IsDocument(strings.ToLower(path.Base(p))) {
		return false
	}
	return slices.ContainsFunc(g.texts, func(t gateText) bool { return t.commands && t.includesByForm(p) })
}

// included reports whether a script or makefile of the gate would run a new file, or a
// program of C in a folder of checks include it.
func (g *gateRun) included(p string) bool {
	for q := range g.checkers {
		if proof.DirOf(q) == proof.DirOf(p) && proof.LanguageOf(q) == "c" && proof.LanguageOf(p) == "c" && checkName(proof.DirOf(p)) {
			return true
		}
	}
	return slices.ContainsFunc(g.texts, func(t gateText) bool { return t.includes(p, g.gateDir()) })
}

func (d *Diff) gateDir() string { return path.Clean("./" + d.Gate.Dir) }
