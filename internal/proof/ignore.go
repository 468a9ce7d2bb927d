package proof

import (
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// IgnoreGlob is a pattern of a .gitignore in a folder as a glob from the root; "" of
// none.
func IgnoreGlob(dir, pattern string) string {
	if pattern == "" || strings.HasPrefix(pattern, "#") || strings.HasPrefix(pattern, "!") {
		return ""
	}
	name := strings.TrimSuffix(pattern, "/")
	name = strings.NewReplacer("{", `\{`, "}", `\}`).Replace(name)
	if strings.Contains(name, "/") {
		return path.Join(dir, name)
	}
	return path.Join(dir, "**", name)
}

// Ignored returns what reports whether the files called .gitignore of a commit ignore a path: of
// several patterns that match the last one counts.
func Ignored(files map[string]File, content func(id string) ([]byte, error)) (func(p string) bool, error) {
	type pattern struct {
		glob string
		kept bool
	}
	var patterns []pattern
	for _, p := range SortedPaths(files) { // those of outer folders come first
		if path.Base(p) != ".gitignore" || !IsFile(files[p]) {
			continue
		}
		data, err := content(files[p].ID)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(data)) {
			name, kept := strings.CutPrefix(strings.TrimRight(line, " \r\n"), "!")
			if glob := IgnoreGlob(DirOf(p), name); glob != "" {
				patterns = append(patterns, pattern{glob, kept})
			}
		}
	}
	return func(p string) bool {
		ignored := false
		for _, of := range patterns {
			if doublestar.MatchUnvalidated(of.glob, p) || doublestar.MatchUnvalidated(of.glob+"/**", p) {
				ignored = !of.kept
			}
		}
		return ignored
	}, nil
}
