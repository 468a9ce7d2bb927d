package serve

import (
	"context"
	"errors"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// addTeam begins to tell the user what happens to the runs of a team. Its workers resume
// them, so this process restarts nothing.
func (s *served) addTeam(ctx context.Context, own *foreground.Runner, p *project.Project) error {
	if len(p.Settings.NotifyTargets()) == 0 && !s.shows {
		p.Close()
		return &exit.Error{
			Code: exit.Usage, Err: errors.New("the workers of the team resume its runs, and no notify.targets are configured: nothing is left for serve"),
			Hint: "ralph notify --help tells how messages reach you; ralph web shows the runs",
		}
	}
	s.note(p, "watching the runs of the team of "+p.Root())
	s.answers.add(p)
	s.all.Go(func() {
		defer p.Close()
		defer own.Notifying(ctx, p)()
		<-ctx.Done()
	})
	return nil
}
