package plan

import (
	"context"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
	"ralph/internal/engine/planner"
	"ralph/internal/text"
)

func (a *Commands) approveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "approve FILE",
		Short: "Accept the commands that a plan proposes as checks",
		Example: `  ralph plan approve plan.md         # shows them, and asks
  ralph plan approve plan.md --yes   # without asking`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.approve(cmd.Context(), args[0])
		},
	}
}

func (a *Commands) approve(ctx context.Context, name string) error {
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	path, err := a.planFile(ctx, p, name)
	if err != nil {
		return err
	}
	file, err := launch.ReadPlan(a.Opener, path)
	if err != nil {
		return err
	}
	id, all := planner.IDOf(path), planner.Proposals(file.Plan)
	o := Approved{Schema: ApprovedSchema, PlanID: id, File: path, Commands: append([]string{}, all...)}
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
			return exit.UsageError("read them, then re-run with --yes", "these commands would run on this machine; confirmation required")
		}
		yes, err := a.YesOrNo(ctx, "Let them run as gates? [y/N] ", false)
		if err != nil || !yes {
			return err
		}
	}
	for _, c := range all {
		if err := p.Plans.Approve(ctx, id, c); err != nil {
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

// ApprovedSchema names what plan approve --json prints.
const ApprovedSchema = "ralph.planapproved/v1"

// Approved are the commands of a plan that a person has accepted.
type Approved struct {
	Schema   string   `json:"schema"`
	PlanID   string   `json:"plan_id"`
	File     string   `json:"file"`
	Commands []string `json:"commands"`
}

func (a *Commands) approved(o Approved) error {
	if !a.JSON {
		return nil
	}
	return a.Object(o)
}

// planFile is the file of a plan that is named by its path, or by its id.
func (a *Commands) planFile(ctx context.Context, p *project.Project, name string) (string, error) {
	path, err := launch.PlanPath(a.Opener, name)
	if err == nil && path != "" {
		return path, nil
	}
	id, _, findErr := runs.Names{Plans: p.Plans.Find}.Resolve(ctx, a.Opener, name)
	if findErr != nil {
		if err == nil {
			err = findErr
		}
		return "", err
	}
	l, err := p.Plans.Show(ctx, id)
	return l.State.File, err
}
