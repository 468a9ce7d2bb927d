package launch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/scope"
)

// SayUnmatched names the globs of the task's files and of judge files that match no
// file of the commit the work starts from: those of the loop, and grants of a plan's
// tasks. They may be about files to come, or misspelled.
func SayUnmatched(ctx context.Context, a *project.Opener, p *project.Project, s loop.Spec, grants ...string) error {
	permitted := slices.Concat(s.MayChange, grants)
	if len(permitted)+len(s.Protect)+len(s.Task.Scope) == 0 {
		return nil
	}
	files, err := p.Repo.ListTree(ctx, s.Base)
	if err != nil {
		return fmt.Errorf("list the files of %s: %w", s.Base, err)
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Path
	}
	for _, kind := range []struct {
		what  string
		globs []string
	}{{"scope", s.Task.Scope}, {"may change", permitted}, {"protect", s.Protect}} {
		if none := scope.Unmatched(kind.globs, names); len(none) > 0 {
			a.Note("%s: no file of the commit matches %s", kind.what, strings.Join(slices.Compact(none), ", "))
		}
	}
	return nil
}
