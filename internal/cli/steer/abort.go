package steer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
)

// abortFlags select the loops to end.
type abortFlags struct {
	reason string
	all    bool
	parent string
}

func (a *Commands) AbortCommand() *cobra.Command {
	var f abortFlags
	cmd := &cobra.Command{
		Use:     "abort [ID]",
		GroupID: command.GroupSteer,
		Short:   "End a loop, or many; their work is kept on branches",
		Example: `  ralph abort ID --reason "wrong approach"
  ralph abort --all               # every loop of this repository that has not ended
  ralph abort --parent ID         # every loop of an orchestration`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "parent"); err != nil {
				return err
			}
			if (f.all || f.parent != "") && len(args) > 0 {
				return exit.UsageError(next.Abort(args[0]), "name a loop, or several with --all or --parent, not both")
			}
			if f.all || f.parent != "" {
				return a.abortMany(cmd.Context(), f)
			}
			return a.abort(cmd.Context(), command.First(args), f.reason)
		},
	}
	cmd.Flags().StringVar(&f.reason, "reason", "", "`TEXT` that says why, for the record")
	cmd.Flags().BoolVar(&f.all, "all", false, "every loop that has not ended; asks first")
	cmd.Flags().StringVar(&f.parent, "parent", "", "every loop of the orchestration `ID`")
	cmd.MarkFlagsMutuallyExclusive("all", "parent")
	a.LoopIDFlag(cmd)
	return cmd
}

// abort ends a loop and waits until it is closed.
func (a *Commands) abort(ctx context.Context, name, reason string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{There: next.Abort})
	if err != nil {
		return err
	}
	if o := r.Outcome(); name == "" && a.Asks() && !o.Status.Terminal() {
		yes, err := a.YesOrNo(ctx, fmt.Sprintf("End %s for good? Its work is kept. [y/N] ", o.ID), false)
		if err != nil {
			return err
		}
		if !yes {
			return exit.UsageError(next.Abort(o.ID), "nothing was ended")
		}
	}
	done, err := r.Abort(ctx, reason)
	if o := r.Outcome(); err != nil && o.Status.Terminal() {
		return exit.UsageError(next.EndedAlready(o.ID, r.Offer().Commit != "" && r.Accepted() == "" && o.Status == loop.StatusPassed, r.Kind() == "loop" && o.Status != loop.StatusPassed),
			"%s %s has ended (%s): there is nothing to abort", r.Kind(), o.ID, o.Status)
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return r.Write(ctx)
	}
	a.Say("%s", done)
	return nil
}

// abortMany ends all selected loops at once. A failure for one does not stop
// the others.
func (a *Commands) abortMany(ctx context.Context, f abortFlags) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	loops, err := a.toAbort(ctx, p, f)
	if err != nil {
		return err
	}
	if f.all && len(loops) > 0 {
		yes, err := a.Confirm(ctx, fmt.Sprintf("end %d loops (%s)?", len(loops), strings.Join(runs.IDs(loops), ", ")))
		if err != nil {
			return err
		}
		if !yes {
			return exit.UsageError(next.Abort("ID")+" ends a single one", "nothing was ended")
		}
	}
	closed, err := a.closeAll(ctx, p, loops, f.reason)
	if a.JSON {
		return errors.Join(runs.WriteList(ctx, a.Opener, p, runs.IDs(loops)), err)
	}
	for _, s := range closed {
		if s.Status.Terminal() {
			a.Say("%s", runs.Ended(s))
		}
	}
	if len(loops) == 0 {
		a.Say("no active loop here")
	}
	return err
}

// toAbort returns the loops that a flag selects. An orchestration without loops
// was probably mistyped.
func (a *Commands) toAbort(ctx context.Context, p *project.Project, f abortFlags) ([]engine.Loop, error) {
	active, err := p.Loops.List(ctx, engine.Filter{Active: true})
	if err != nil || f.all {
		return active, err
	}
	var out []engine.Loop
	for _, l := range active {
		if l.State.Parent == f.parent {
			out = append(out, l)
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	all, err := p.Loops.List(ctx, engine.Filter{})
	for _, l := range all {
		if l.State.Parent == f.parent {
			return nil, err
		}
	}
	if err == nil {
		err = exit.UsageError("ralph status --all shows which loops belong to one", "no loop belongs to %s", f.parent)
	}
	return nil, err
}

func (a *Commands) closeAll(ctx context.Context, p *project.Project, loops []engine.Loop, reason string) ([]loop.State, error) {
	closed, failed := make([]loop.State, len(loops)), make([]error, len(loops))
	var all sync.WaitGroup
	for i, l := range loops {
		all.Go(func() {
			closed[i], failed[i] = runs.EndLoop(ctx, a.Opener, p, l.State.ID, reason)
			if errors.Is(failed[i], engine.ErrEnded) {
				failed[i] = nil // by itself, meanwhile
			} else if failed[i] != nil {
				failed[i] = fmt.Errorf("end loop %s: %w", l.State.ID, failed[i])
			}
		})
	}
	all.Wait()
	return closed, errors.Join(failed...)
}
