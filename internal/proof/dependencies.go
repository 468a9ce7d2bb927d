package proof

import (
	"path"
	"slices"
	"strings"
)

// lockFiles are names, in lower case, of the files in which package managers record what
// they installed.
var lockFiles = []string{
	"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "yarn.lock", "bun.lockb", "bun.lock", "go.sum",
	"cargo.lock", "poetry.lock", "uv.lock", "pipfile", "pipfile.lock", "gemfile.lock", "composer.lock",
}

// DependenciesChanged reports whether two commits differ in a file that lists dependencies:
// a manifest or a lock file.
func DependenciesChanged(base, work []File) bool {
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
	return manifestOf(p) != nil || slices.Contains(lockFiles, strings.ToLower(path.Base(p))) && !vendored(p)
}
