package project

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/engine"
	"ralph/internal/text"
)

// MostEnded is how many ended loops a list shows unless more are asked for:
// lists must not become slower over the years.
const MostEnded = 50

// LoopIDFlag lets a command take its loop by --loop-id too (seed 001).
func (a *Opener) LoopIDFlag(cmd *cobra.Command) {
	id := cmd.Flags().String("loop-id", "", "the loop's `ID` or a unique beginning of it")
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if cmd.Flags().Changed("loop-id") {
			args = append([]string{*id}, args...)
		}
		if len(args) > 0 && strings.TrimSpace(args[0]) == "" { // probably an unset variable of a script
			return exit.UsageError("leave it out, or name an id", "the id is empty")
		}
		return run(cmd, args)
	}
	cmd.ValidArgsFunction = func(cmd *cobra.Command, _ []string, start string) ([]string, cobra.ShellCompDirective) {
		return a.CompleteIDs(cmd.Context(), start), cobra.ShellCompDirectiveNoFileComp
	}
}

// CompleteIDs returns the ids of loops that begin with start, for shell completion.
func (a *Opener) CompleteIDs(ctx context.Context, start string) []string {
	p, err := a.Open(ctx, true)
	if err != nil {
		return nil
	}
	defer p.Close()
	loops, _ := p.Loops.List(ctx, engine.Filter{Limit: MostEnded})
	var out []string
	for _, l := range loops {
		if strings.HasPrefix(l.State.ID, start) {
			out = append(out, l.State.ID+"\t"+text.Clean(l.State.Task.Text))
		}
	}
	return out
}
