package judge

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// lockFiles are names, in lower case, of the files in which package managers record what
// they installed.
var lockFiles = []string{
	"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "yarn.lock", "bun.lockb", "bun.lock", "go.sum",
	"cargo.lock", "poetry.lock", "uv.lock", "pipfile", "pipfile.lock", "gemfile.lock", "composer.lock",
}

// DependenciesChanged reports whether two commits differ in a file that lists dependencies:
// a manifest or a lock file.
func DependenciesChanged(base, work []proof.File) bool {
	lists := map[string]string{}
	for _, f := range base {
		if listsDependencies(f.Path) {
			lists[f.Path] = f.ID
		}
	}
	for _, f := range work {
		if !listsDependencies(f.Path) {
			continue
		}
		if id, had := lists[f.Path]; !had || id != f.ID {
			return true
		}
		delete(lists, f.Path)
	}
	return len(lists) > 0
}

func listsDependencies(p string) bool {
	return manifest.Of(p) != nil || slices.Contains(lockFiles, strings.ToLower(path.Base(p))) && !vendored(p)
}

// KeptManifests returns the files that list dependencies and that these edits put back
// whole: they changed in more than plain dependencies, so that none of them counts.
func (c Case) KeptManifests(j Judges) (paths []string) {
	base := proof.Index(c.Base)
	for _, e := range j.Edits {
		if f, had := base[e.Path]; had && e.ID == f.ID && e.ID != "" && manifest.Of(e.Path) != nil {
			paths = append(paths, e.Path)
		}
	}
	return paths
}
