package plan

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/launch"
	"ralph/internal/planfile"
	"ralph/internal/view"
)

// PlanCommand is about plan files; ralph run works through one.
func (a *Commands) PlanCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "plan",
		GroupID: command.GroupRun,
		Short:   "Draft and look at plan files: new, show, check, graph, import, export",
		Long: `Draft a plan with an agent, or look at one: a file of tasks in any of the formats
that ralph reads (docs/plans.md has them all). No work is started: ralph run FILE
does that.`,
		Example: `  ralph plan new "add a login page"      # an agent drafts it, you keep it
  ralph plan show prd.json               # the order, and why
  ralph plan check docs/plan.md          # 0 all done, 2 work left, 1 wrong
  ralph plan graph tasks.md --format mermaid
  ralph plan import tasks.json -o plan.md
  ralph plan export plan.md --to prd -o prd.json`,
		Args: command.NoSuch,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(a.subcommands()...)
	return cmd
}

// subcommands are the verbs of ralph plan, in the order of the help.
func (a *Commands) subcommands() []*cobra.Command {
	return []*cobra.Command{
		a.newCommand(), a.showCommand(), a.checkCommand(), a.graphCommand(), a.importCommand(), a.exportCommand(),
		a.approveCommand(), a.resolveCommand(),
	}
}

func (a *Commands) showCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "show FILE",
		Short: "The order of the tasks, what waits for what and why, and what would be run",
		Long: `Show a plan as it is read: the tasks by the turn in which each could run, what
waits for what and where that comes from (stated, order of the file, priority,
phase, parent), the commands that the file proposes, what is over, and what was
perhaps meant otherwise. With --json the whole plan (ralph.plan/v1), which is a
plan file too.`,
		Example: `  ralph plan show prd.json
  ralph plan show docs/plan.md --json | jq .levels`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.show(args[0]) },
	}
}

func (a *Commands) show(name string) error {
	f, err := launch.ReadPlan(a.Opener, name)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Object(objectOf(name, f))
	}
	a.Print(a.Palette(a.Out).Out(view.PlanDocument(name, f)))
	return nil
}

// objectOf returns a plan with what is computed of it.
func objectOf(name string, f planfile.File) planfile.PlanObject {
	o := planfile.AsObject(f.Plan)
	counts := view.PlanCounts(f.Plan)
	o.File, o.Format, o.Counts, o.Levels, o.Warnings = name, f.Format, &counts, view.PlanLevels(f.Plan), f.Warnings
	return o
}
