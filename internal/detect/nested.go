package detect

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// maxNested and maxDepth bound the search in a large repository.
const (
	maxNested = 20
	maxDepth  = 3
)

// manifests mark a folder as a project of its own in a language.
func manifests() map[string]string {
	return map[string]string{
		"go.mod": "go", "package.json": "node", "pyproject.toml": "python", "setup.py": "python",
		"Cargo.toml": "rust", "pom.xml": "java", "build.gradle": "java", "build.gradle.kts": "java",
	}
}

// nested lists the projects below the root that its gates do not cover.
func nested(fsys fs.FS, look LookPath, root *scanner) []Project {
	var all []Project
	for _, dir := range projectDirs(fsys, root.covered) {
		p := scan(fsys, look, dir).out
		if len(p.Gates) == 0 {
			continue
		}
		rename(&p, root.out.Gates, all)
		if all = append(all, p); len(all) == maxNested {
			break
		}
	}
	return all
}

func projectDirs(fsys fs.FS, covered map[string]bool) []string {
	var dirs []string
	seen := 0
	_ = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		seen++
		switch {
		case seen > maxEntries:
			return fs.SkipAll
		case err != nil, d.IsDir() && name != "." && (skipped(d.Name()) || strings.Count(name, "/") >= maxDepth):
			return fs.SkipDir
		}
		language, dir := manifests()[d.Name()], path.Dir(name)
		if !d.IsDir() && language != "" && dir != "." && !covered[language] && !slices.Contains(dirs, dir) {
			dirs = append(dirs, dir)
		}
		return nil
	})
	return dirs
}

// rename gives the gates of a nested project unique names.
func rename(p *Project, root []Found, others []Project) {
	taken := map[string]bool{}
	for _, f := range root {
		taken[f.Gate.Name] = true
	}
	for _, o := range others {
		for _, f := range o.Gates {
			taken[f.Gate.Name] = true
		}
	}
	suffix := slug(p.Dir)
	for i := range p.Gates {
		g := &p.Gates[i].Gate
		g.Name += "-" + suffix
		for base, n := g.Name, 2; taken[g.Name]; n++ {
			g.Name = base + "-" + strconv.Itoa(n)
		}
		taken[g.Name] = true
	}
}
