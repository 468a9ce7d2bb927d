package command

import (
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/text"
)

// NoSuch refuses a word that is not a command. It is never taken for a task: a
// typing mistake must not start a paid agent.
func NoSuch(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	said := strings.TrimPrefix(cmd.CommandPath()+" "+args[0], cmd.Root().Name()+" ")
	if known := synonyms()[said]; len(known) > 0 {
		return exit.UsageError("did you mean: ralph "+strings.Join(known, ", or ralph ")+"?", "unknown command %q", args[0])
	}
	hint := cmd.CommandPath() + " --help lists the commands"
	if !cmd.HasParent() {
		hint += "; a task is started with ralph run \"" + args[0] + "\""
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := text.Nearest(args[0], names); near != "" {
		hint = "did you mean: " + cmd.CommandPath() + " " + near + "?"
	}
	return exit.UsageError(hint, "unknown command %q", args[0])
}
