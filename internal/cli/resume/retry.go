package resume

import (
	"context"
	"errors"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/view"
)

func (a *Commands) RetryCommand() *cobra.Command {
	var f launch.Flags
	var withWork bool
	cmd := &cobra.Command{
		Use:     "retry ID",
		GroupID: command.GroupRun,
		Short:   "Start the task of an ended loop anew, from the commit at HEAD",
		Example: "  ralph retry ID\n  # continue what it left, instead of beginning anew\n  ralph retry ID --with-work\n  ralph retry ID --agent codex --max-iterations 3\n  ralph retry ID --budget 10USD\n  ralph retry ID --may-change 'api/**/*_test.go'\n  ralph retry ID --kind refactor",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "refuse", "agent", "agent-cmd"); err != nil {
				return err
			}
			return a.retry(cmd.Context(), command.First(args), withWork, f)
		},
	}
	cmd.Flags().StringVar(&f.Agent, "agent", "", "another agent, by `NAME`")
	cmd.Flags().StringVar(&f.AgentCmd, "agent-cmd", "", "another agent, by its `COMMAND` line")
	cmd.Flags().StringVar(&f.Iterations, "max-iterations", "", "at most `N` attempts")
	f.BudgetFlag(cmd.Flags())
	f.ProofFlags(cmd.Flags())
	cmd.Flags().BoolVar(&withWork, "with-work", false, "start from the work that the loop left, on top of HEAD")
	cmd.Flags().BoolVar(&f.Force, "force", false, "start even if the gates pass already, too many loops run, or another retry of it runs")
	cmd.Flags().BoolVar(&f.Events, "json-events", false, "write every event as a line of JSON to standard output")
	a.LoopIDFlag(cmd)
	a.runner.DetachFlag(cmd)
	return cmd
}

// retry starts a new loop with the frozen task, gates and limits of an old one.
func (a *Commands) retry(ctx context.Context, name string, withWork bool, f launch.Flags) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	flags, err := f.Settings()
	if err != nil {
		return err
	}
	if err := a.Configure(p, flags...); err != nil {
		return err
	}
	if err := a.Connect(ctx, p, false); err != nil {
		return err
	}
	defer p.Close()
	r, err := runs.Find(ctx, a.Opener, p, name, runs.Wanted{Loops: true, Ended: true, There: func(id string) string { return next.Retry(id) }})
	if err != nil {
		return err
	}
	if l, ok := r.(*runs.Plan); ok {
		return exit.UsageError(next.RunAgain(launch.ShownPath(a.Opener, l.Now.State.File), l.Now.State.Rules), "%s is a plan: run its file again, which tries what has failed (--fresh: all of it)", l.Now.State.ID)
	}
	old := r.(*runs.Loop).Now
	if old.State.Mode == loop.AgentDriven {
		return exit.UsageError("ralph loop init", "%s was driven by its agent, who alone can begin another", old.State.ID)
	}
	if !old.State.Status.Terminal() {
		return exit.UsageError(next.Resume(old.State.ID), "loop %s has not ended", old.State.ID)
	}
	if name == "" && old.State.Status == loop.StatusPassed {
		return exit.UsageError(next.Retry("ID"), "loop %s, which ended last, has passed: name the loop whose task is to be done again", old.State.ID)
	}
	if err := a.taskOfPlan(ctx, p, old); err != nil {
		return err
	}
	if err := retriedNow(ctx, p, old.State, f.Force); err != nil {
		return err
	}
	if p.Prompt, err = p.Template(); err != nil {
		return err
	}
	spec, err := a.retried(ctx, p, old.State.Spec, f)
	if err != nil {
		return err
	}
	spec.Guided = old.State.Unheard()
	if withWork {
		base, work := r.Diff()
		if work == base {
			work = ""
		}
		if err := launch.StartFromWork(ctx, a.Opener, p, &spec, old.State, base, work); err != nil {
			return err
		}
	}
	if err := a.Allow(ctx, p); err != nil {
		return err
	}
	if !f.Events {
		for _, line := range view.Opening(loop.New(spec, a.Now()), a.Palette(a.Err)) {
			a.Say("%s", line)
		}
	}
	return a.runner.DriveLoop(ctx, p, f.Events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		return p.Loops.Start(ctx, spec, engine.Options{Max: p.Settings.MaxLoops(), Force: f.Force}, d)
	})
}

