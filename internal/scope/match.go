package scope

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"ralph/internal/lazyregexp"
)

// Match says whether a path, relative to the root of the repository and with
// slashes, is in the scope. No scope at all matches nothing.
func Match(globs []string, name string) bool {
	for _, g := range globs {
		all, sure := alternatives(clean(g))
		if !sure {
			all = []string{clean(g)}
		}
		for _, g := range all {
			if doublestar.MatchUnvalidated(g, name) || !isFile(g) && doublestar.MatchUnvalidated(g+"/**", name) {
				return true
			}
		}
	}
	return false
}

var fileName = lazyregexp.New(`[^/.]\.[A-Za-z]{1,6}$`)

// isFile says whether a glob without braces ends like the name of a file. A
// folder that is named like one is the exception that costs a warning.
func isFile(glob string) bool { return fileName.MatchString(glob) }

// Valid says whether a glob can be matched: its brackets are closed, and it
// stays inside the repository.
func Valid(glob string) bool {
	g := clean(glob)
	return g != "" && doublestar.ValidatePattern(g) && !path.IsAbs(glob) && g != ".." && !strings.HasPrefix(g, "../")
}

// clean takes away "./" before and "/" behind.
func clean(glob string) string {
	for strings.HasPrefix(glob, "./") {
		glob = strings.TrimLeft(glob[2:], "/")
	}
	return strings.TrimRight(glob, "/")
}
