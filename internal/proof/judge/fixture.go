package judge

import (
	"errors"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// dataNames are the endings of files that tests read: inputs and expected values.
var dataNames = []string{".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".yaml", ".yml", ".toml", ".txt", ".xml", ".html", ".dat", ".data", ".out", ".expected", ".sql", ".bin", ".in", ".ini", ".cfg", ".conf", ".properties", ".env"}

// holdsCases reports whether a file of data on the base belongs to its tests: their
// sources, or the scripts and programs that the gate runs, read it, and no source of the
// product names it.
func (g *gateRun) holdsCases(f proof.File) (bool, error) {
	name := path.Base(f.Path)
	if manifest.Of(f.Path) != nil || proof.Matches(proof.Installs, strings.ToLower(name)) || !proof.IsFile(f) || proof.LanguageOf(f.Path) != "" {
		return false, nil
	}
	paired := g.isPaired(f.Path)
	if !paired && !anyData(f.Path) && path.Ext(name) != "" {
		return false, nil
	}
	data, err := g.Content(f.ID)
	if err != nil || defines(name, data) {
		return false, err
	}
	judging := map[string]bool{}
	for _, t := range g.texts {
		judging[t.from] = true
	}
	by := paired || slices.ContainsFunc(g.texts, func(t gateText) bool { return t.reads(g.Diff, f.Path) && !g.makesSources(t) })
	if !by {
		if by, err = g.inputOfCheck(f.Path); err != nil {
			return false, err
		}
	}
	literal := regexp.MustCompile(`["'/]` + regexp.QuoteMeta(name) + `["'\s]`)
	folder, made := folderNamed(f.Path), makesName(f.Path)
	mentions := func(text, from string, test bool) bool {
		named := folder != nil && folder.MatchString(text)
		return strings.Contains(text, name) && (anyData(f.Path) || literal.MatchString(text)) ||
			named && anyData(f.Path) && takesPattern.MatchString(text) && (!test || g.mayCompare(f.Path, from, text)) || paired && folderOf(f.Path).MatchString(text) ||
			!test && made.MatchString(text) && (named || proof.DirOf(from) == proof.DirOf(f.Path))
	}
	names := func(test bool) (is, more bool, err error) {
		files, more, err := g.reading(func(s proof.File) bool {
			_, isTest := g.isTest(s.Path)
			source := proof.LanguageOf(s.Path) != "" || s.Mode == proof.ExecMode && path.Ext(s.Path) == ""
			return source && isTest == test && s.Path != f.Path && !judging[s.Path]
		})
		for _, s := range files {
			data, bad := g.Content(s.ID)
			if err = errors.Join(err, bad); err != nil || mentions(string(data), s.Path, test) {
				return err == nil, more, err
			}
		}
		return false, more, err
	}
	if !by && anyData(f.Path) {
		if by, _, err = names(true); err != nil {
			return false, err
		}
	}
	if !by {
		return false, nil
	}
	read, more, err := names(false) // with more, it is not known whether the product reads it
	return !read && !more, err
}

// mayCompare reports whether a test that searches the folder of a file can compare the product
// with it. One of Python or JavaScript that uses nothing of the project, nor a conftest.py that
// does, checks the files themselves, which are the work; rows of a database reach the product
// without a name.
func (d *Diff) mayCompare(file, from, text string) bool {
	lang := proof.LanguageOf(from)
	if lang != "python" && lang != "js" || strings.EqualFold(path.Ext(file), ".sql") || proof.IsConfig(from) || d.usesProject(gateText{from: from, text: text}) {
		return true
	}
	for dir := proof.DirOf(from); lang == "python"; dir = proof.DirOf(dir) {
		f, here := d.Before[path.Join(dir, "conftest.py")]
		if here {
			if data, err := d.Content(f.ID); err != nil || d.usesProject(gateText{from: f.Path, text: string(data)}) {
				return true
			}
		}
		if dir == "." {
			break
		}
	}
	return false
}

var (
	// asserts matches a statement that compares what the product does.
	asserts = lazyregexp.New(`(?m)^[ \t]*assert[ (]|['"](?:node:)?assert(?:/strict)?['"]|^[ \t]*raise AssertionError`)
	// converses matches a program that takes its input from where it was called.
	converses = lazyregexp.New(`\bsys\.argv\b|\bargparse\b|\binput\(|\bstdin\b|\bprocess\.argv\b|\bcreateServer\b|\blisten\(|^#!.*\bflask\b`)
)

// checks reports whether a source of the base is a program that tests: see addCommands and
// asserts.
func (g *gateRun) checks(f proof.File) (bool, error) {
	if is, err := g.asserts(f); is || err != nil {
		return is, err
	}
	if g.checkers[f.Path] || g.checksItself(f) {
		return true, nil
	}
	return g.expects(f.Path)
}

// selfCheck matches the name by which a program checks itself, in a command or of a source.
var selfCheck = lazyregexp.New(`(?i)(?:^|[^a-z])self[-_]?(?:check|test)s?(?:[^a-z]|$)`)

// checksItself reports whether a source has the name of what a command of the gate asks the
// product to do: to check itself ("python3 -m app selfcheck", app/selfcheck.py).
func (g *gateRun) checksItself(f proof.File) bool {
	return proof.IsFile(f) && proof.LanguageOf(f.Path) != "" && selfCheck.MatchString(g.commands) && proof.Within(f.Path+"/x", func(name string) bool { return selfCheck.MatchString(strings.TrimSuffix(name, path.Ext(name))) })
}

// asserts reports whether a source of the base is a program that asserts: a script of the
// gate names it, it imports the product, and reads nothing from its caller.
func (r *reach) asserts(f proof.File) (bool, error) {
	lang := proof.LanguageOf(f.Path)
	if lang != "python" && lang != "js" || !proof.IsFile(f) {
		return false, nil
	}
	if !r.mentions[f.Path] {
		return false, nil
	}
	data, err := r.Content(f.ID)
	if err != nil || len(data) > longestScript {
		return false, err
	}
	text := string(data)
	switch {
	case !asserts.MatchString(text) || converses.MatchString(text):
		return false, nil
	case lang == "js":
		return true, nil
	case !r.importsProject(text):
		return false, nil
	}
	product, err := r.imported(f.Path)
	return !product, err
}
