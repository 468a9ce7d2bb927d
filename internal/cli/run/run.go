package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

// nested is what is wrong with a run that an agent in a sandbox begins in the
// repository of its own loop: all that it sees of that is its tree.
func (a *Commands) nested(err error) error {
	if a.Getenv("RALPH_SOCKET") == "" || exit.Classify(err).Code != exit.Internal {
		return err
	}
	return exit.UsageError("ralph loop init drives a loop from inside; ralph run is for the process that started this agent",
		"an agent in a sandbox cannot start loops of its own repository")
}

func (a *Commands) RunCommand() *cobra.Command {
	var f launch.Flags
	cmd := &cobra.Command{
		Use:     "run \"TASK\" | FILE",
		GroupID: command.GroupRun,
		Short:   "Let an agent work on a task, or on a plan of tasks, until the gates pass",
		Example: `  ralph run "fix the failing tests" --until "npm test"       # until the command exits 0
  ralph run "raise the coverage" --gate tests --gate coverage=80
  ralph run "port the parser" --agent codex --max-iterations 8
  ralph run "fix it" --until "make test" --agent-cmd "my-agent --stdin"
  ralph run "fix it" --until "make test" --budget 5USD --budget tokens=2M
  ralph run "fix it" --until "make test" -d                  # in the background; survives this terminal
  ralph run "fix it" --until "make test" --dry-run           # show everything, start nothing
  ralph run plan.md                    # a plan: task by task, in parallel, landed on one branch
  ralph run prd.json --until "npm test" --parallel 2 --on-failure ask`,
		Args: oneTask,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.UsageError("ralph run \"fix the failing tests\" --until \"go test ./...\"", "what is the task?")
			}
			if err := launch.NotEmpty(cmd, "refuse", "agent", "agent-cmd", "sandbox", "auto-test-fix", "approve-plan", "loop-id"); err != nil {
				return err
			}
			path, err := launch.PlanPath(a.Opener, args[0])
			if err != nil {
				return err
			}
			if f.Abandon && !f.Fresh {
				return exit.UsageError("add --fresh", "--abandon-moved begins a plan anew")
			}
			if path != "" {
				f.Plan.Bounded, f.Plan.Given = cmd.Flags().Changed("max-attempts"), launch.Given(cmd)
				return a.RunPlan(cmd.Context(), path, f)
			}
			for _, name := range []string{"task", "max-attempts", "abandon-moved"} {
				if cmd.Flags().Changed(name) {
					return exit.UsageError("leave it out (--max-iterations bounds the attempts of one task), or name a plan's file", "--%s is for a plan, and %q is one task", name, text.Headline(args[0], 100))
				}
			}
			return a.run(cmd.Context(), args[0], f)
		},
	}
	f.Add(cmd)
	a.runner.DetachFlag(cmd)
	return cmd
}

func (a *Commands) run(ctx context.Context, task string, f launch.Flags) error {
	p, err := a.Locate(ctx)
	if err != nil {
		return err
	}
	flags, err := f.Settings()
	if err != nil {
		return err
	}
	if err := a.Configure(p, append(flags, f.Plan.Settings()...)...); err != nil {
		return err
	}
	spec, err := launch.Spec(ctx, a.Opener, p, task, f)
	if err != nil {
		return a.nested(err)
	}
	if p.Prompt, err = p.Template(); err != nil {
		return err
	}
	if _, err := a.firstPrompt(p, loop.New(spec, a.Now())); err != nil {
		return err
	}
	holds, err := a.SandboxLine(ctx, p, spec)
	if err != nil {
		return err
	}
	if f.DryRun {
		return a.dryRun(ctx, p, spec)
	}
	if err := a.Allow(ctx, p); err != nil {
		return err
	}
	return a.start(ctx, p, spec, holds, f)
}

