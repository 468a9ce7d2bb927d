package plan

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/view"
)

func (a *Commands) graphCommand() *cobra.Command {
	format := "ascii"
	cmd := &cobra.Command{
		Use:   "graph FILE",
		Short: "The tasks and what they wait for, drawn",
		Long: `Draw a plan: what waits for what. ascii is for the terminal, mermaid for
Markdown, dot for Graphviz, json is the plan as ralph plan show --json prints it.`,
		Example: `  ralph plan graph prd.json
  ralph plan graph prd.json --format mermaid >> README.md
  ralph plan graph prd.json --format dot | dot -Tsvg > plan.svg`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.graph(args[0], format) },
	}
	cmd.Flags().StringVar(&format, "format", format, "write as `FORMAT`: ascii, mermaid, dot or json")
	return cmd
}

func (a *Commands) graph(name, format string) error {
	f, err := launch.ReadPlan(a.Opener, name)
	if err != nil {
		return err
	}
	if a.JSON {
		format = "json"
	}
	switch format {
	case "ascii":
		a.Print(a.Palette(a.Out).Out(view.PlanTree(f.Plan)))
	case "mermaid":
		a.Print(view.PlanMermaid(f.Plan))
	case "dot":
		a.Print(view.PlanDot(f.Plan))
	case "json":
		return a.Object(objectOf(name, f))
	default:
		return exit.UsageError("write ascii, mermaid, dot or json", "%q is no format of a graph", format)
	}
	return nil
}
