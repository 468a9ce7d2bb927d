package git

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// RestoreFrom restores protected files of a gate worktree to their content in
// base: changed and deleted ones return, added ones are removed. Patterns are
// doublestar globs over the whole path, from the top ("tests/**",
// "**/*_test.go"); one that names a folder includes its contents. Paths that
// match except stay as they are. It returns the restored paths: if there are any,
// the judged commit changed what judges it.
//
// Only files change, not the index; the next CheckoutDetached undoes it. Ignored
// files are not restored.
func (r *Repo) RestoreFrom(ctx context.Context, tree, base string, patterns []string, except ...string) ([]string, error) {
	for _, pat := range slices.Concat(patterns, except) {
		if !doublestar.ValidatePattern(pat) {
			return nil, fmt.Errorf("protected paths: bad pattern %q", pat)
		}
	}
	if len(patterns) == 0 {
		return nil, nil
	}
	p, err := r.linked(tree)
	if err != nil {
		return nil, err
	}
	out, err := r.git(ctx, p, "diff-index", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty", base, "--")
	if err != nil {
		return nil, err
	}
	touched := slices.DeleteFunc(fields(out), func(path string) bool { return !matchesAny(patterns, path) || matchesAny(except, path) })
	if len(touched) == 0 {
		return nil, nil
	}
	_, err = r.feed(ctx, p, nulls(touched), "restore", "--quiet", "--source="+base, "--worktree", "--no-overlay",
		"--ignore-unmerged", "--pathspec-from-file=-", "--pathspec-file-nul")
	return touched, err
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(pat string) bool {
		pat = strings.TrimSuffix(strings.TrimPrefix(pat, "./"), "/")
		return pat == path || doublestar.MatchUnvalidated(pat, path) || doublestar.MatchUnvalidated(pat+"/**", path)
	})
}
