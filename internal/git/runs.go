package git

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// runsProgram reports whether the value of a key of configuration names what git runs, or
// reads as further configuration: https://git-scm.com/docs/git-config#_variables
func runsProgram(key string) bool {
	section, rest, _ := strings.Cut(key, ".")
	variable := rest[strings.LastIndexByte(rest, '.')+1:]
	switch section {
	case "core":
		return slices.Contains([]string{"hookspath", "fsmonitor", "sshcommand", "editor", "pager", "askpass", "gitproxy"}, variable)
	case "include", "includeif":
		return variable == "path"
	case "filter", "diff", "merge", "difftool", "mergetool", "gpg", "credential", "sequence", "hook":
		return slices.Contains([]string{"clean", "smudge", "process", "command", "textconv", "external", "driver", "cmd", "path", "program", "helper", "editor"}, variable)
	}
	return section == "alias" || section == "pager"
}

// Runs returns the paths in the work tree that the user's configuration of git names as
// what git runs or reads as configuration, from the root of the tree: files, and the folder of
// hooks. Sorted.
func (r *Repo) Runs(ctx context.Context) ([]string, error) {
	d, err := r.drivers(ctx, r.gitDir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, value := range d.runs {
		for _, word := range strings.Fields(strings.TrimPrefix(value, "!")) {
			word = filepath.ToSlash(strings.Trim(word, `"';()`))
			if p := r.inTree(strings.TrimPrefix(word, "./")); p != "" && !slices.Contains(found, p) && strings.Contains(word, "/") {
				found = append(found, p)
			}
		}
	}
	slices.Sort(found)
	return found, nil
}

// inTree returns a path of the configuration from the root of the tree; "" for one outside.
// Included files are relative to the git directory.
func (r *Repo) inTree(name string) string {
	for _, root := range []string{r.Root, r.MainRoot} {
		if root == "" {
			continue
		}
		at := name
		if rest, ok := strings.CutPrefix(name, "../"); ok {
			at = rest
		} else if rest, ok := strings.CutPrefix(name, "~/"); ok {
			home, _ := os.UserHomeDir()
			at = filepath.ToSlash(filepath.Join(home, rest))
		}
		if path.IsAbs(at) || filepath.IsAbs(at) {
			rel, err := filepath.Rel(root, filepath.FromSlash(at))
			if err != nil {
				continue
			}
			at = filepath.ToSlash(rel)
		}
		if at = path.Clean(at); at != "." && filepath.IsLocal(at) && !strings.HasPrefix(at, ".git/") {
			return at
		}
	}
	return ""
}
