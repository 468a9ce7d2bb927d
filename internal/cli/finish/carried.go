package finish

import (
	"context"

	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/text"
)

// sayCarried names the commit of the user's own changes with which the work of a loop
// begins (--with-changes): it is merged too, and no diff of the work shows it.
func (a *Commands) sayCarried(ctx context.Context, p *project.Project, r runs.Run) error {
	l, ok := r.(*runs.Loop)
	if !ok || !l.Now.State.WithChanges {
		return nil
	}
	commits, err := p.Repo.Log(ctx, "", l.Now.State.Base, 1)
	if err != nil || len(commits) == 0 || len(commits[0].Parents) == 0 {
		return err
	}
	changed, err := p.Repo.ChangedFiles(ctx, commits[0].Parents[0], l.Now.State.Base)
	if err != nil || len(changed) == 0 {
		return err
	}
	names := make([]string, len(changed))
	for i, c := range changed {
		names[i] = c.Path
	}
	a.Note("the work begins with your uncommitted changes, commit %.10s: %s (%s)",
		l.Now.State.Base, text.Plural(len(names), "file"), text.Line(text.Few(names, 5)))
	return nil
}
