package status

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
)

func (a *Commands) WaitCommand() *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "wait [ID]",
		GroupID: command.GroupRun,
		Short:   "Wait until a loop stops; the exit code says how it ended",
		Example: "  ralph wait ID && ralph accept ID\n  ralph wait ID --timeout 30m",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.wait(cmd.Context(), command.First(args), timeout)
		},
	}
	cmd.Flags().DurationVar(&timeout, "timeout", 0, "give up after `DURATION` with exit code 124")
	a.LoopIDFlag(cmd)
	return cmd
}

// leaving is how many looks a process is given that has recorded an end, to do what
// comes with it and to go: the next command finds everything in its place then.
const leaving = 25

// wait returns when no process drives the run any more, or it needs a person.
func (a *Commands) wait(ctx context.Context, name string, timeout time.Duration) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{Ended: true})
	if err != nil {
		return err
	}
	var expired <-chan time.Time
	if timeout > 0 {
		expired = time.After(timeout)
	}
	var away engine.Outage
	for left := leaving; ; {
		err := r.Load(ctx)
		silent := away.Passes(a.Say, err)
		if err != nil && !silent {
			return err
		}
		now := r.Outcome()
		if !silent && now.Status.Terminal() {
			expired, left = nil, left-1
		}
		if !silent && (!r.Live() || left == 0 || r.NeedsPerson() || now.Reason == loop.ForLogin) {
			// Its process may have recorded more between the look at its state and the look
			// at its lock.
			if err := r.Load(ctx); err != nil {
				return err
			}
			err := r.Result(ctx)
			if r.NeedsPerson() && r.Live() { // its agent works on, and may wait for the answer
				return exit.With(exit.Human)
			}
			return err
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-expired:
			return &exit.Error{Code: exit.Timeout, Err: fmt.Errorf("%s %s is still %s after %s", r.Kind(), now.ID, r.StatusText(), timeout)}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
