package launch

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/scope"
)

// SayUnmatched names the globs of the task's files and of judge files that match no
// file of the commit the work starts from: those of the loop, and those that tasks of a plan
// permit. They may be about files to come, or misspelled.
func SayUnmatched(ctx context.Context, a *project.Opener, p *project.Project, s loop.Spec, tasks ...plan.Task) error {
	type globs struct {
		what  string
		globs []string
	}
	all := []globs{{"scope", s.Task.Scope}, {"may change", s.MayChange}, {"protect", s.Protect}}
	for _, t := range tasks {
		all = append(all, globs{"task " + t.ID + ": may change", t.MayChange})
	}
	if !slices.ContainsFunc(all, func(g globs) bool { return len(g.globs) > 0 }) {
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
	for _, kind := range all {
		if none := scope.Unmatched(kind.globs, names); len(none) > 0 {
			a.Note("%s: no file of the commit matches %s", kind.what, strings.Join(slices.Compact(none), ", "))
		}
	}
	return nil
}
