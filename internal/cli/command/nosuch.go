package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
)

// NoSuch refuses a word that is not a command. It is never taken for a task: a
// typing mistake must not start a paid agent.
func NoSuch(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if known := synonyms[args[0]]; len(known) > 0 && !cmd.HasParent() {
		return exit.UsageError("did you mean: ralph "+strings.Join(known, ", or ralph ")+"?", "unknown command %q", args[0])
	}
	hint := "ralph --help lists the commands; a task is started with ralph run \"" + args[0] + "\""
	if s := slices.DeleteFunc(cmd.SuggestionsFor(args[0]), func(s string) bool { return !alike(args[0], s) }); len(s) > 0 {
		hint = "did you mean: " + cmd.CommandPath() + " " + s[0] + "?"
	}
	return exit.UsageError(hint, "unknown command %q", args[0])
}

// alike reports whether a command is perhaps what was typed. Two letters of
// difference are too many where the first one is wrong too: "bogus" is not "logs".
func alike(typed, command string) bool {
	if typed == "" || typed[0] == command[0] {
		return true
	}
	return typed[1:] == command[1:] || typed[1:] == command || typed == command[1:]
}
