package command

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
)

// NoSuch refuses a word that is not a command. It is never taken for a task: a
// typing mistake must not start a paid agent.
func NoSuch(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	hint := "ralph --help lists the commands; a task is started with ralph run \"" + args[0] + "\""
	if s := cmd.SuggestionsFor(args[0]); len(s) > 0 {
		hint = "did you mean: " + cmd.CommandPath() + " " + s[0] + "?"
	}
	return exit.UsageError(hint, "unknown command %q", args[0])
}
