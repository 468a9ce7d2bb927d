package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/engine/planner"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// planCommands are the proposals that a person has accepted, as gates. At a
// terminal those that nobody has looked at yet are shown, and asked about.
func (a *app) planCommands(ctx context.Context, p *project.Project, path string, pl plan.Plan, name string, f launch.Flags) (map[string]loop.Gate, error) {
	id := planner.IDOf(path)
	out, open, err := p.Planner.Approved(ctx, id, pl, p.Repo.Prefix, f.Plan.Trust)
	if err != nil || len(open) == 0 {
		return out, err
	}
	if !a.Asks() || f.DryRun {
		a.Say("note: %s proposes commands that nobody has accepted; they are no gates and do not run:", name)
		for _, c := range open {
			a.Say("  %s", text.Clean(c))
		}
		a.Say("read them, and accept them: %s", next.Approve(a.shownPath(path)))
		return out, nil
	}
	yes, err := a.askCommands(ctx, name, open)
	if err != nil || !yes {
		return out, err
	}
	for _, c := range open {
		if err := p.Planner.Approve(ctx, id, c); err != nil {
			return nil, err
		}
		out[c] = planner.CommandGate(c, p.Repo.Prefix)
	}
	return out, nil
}

func (a *app) askCommands(ctx context.Context, name string, open []string) (bool, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s proposes these commands as checks. They would run on this machine:\n", strings.ToUpper(name[:1])+name[1:])
	for _, c := range open {
		fmt.Fprintf(&b, "  %s\n", text.Clean(c))
	}
	return a.YesOrNo(ctx, b.String()+"Let them run as gates? [y/N] ", false)
}

func (a *app) planApproveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "approve FILE",
		Short: "Accept the commands that a plan proposes as checks",
		Example: `  ralph plan approve plan.md         # shows them, and asks
  ralph plan approve plan.md --yes   # without asking`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.planApprove(cmd.Context(), args[0])
		},
	}
}

func (a *app) planApprove(ctx context.Context, name string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	path, err := a.planFile(ctx, p, name)
	if err != nil {
		return err
	}
	file, err := a.readPlan(path)
	if err != nil {
		return err
	}
	id, all := planner.IDOf(path), planner.Proposals(file.Plan)
	o := planApproved{Schema: planApprovedSchema, PlanID: id, File: path, Commands: append([]string{}, all...)}
	if len(all) == 0 {
		a.Say("%s proposes no commands", path)
		return a.approved(o)
	}
	if !a.JSON {
		for _, c := range all {
			a.Print(text.Clean(c))
		}
	}
	if !a.Yes {
		if !a.Asks() {
			return exit.UsageError("add --yes, when you have read them", "these commands would run on this machine; nobody is here to agree")
		}
		yes, err := a.YesOrNo(ctx, "Let them run as gates? [y/N] ", false)
		if err != nil || !yes {
			return err
		}
	}
	for _, c := range all {
		if err := p.Planner.Approve(ctx, id, c); err != nil {
			return err
		}
	}
	if len(all) == 1 {
		a.Say("1 command is a gate of this plan now")
	} else {
		a.Say("%d commands are gates of this plan now", len(all))
	}
	return a.approved(o)
}

// planApprovedSchema names what plan approve --json prints.
const planApprovedSchema = "ralph.planapproved/v1"

// planApproved are the commands of a plan that a person has accepted.
type planApproved struct {
	Schema   string   `json:"schema"`
	PlanID   string   `json:"plan_id"`
	File     string   `json:"file"`
	Commands []string `json:"commands"`
}

func (a *app) approved(o planApproved) error {
	if !a.JSON {
		return nil
	}
	return a.Object(o)
}

// planFile is the file of a plan that is named by its path, or by its id.
func (a *app) planFile(ctx context.Context, p *project.Project, name string) (string, error) {
	path, err := a.planPath(name)
	if err == nil && path != "" {
		return path, nil
	}
	id, findErr := p.Planner.Find(ctx, name)
	if findErr != nil {
		if err == nil {
			err = findErr
		}
		return "", err
	}
	l, err := p.Planner.Show(ctx, id)
	return l.State.File, err
}

func (a *app) planResolveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "resolve PLAN [TEXT]",
		Short: "Say that a gap or an edge case is dealt with",
		Example: `  ralph plan resolve plan.md "API error handling not defined"
  ralph plan resolve plan.md         # lists what is open`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.planResolve(cmd.Context(), args)
		},
	}
}

func (a *app) planResolve(ctx context.Context, args []string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	id, err := a.planNamed(ctx, p, args[0])
	if err != nil {
		return err
	}
	if len(args) == 1 {
		l, err := p.Planner.Show(ctx, id)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.planObject(ctx, p, l)
		}
		for _, f := range l.State.Open() {
			a.Print(fmt.Sprintf("%s: %s", f.Kind, text.Clean(f.Text)))
		}
		return nil
	}
	s, err := p.Planner.Send(ctx, id, engine.Command{Kind: engine.Resolve, Text: args[1], By: a.Owner()})
	if err != nil {
		return err
	}
	if a.JSON {
		l, err := p.Planner.Show(ctx, id)
		if err != nil {
			return err
		}
		return a.planObject(ctx, p, l)
	}
	a.Say("resolved: %s", text.Clean(args[1]))
	if s.Review != nil && s.Review.Again {
		a.Say("nothing is open any more; the whole is reviewed again by: %s", next.Run(command.ShellWord(args[0])))
	}
	return nil
}
