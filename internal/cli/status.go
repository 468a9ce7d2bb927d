package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/engine"
	"ralph/internal/report"
)

// recent is how many ended loops status shows without --all.
const recent = 5

func (a *app) statusCommand() *cobra.Command {
	var all, exit bool
	cmd := &cobra.Command{
		Use:     "status [ID]",
		GroupID: groupWatch,
		Short:   "What needs you, what runs, what waits, what ended",
		Example: `  ralph status                # the loops of this repository
  ralph status --all          # every loop, ended ones too
  ralph status --json         # for programs
  ralph status ID --exit-code # 0 passed, 1 failed, 2 unfinished, 3 needs you`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.status(cmd.Context(), args, all, exit)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every loop that is not archived")
	cmd.Flags().BoolVar(&exit, "exit-code", false, "let the exit code tell how the loop stands")
	a.loopIDFlag(cmd)
	return cmd
}

func (a *app) status(ctx context.Context, ids []string, all, exit bool) error {
	p, err := a.open(ctx, true)
	if err != nil {
		return err
	}
	defer p.close()
	loops, err := a.statusOf(ctx, p, ids, all)
	if err != nil {
		return err
	}
	items, err := a.items(ctx, p, loops)
	if err != nil {
		return err
	}
	if a.json {
		err = a.encode(report.ListOf(items))
	} else {
		a.print(report.List(items, all, a.now(), a.palette(a.Out)))
	}
	if err == nil && exit && len(loops) == 1 {
		return ends(codeOf(loops[0].State))
	}
	return err
}

// statusOf is the loops to show: one, all, or the active and the newest ended.
func (a *app) statusOf(ctx context.Context, p *project, ids []string, all bool) ([]engine.Loop, error) {
	if len(ids) == 1 {
		id, err := p.engine.Find(ctx, ids[0])
		if err != nil {
			return nil, err
		}
		l, err := p.engine.Show(ctx, id)
		return []engine.Loop{l}, err
	}
	if all {
		return p.engine.List(ctx, engine.Filter{})
	}
	loops, err := p.engine.List(ctx, engine.Filter{Active: true})
	if err != nil {
		return nil, err
	}
	newest, err := p.engine.List(ctx, engine.Filter{Limit: recent})
	for _, l := range newest {
		if l.State.Status.Terminal() {
			loops = append(loops, l)
		}
	}
	return loops, err
}

// overview is `ralph` alone: what is going on here, or how to start.
func (a *app) overview(ctx context.Context) error {
	return a.status(ctx, nil, false, false)
}

// loopIDFlag lets a command take its loop by --loop-id too (seed 001).
func (a *app) loopIDFlag(cmd *cobra.Command) {
	id := cmd.Flags().String("loop-id", "", "the loop's `ID` or a unique beginning of it")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *id != "" {
			args = append([]string{*id}, args...)
		}
		return run(cmd, args)
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		return a.completeIDs(cmd.Context(), start), cobra.ShellCompDirectiveNoFileComp
	}
}

func (a *app) completeIDs(ctx context.Context, start string) []string {
	p, err := a.open(ctx, true)
	if err != nil {
		return nil
	}
	defer p.close()
	loops, _ := p.engine.List(ctx, engine.Filter{Limit: 50})
	var out []string
	for _, l := range loops {
		if strings.HasPrefix(l.State.ID, start) {
			out = append(out, l.State.ID+"\t"+report.Clean(l.State.Task.Text))
		}
	}
	return out
}