// retriedNow refuses a retry beside another one that has not ended, unless it is forced.
func retriedNow(ctx context.Context, p *project.Project, old loop.State, force bool) error {
	if old.RetriedBy == "" || force {
		return nil
	}
	by, err := p.Loops.Show(ctx, old.RetriedBy)
	switch {
	case errors.Is(err, engine.ErrNotFound):
		return nil
	case err != nil:
		return err
	case by.State.Status.Terminal():
		return nil
	}
	return exit.UsageError(next.Status(old.RetriedBy)+" shows it; --force starts another one all the same", "loop %s is being retried by %s, which has not ended", old.ID, old.RetriedBy)
}

// again is what a retry replaces; zero values keep what the old loop had.
type again struct {
	id, base   string
	force      bool
	iterations int
	budget     loop.Amounts
	// The sandbox of loops that were made before there were any.
	sandbox          loop.Sandbox
	writable, hidden []string
	asked            bool
}

// anew returns the specification of a retry, without its agents and gates.
func anew(spec loop.Spec, by again) loop.Spec {
	spec.RetryOf, spec.Leftover = spec.ID, ""
	spec.ID, spec.Base, spec.Branch, spec.Force = by.id, by.base, "ralph/"+by.id, by.force
	if spec.Sandbox == "" {
		spec.Sandbox, spec.SandboxWrite, spec.SandboxAsked, spec.SandboxHide = by.sandbox, by.writable, by.asked, by.hidden
	}
	if by.iterations > 0 {
		spec.Limits.MaxIterations = by.iterations
	}
	spec.Budget = loop.Raise{Amounts: by.budget}.Over(spec.Budget)
	return spec
}

// retried returns the specification of a retry of an ended loop, at HEAD.
func (a *Commands) retried(ctx context.Context, p *project.Project, spec loop.Spec, f launch.Flags) (loop.Spec, error) {
	head, err := p.Repo.Head(ctx)
	if err != nil {
		return spec, err
	}
	by := again{
		base: head.Commit, force: f.Force, budget: p.Settings.BudgetOf(loop.TaskLevel),
		sandbox: loop.Sandbox(p.Settings.Settings.Sandbox), writable: p.Settings.Settings.Writable, hidden: p.Settings.Hidden(), asked: p.Settings.WritableAsked(),
	}
	if by.id, err = launch.LoopID(p, spec.Task.Text, ""); err != nil {
		return spec, err
	}
	if f.Iterations != "" {
		by.iterations = p.Settings.Limits().MaxIterations
	}
	spec = anew(spec, by)
	if _, err := os.Stat(spec.Root); err != nil || a.TeamAddress != nil { // the repository was renamed, or a worker's mirror
		spec.Root = p.TreeOrHome()
	}
	if err := launch.Permit(a.Opener, p, &spec, f); err != nil {
		return spec, err
	}
	if f.Agent != "" || f.AgentCmd != "" || spec.Agent.Use == "" { // none: it was another runner's
		if spec.Agent, err = launch.Agent(a.Opener, p, f); err != nil {
			return spec, err
		}
	}
	if err := launch.TakeTurns(a.Opener, p, &spec); err != nil {
		return spec, err
	}
	if err := launch.Affordable(p, spec); err != nil {
		return spec, err
	}
	if !runnable(spec.Gates) {
		if spec.Gates, err = launch.Gates(a.Opener, p, f); err != nil {
			return spec, err
		}
	}
	spec.Gates, err = launch.FreezeHidden(ctx, p, spec.Gates)
	return spec, err
}

// runnable reports whether ralph can evaluate the gates. Those of another runner's loop may be
// only names.
func runnable(gates []loop.Gate) bool {
	return len(gates) > 0 && !slices.ContainsFunc(gates, func(g loop.Gate) bool {
		return g.Run == "" && g.Kind != loop.KindVisual && g.Kind != loop.KindAnswer && !g.IsReview()
	})
}