// start records the loop of a task and drives it, or resumes the one that has the task
// already. holds tells what will hold its agent.
func (a *Commands) start(ctx context.Context, p *project.Project, spec loop.Spec, holds string, f launch.Flags) error {
	if err := a.Connect(ctx, p, false); err != nil {
		return err
	}
	defer p.Close()
	id, err := a.sameTask(ctx, p, spec, f)
	if err != nil {
		return err
	}
	if id != "" {
		return a.resumeUnfinished(ctx, p, id, f)
	}
	if err := a.afterFailed(ctx, p, &spec, f); err != nil {
		return err
	}
	if err := a.NoRoom(p); err != nil {
		return err
	}
	if err := treeInUse(ctx, p, spec); err != nil {
		return err
	}
	if err := a.WarnBeside(ctx, p, spec, f.Force); err != nil {
		return err
	}
	a.sayUncommitted(ctx, p, spec)
	if err := launch.SayUnmatched(ctx, a.Opener, p, spec); err != nil {
		return err
	}
	launch.SayLikelyKind(a.Opener, spec)
	if !f.Events {
		a.sayOpening(p, spec, holds)
	}
	err = a.runner.DriveLoop(ctx, p, f.Events, func(ctx context.Context, d engine.Drive) (loop.State, error) {
		return p.Loops.Start(ctx, spec, engine.Options{Max: p.Settings.MaxLoops(), Force: f.Force, Alone: f.ByTask()}, d)
	})
	if errors.Is(err, engine.ErrSameTask) || errors.Is(err, engine.ErrExists) {
		return a.resumeOther(ctx, p, spec, f, err)
	}
	return err
}

func (a *Commands) sayOpening(p *project.Project, spec loop.Spec, holds string) {
	paint := a.Palette(a.Err)
	for _, line := range append(view.Opening(loop.New(spec, a.Now()), paint), view.SessionBudget(p.Settings.BudgetOf(loop.SessionLevel), paint)...) {
		a.Say("%s", line)
	}
	a.Say("%s", holds)
}

// resumeOther continues where another start of the task was faster by an instant, as if this
// one had come later. refused is why this one could not start.
func (a *Commands) resumeOther(ctx context.Context, p *project.Project, spec loop.Spec, f launch.Flags, refused error) error {
	id, err := a.sameTask(ctx, p, spec, f)
	if err != nil {
		return err
	}
	if id == "" {
		return refused
	}
	return a.resumeUnfinished(ctx, p, id, f)
}

// treeInUse refuses a second loop in a tree where one is at work.
func treeInUse(ctx context.Context, p *project.Project, spec loop.Spec) error {
	if !spec.InPlace {
		return nil
	}
	active, err := p.Loops.List(ctx, engine.Filter{Active: true})
	for _, l := range active {
		if l.Live && l.State.InPlace && l.State.Root == spec.Root {
			return &exit.Error{
				Code: exit.Busy, Err: fmt.Errorf("loop %s is at work in this tree", l.State.ID),
				Hint: "wait for it: " + next.Wait(l.State.ID) + "; or leave out --in-place",
			}
		}
	}
	return err
}

// sayUncommitted tells what becomes of uncommitted changes: a loop starts from the commit
// at HEAD, or takes them along.
func (a *Commands) sayUncommitted(ctx context.Context, p *project.Project, spec loop.Spec) {
	if p.Repo.Root == "" || spec.InPlace && !spec.WithChanges {
		return
	}
	d, err := p.Repo.Dirty(ctx, "")
	if err != nil || !d.Any() {
		return
	}
	names := text.Line(strings.Join(d.Sample, ", "))
	if d.Files > len(d.Sample) {
		names += " …"
	}
	files := text.Plural(d.Files, "file") + " (" + names + ")"
	if spec.WithChanges {
		a.Note("uncommitted changes become the first commit of the loop, and go to your branch with accept: %s", files)
		return
	}
	a.Note("uncommitted changes are left alone and are not part of the work: %s; --with-changes includes them", files)
}
