package detect

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Found is one proposed gate.
type Found struct {
	Gate loop.Gate
	// Why is the reason for users: `script "test"`. Source is the file that it is
	// from, relative to the root.
	Why    string
	Source string
	// Missing is a program that the gate needs and that is not installed.
	Missing string
	// Instead is a command that judges the same where that of Gate cannot start; empty is none.
	Instead string
}

// Step is one proposed setup command.
type Step struct {
	Run     string
	Source  string
	Missing string
}

// Project is the result for one directory.
type Project struct {
	// Dir is relative to the root, empty for the root itself.
	Dir     string
	Gates   []Found
	Setup   []Step
	Remarks []string
}

// Result is the result for a repository.
type Result struct {
	Project
	// Nested are projects in sub-directories that the root's gates do not
	// cover. Their gates have Dir set and names of their own.
	Nested []Project
}

// LookPath finds a program, as exec.LookPath does.
type LookPath func(name string) (string, error)

// Scan looks at a repository.
func Scan(fsys fs.FS, look LookPath) Result {
	root := scan(fsys, look, "")
	return Result{Project: root.out, Nested: nested(fsys, look, root)}
}

// scanner looks at one directory.
type scanner struct {
	fsys fs.FS
	look LookPath
	dir  string
	out  Project
	// covered are the languages whose gates here also test sub-directories.
	covered map[string]bool
}

func scan(fsys fs.FS, look LookPath, dir string) *scanner {
	s := &scanner{fsys: fsys, look: look, dir: dir, out: Project{Dir: dir}, covered: map[string]bool{}}
	for _, language := range []func(){s.golang, s.node, s.python, s.rust, s.java, s.make, s.script, s.visual, s.submodules} {
		language()
	}
	slices.SortStableFunc(s.out.Gates, func(a, b Found) int { return rank(a.Gate.Kind) - rank(b.Gate.Kind) })
	return s
}

// rank is the order in which gates run: the most frequent and most informative
// failures first.
func rank(k loop.Kind) int {
	return slices.Index([]loop.Kind{loop.KindTests, loop.KindTypes, loop.KindLint, loop.KindCoverage, loop.KindVisual}, k)
}

// propose adds a gate. Its name is its kind, followed by the language if that is
// taken. program must be installed; empty for none.
func (s *scanner) propose(g loop.Gate, language, program, source, why string) {
	if g.Level == "" {
		g.Level = loop.Hard
	}
	g.Name, g.Dir = string(g.Kind), s.dir
	if s.has(g.Kind) {
		g.Name += "-" + language
	}
	s.out.Gates = append(s.out.Gates, Found{Gate: g, Why: why, Source: s.at(source), Missing: s.missing(program)})
}

func (s *scanner) has(k loop.Kind) bool {
	return slices.ContainsFunc(s.out.Gates, func(f Found) bool { return f.Gate.Kind == k })
}

func (s *scanner) setup(run, program, source string) {
	s.out.Setup = append(s.out.Setup, Step{Run: run, Source: s.at(source), Missing: s.missing(program)})
}

func (s *scanner) remark(text string) { s.out.Remarks = append(s.out.Remarks, text) }

func (s *scanner) missing(program string) string {
	if program == "" || s.look == nil {
		return ""
	}
	if _, err := s.look(program); err != nil {
		return program
	}
	return ""
}

func (s *scanner) at(name string) string { return path.Join(s.dir, name) }

// slug turns a directory into a part of a gate's name.
func slug(dir string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-', r == '_':
			return r
		}
		return '-'
	}, strings.ToLower(dir))
	return strings.Trim(text[:min(len(text), 40)], "-")
}

// visual proposes the check of images if there are some. It is hard only in projects
// that already mark them; elsewhere the folder may serve a manual.
func (s *scanner) visual() {
	const dir = "screenshots"
	images, marked := 0, 0
	for _, name := range s.list(dir) {
		if !slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, strings.ToLower(path.Ext(name))) {
			continue
		}
		images++
		if strings.HasPrefix(name, "verified-") {
			marked++
		}
	}
	if images == 0 {
		return
	}
	g := loop.Gate{Kind: loop.KindVisual, Images: dir, Level: loop.Soft}
	if marked > 0 {
		g.Level = loop.Hard
	}
	s.propose(g, "images", "", dir, "a folder of pictures")
}

// submodules are empty in a fresh worktree.
func (s *scanner) submodules() {
	if s.dir == "" && s.first(".gitmodules") != "" {
		s.setup("git submodule update --init --recursive", "", ".gitmodules")
	}
}
