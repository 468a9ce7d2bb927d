package resume

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/view"
)

// continueDriven ends the pause of a loop that its agent drives, and says so.
func (a *Commands) continueDriven(ctx context.Context, p *project.Project, l engine.Loop, o engine.Options) error {
	if err := runs.Unpause(ctx, a.Opener, p, l, o); err != nil {
		return err
	}
	a.Say("%s: resumed; its agent continues with ralph loop check", l.State.ID)
	return nil
}

// resumeFlags are the flags of resume.
type resumeFlags struct {
	engine.Options
	events, crashed bool
	budget          []string
}

func (a *Commands) ResumeCommand() *cobra.Command {
	var f resumeFlags
	cmd := &cobra.Command{
		Use:     "resume [ID]",
		GroupID: command.GroupSteer,
		Short:   "Resume a paused, waiting or crashed loop or plan",
		Example: `  ralph resume ID
  ralph resume ID -d            # in the background
  ralph resume                  # at a terminal: asks what to do with each loop that crashed
  ralph resume --crashed        # every loop that crashed; several in the background
  ralph resume ID --now         # end the wait for a usage limit now, also of all loops of a plan
  ralph resume ID --budget +5USD   # one whose budget was used up
  ralph resume ID --from 3      # with the tree of checkpoint 3 (ralph show ID --checkpoints)
  ralph resume ID --take-over   # from an owner that lives but does nothing`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("from") && f.From < 1 {
				return exit.UsageError(next.Show("ID", "--checkpoints")+" lists them", "--from %d: checkpoints are counted from 1", f.From)
			}
			if f.crashed && len(args) > 0 {
				return exit.UsageError(next.Resume(args[0]), "name a loop or use --crashed, not both")
			}
			return a.resume(cmd.Context(), command.First(args), f)
		},
	}
	fl := cmd.Flags()
	fl.BoolVar(&f.TakeOver, "take-over", false, "fence the present owner, even if its process lives")
	fl.BoolVar(&f.Force, "force", false, "resume although too many loops run")
	fl.BoolVar(&f.Now, "now", false, "end the wait for a usage limit now; with --crashed: do not wait between tries")
	fl.StringArrayVar(&f.budget, "budget", nil, "set its budget to `AMOUNT`, or add to it: 10USD, +5USD, tokens=+2M, plan.money=+5USD; of a plan: its own, or its tasks' where it has none")
	fl.IntVar(&f.From, "from", 0, "put the work back to checkpoint `N` first; what is there is kept on a branch")
	fl.BoolVar(&f.crashed, "crashed", false, "every loop whose process is gone")
	fl.BoolVar(&f.Recovery, "rescue", false, "count as a try of the supervisor")
	_ = fl.MarkHidden("rescue")
	fl.BoolVar(&f.events, "json-events", false, "write every event as a line of JSON to standard output")
	cmd.MarkFlagsMutuallyExclusive("crashed", "from")
	cmd.MarkFlagsMutuallyExclusive("crashed", "take-over")
	cmd.MarkFlagsMutuallyExclusive("crashed", "json-events")
	a.LoopIDFlag(cmd)
	a.runner.DetachFlag(cmd)
	return cmd
}

func (a *Commands) resume(ctx context.Context, name string, f resumeFlags) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	if f.crashed {
		return a.resumeCrashed(ctx, p, f)
	}
	if name == "" {
		crashed, err := crashedLoops(ctx, p)
		switch {
		case err != nil:
			return err
		case len(crashed) > 0 && a.Asks():
			return a.offer(ctx, p, crashed, f)
		case len(crashed) > 1:
			return listed(crashed)
		}
	}
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{There: func(id string) string { return next.Resume(id) }})
	if err != nil {
		return err
	}
	if l, ok := r.(*runs.Plan); ok {
		return a.resumePlan(ctx, p, l, f)
	}
	return a.resumeLoop(ctx, p, r.(*runs.Loop).Now, f)
}

// resumeLoop resumes one loop in this process.
func (a *Commands) resumeLoop(ctx context.Context, p *project.Project, l engine.Loop, f resumeFlags) error {
	if l.State.Mode == loop.AgentDriven {
		return a.continueDriven(ctx, p, l, f.Options)
	}
	if l.State.Status.Terminal() && len(f.budget) > 0 {
		if err := a.taskOfPlan(ctx, p, l); err != nil {
			return err
		}
		return exit.UsageError(next.Retry(l.State.ID, "--budget", strings.Replace(f.budget[0], "+", "", 1)), "loop %s has ended: a retry has a budget of its own", l.State.ID)
	}
	if l.State.Status == loop.StatusPassed && l.State.Task.Plan == nil && f.From == 0 {
		return passedLoop(l)
	}
	if err := runs.RaiseLoop(ctx, a.Opener, p, l.State, f.budget); err != nil {
		return err
	}
	if len(f.budget) > 0 && l.Live && !f.TakeOver && !f.Now {
		a.Say("its process continues with the new budget; follow it with: %s", next.Follow(l.State.ID))
		return runs.OfLoop(a.Opener, p, l).Ending(ctx)
	}
	f.budget = nil // its plan, if it has one, is not to raise it again
	if f.Now && l.Live && !f.TakeOver && l.State.Status == loop.Waiting && l.State.Open() == nil {
		return a.wake(ctx, p, l)
	}
	if done, err := a.planOfLoop(ctx, p, l, f); done {
		return err
	}
	if q := l.State.Open(); q != nil && (a.runner.Handoff != nil || !a.Asks()) {
		a.Say("it waits for an answer: %s", view.AskedBy(*q, a.Now()))
		if a.runner.Handoff != nil && runs.NeedsPerson(l.State) {
			return &exit.Error{
				Code: exit.Human, Err: errors.New("nothing to do in the background before it is answered"),
				Hint: project.Item(l).Run(a.Now()).Next,
			}
		}
	}
	if f.From > 0 {
		a.runner.Recorded = loop.Restored{}.Name()
	}
	return a.runner.DriveLoop(ctx, p, f.events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		f.Max = p.Settings.MaxLoops()
		return p.Loops.Resume(ctx, l.State.ID, f.Options, d)
	})
}

// passedLoop returns why a loop that has passed is not resumed, and what is left to do.
func passedLoop(l engine.Loop) error {
	id, stands := l.State.ID, "has passed"
	if l.State.Accepted != "" {
		stands = "is accepted"
	}
	hint := next.Archive(id)
	switch {
	case l.Archived:
		stands, hint = stands+" and archived", next.Show(id)
	case l.State.Acceptable():
		hint = next.Accept(id)
	}
	return exit.UsageError(hint, "loop %s %s: there is nothing to resume", id, stands)
}

// wake ends the wait of a loop that another process runs.
func (a *Commands) wake(ctx context.Context, p *project.Project, l engine.Loop) error {
	r := runs.OfLoop(a.Opener, p, l)
	if err := r.Send(ctx, engine.Command{Kind: engine.Wake, By: a.Owner()}); err != nil {
		return err
	}
	a.Say("%s: tried now, by the process that runs it; %s follows it", l.State.ID, next.Follow(l.State.ID))
	return r.Ending(ctx)
}
