package status

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
)

// waitPlan returns when nobody runs the plan any more.
func (a *Commands) waitPlan(ctx context.Context, p *project.Project, id string, timeout time.Duration) error {
	var expired <-chan time.Time
	if timeout > 0 {
		expired = time.After(timeout)
	}
	for left := leaving; ; {
		l, err := p.Planner.Show(ctx, id)
		if err != nil {
			return err
		}
		if l.State.Status.Terminal() {
			expired, left = nil, left-1
		}
		if !l.Live || left == 0 {
			return a.PlanResult(ctx, p, l)
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-expired:
			return &exit.Error{Code: exit.Timeout, Err: fmt.Errorf("plan %s is still %s after %s", id, l.State.Status, timeout)}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *Commands) WaitCommand() *cobra.Command {
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "wait [ID]",
		GroupID: command.GroupRun,
		Short:   "Wait until a loop stops; the exit code tells how",
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

// wait returns when nobody drives the loop any more, or it needs a person.
func (a *Commands) wait(ctx context.Context, name string, timeout time.Duration) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	if is, err := a.AsPlan(ctx, p, name, func(id string) error { return a.waitPlan(ctx, p, id, timeout) }); is {
		return err
	}
	l, err := a.PickOrNewest(ctx, p, name)
	if err != nil {
		return err
	}
	var expired <-chan time.Time
	if timeout > 0 {
		expired = time.After(timeout)
	}
	for left := leaving; ; {
		if l, err = p.Engine.Show(ctx, l.State.ID); err != nil {
			return err
		}
		if l.State.Status.Terminal() {
			expired, left = nil, left-1
		}
		if !l.Live || left == 0 || runs.NeedsPerson(l.State) {
			if err := a.SettleDue(ctx, p, l); err != nil {
				return err
			}
			return a.waited(ctx, p, l)
		}
		select {
		case <-time.After(200 * time.Millisecond):
		case <-expired:
			return &exit.Error{Code: exit.Timeout, Err: fmt.Errorf("loop %s is still %s after %s", l.State.ID, project.Standing(l), timeout)}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (a *Commands) waited(ctx context.Context, p *project.Project, l engine.Loop) error {
	if a.JSON {
		if err := a.WriteLoop(ctx, p, l.State.ID); err != nil {
			return err
		}
	} else {
		a.Say("%s: %s", l.State.ID, project.Standing(l))
	}
	return exit.With(exit.CodeOf(engine.LoopOutcome(l.State)))
}
