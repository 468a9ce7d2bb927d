package judge

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// A script that runs the product reads a file of data, and no source of the product does: what
// the product should give, as likely as what it is given ("done < cases.txt", "samples/*.json").
// Such data is no judge file, since it may be the work (packages.txt). Where the gate fails with
// it as on the base, the work is refused.
//
// What the base ignores is made where a gate runs: by set-up, by tools, or by the gate where it
// is not there. A file that the work adds in its place may stand for it.

// unexplained are the changes that put such data back and take such files away, without what
// people allowed to change.
func (g *gateRun) unexplained() ([]proof.Edit, error) {
	ignored, err := proof.Ignored(g.Before, g.Content)
	if err != nil {
		return nil, err
	}
	back := map[string]proof.Edit{}
	for _, p := range g.changed {
		f, had := g.Before[p]
		switch {
		case g.Permits(p):
		case !had && ignored(p):
			back[p] = proof.Edit{Path: p}
		case had:
			may, err := g.mayExpect(f)
			if err != nil {
				return nil, err
			}
			if !may {
				continue
			}
			data, err := g.Content(f.ID)
			if err != nil {
				return nil, err
			}
			back[p] = proof.Edit{Path: p, Mode: f.Mode, Data: data}
		}
	}
	g.clear(back)
	var edits []proof.Edit
	for _, p := range slices.Sorted(maps.Keys(back)) {
		edits = append(edits, back[p])
	}
	return edits, nil
}

// mostData bounds the files of data that a run is watched for.
const mostData = 2000

// Data are the files of data among those of a commit, by their endings.
func Data(files []proof.File) (paths []string) {
	for _, f := range files {
		if anyData(f.Path) && proof.IsFile(f) && len(paths) < mostData {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// ReadBy returns those of some files of data that tests or scripts of a gate read: see holdsCases
// and mayExpect.
func ReadBy(g loop.Gate, files []proof.File, paths []string, content func(id string) ([]byte, error)) (read []string, err error) {
	on, err := onBase(g, files, content)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		f, here := on.Before[p]
		if !here {
			continue
		}
		is, err := on.holdsCases(f)
		if err == nil && !is {
			is, err = on.mayExpect(f)
		}
		if err != nil {
			return nil, err
		}
		if is {
			read = append(read, p)
		}
	}
	return read, nil
}

// mayExpect reports whether a file of the base is such data.
func (g *gateRun) mayExpect(f proof.File) (bool, error) {
	name := path.Base(f.Path)
	if !proof.IsFile(f) || f.Mode == proof.ExecMode || path.Ext(name) == "" || proof.LanguageOf(f.Path) != "" || proof.IsConfig(f.Path) || !anyData(f.Path) && proof.IsDocument(strings.ToLower(name)) || manifest.Of(f.Path) != nil || proof.Matches(proof.Installs, strings.ToLower(name)) {
		return false, nil
	}
	if strings.Contains(g.Task, name) { // then it is the work
		return false, nil
	}
	folder := folderSearched(f.Path)
	mentions := func(text string) bool {
		return strings.Contains(text, name) || folder != nil && folder.MatchString(text) && (takesPattern.MatchString(text) || strings.Contains(text, "*"))
	}
	if !slices.ContainsFunc(g.texts, func(t gateText) bool { return mentions(t.text) && g.runsProduct(t) }) {
		return false, nil
	}
	made := makesName(f.Path)
	sources, more, err := g.reading(func(s proof.File) bool {
		_, test := g.isTest(s.Path)
		return proof.LanguageOf(s.Path) != "" && !test && !checks.MatchString(path.Base(s.Path)) && !slices.ContainsFunc(g.texts, func(t gateText) bool { return t.from == s.Path })
	})
	if err != nil || more {
		return false, err
	}
	for _, s := range sources {
		data, err := g.Content(s.ID)
		if err != nil {
			return false, err
		}
		if text := string(data); mentions(text) || made.MatchString(text) {
			return false, nil
		}
	}
	return true, nil
}

// folderSearched matches the folder of a file as a text names it, also in a word of a shell; nil
// for one at the root.
func folderSearched(p string) *regexp.Regexp {
	named := folderNamed(p)
	if named == nil {
		return nil
	}
	return regexp.MustCompile(named.String() + `|(?m)(?:^|[\s=(])(?:[\w./-]*/)?` + regexp.QuoteMeta(path.Base(proof.DirOf(p))) + `/`)
}

// runsModule matches a command that runs a program by another name than that of a source; its
// group is a module of Python.
var runsModule = lazyregexp.New(`\bpython[\d.]*\s+(?:-\w+\s+)*-m\s+(\w+)|\bgo\s+run\b|\bcargo\s+run\b|(?:^|[\s;&|(])\./\w`)

// runsProduct reports whether a text of the gate uses sources of the project: a program imports
// them, commands run one.
func (d *Diff) runsProduct(t gateText) bool {
	if !t.commands {
		return d.usesProject(t)
	}
	own := d.OwnModules()
	for _, line := range t.commandLines() {
		if m := runsModule.FindStringSubmatch(line); m != nil && (m[1] == "" || own[m[1]]) {
			return true
		}
		for _, w := range nameLike.FindAllString(line, -1) {
			p := path.Join(d.gateDir(), w)
			if f, here := d.Before[p]; here && p != t.from && (proof.LanguageOf(p) != "" || f.Mode == proof.ExecMode) {
				return true
			}
		}
	}
	return false
}
