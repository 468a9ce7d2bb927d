package worker

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/text"
)

func (a *Commands) doctorCommand(f *flags) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check that this machine can work for the team",
		Long: `Check, without starting an agent, that this machine can work for the team: git, the
server, reading the remote, submodules and content filters (Git LFS), the right to push to
refs/heads/ralph/* (a branch of its own is pushed and deleted), the shared folder or object
store, the sandbox, the programs of agents. A worker makes the same checks before it takes its first loop.

Exit code: 0 it can, 69 something fails.`,
		Example: `  ralph worker doctor --engine temporal://127.0.0.1:7233/shop --repo git@host:team/shop.git`,
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.named(*f); err != nil {
				return err
			}
			p, err := a.OpenMirror(cmd.Context(), f.repo)
			if err == nil {
				defer p.Close()
			}
			return a.tell(cmd.Context(), p, err)
		},
	}
}

// tell prints all checks.
func (a *Commands) tell(ctx context.Context, p *project.Project, why error) error {
	all := a.CheckWorker(ctx, p, why)
	failed := slices.ContainsFunc(all, fails)
	if a.JSON {
		if err := a.Object(map[string]any{"schema": "ralph.workerdoctor/v1", "healthy": !failed, "findings": all}); err != nil {
			return err
		}
	} else {
		a.Print(lines(all))
	}
	if failed {
		return exit.With(exit.Missing)
	}
	return nil
}

func fails(c project.Check) bool { return c.Level == project.CheckFail }

func lines(all []project.Check) string {
	var b strings.Builder
	for _, c := range all {
		mark := map[string]string{project.CheckOK: "✓", project.CheckWarn: "!", project.CheckFail: "✗"}[c.Level]
		fmt.Fprintf(&b, "%s %s: %s\n", mark, c.Name, text.Line(c.What))
		if c.Fix != "" {
			fmt.Fprintf(&b, "    try: %s\n", text.Line(c.Fix))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// able refuses to work where a check fails.
func (a *Commands) able(ctx context.Context, p *project.Project) error {
	failed := slices.DeleteFunc(a.CheckWorker(ctx, p, nil), func(c project.Check) bool { return !fails(c) })
	if len(failed) == 0 {
		return nil
	}
	a.Say("%s", lines(failed))
	return &exit.Error{Code: exit.Missing, Err: errors.New("this machine cannot work for the team"), Hint: "ralph worker doctor makes these checks again"}
}
