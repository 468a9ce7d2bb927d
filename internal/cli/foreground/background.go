package foreground

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// DetachFlag gives a command that runs a loop -d. With it the command starts
// itself again in the background, and ends when the loop is recorded there.
func (a *Runner) DetachFlag(cmd *cobra.Command) {
	detach := cmd.Flags().BoolP("detach", "d", false, "run in the background: the loop survives this terminal")
	cmd.MarkFlagsMutuallyExclusive("detach", "json-events")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *detach && a.TeamAddress != nil { // a worker drives it, whether this command stays or not
			a.Leaves = true
			return run(cmd, args)
		}
		if *detach && a.Handoff == nil {
			return a.inBackground(cmd.Context(), a.Args)
		}
		return run(cmd, args)
	}
}

// inBackground starts a command of ours in the background. Until its loop is
// recorded it asks, prints and refuses in our place.
func (a *Runner) inBackground(ctx context.Context, args []string) error {
	b := proc.Background{Args: args, Dir: a.Started, Env: a.Env}
	b.In, _ = a.In.(*os.File)
	b.Out = command.File(a.Out)
	b.Err, _ = a.Err.(*os.File)
	parted, err := b.Start(ctx)
	switch {
	case errors.Is(err, proc.ErrNoBackground):
		return &exit.Error{Code: exit.Missing, Err: err, Hint: "leave out --detach"}
	case err != nil:
		return err
	case parted.Detached:
		return nil
	case parted.Code < 0:
		return errors.New("the process in the background was killed before it had recorded a loop")
	}
	return exit.With(parted.Code)
}

// starterWaits refuses to begin work that no starter waits for: a command that the user
// ended before its loop was recorded starts nothing.
func (a *Runner) starterWaits() error {
	if a.Handoff != nil && !a.Handoff.Waiting() {
		return &exit.Error{Code: exit.Interrupted, Err: errors.New("ended before the loop was recorded; nothing was started")}
	}
	return nil
}

// handsOff reports whether the background hand-off happens at this event.
func (a *Runner) handsOff(u engine.Update) bool {
	if a.Recorded != "" {
		return u.Event != nil && u.Event.Name() == a.Recorded
	}
	return u.After.Status != loop.Pending && u.After.Status != loop.Paused
}

// intoBackground tells the person what runs now, and leaves the terminal: object
// writes it for programs. From here on everything that is said is for the log.
func (a *Runner) intoBackground(p *project.Project, s *Screen, id, log string, object func() error) {
	if err := a.sayStarted(id, object); err != nil {
		a.Say("%s runs in the background: %v", id, err)
	}
	a.NoteRepository(p)
	a.Quiet, a.JSON = false, false
	if err := a.Handoff.Detach(log); err != nil {
		a.Say("continue in the background: %v", err)
	}
	s.Tty = false
}

func (a *Runner) sayStarted(id string, object func() error) error {
	if a.JSON {
		return object()
	}
	a.Print(id)
	for _, next := range [][2]string{
		{"status " + id, "how it stands"},
		{"logs " + id + " -f", "follow it"},
		{"watch", "all loops live"},
		{"wait " + id, "until it stops"},
		{"abort " + id, "end it; its work is kept"},
	} {
		a.Say("  ralph %s%s", fmt.Sprintf("%-*s  ", len(id)+8, next[0]), next[1])
	}
	return nil
}
