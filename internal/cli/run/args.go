package run

import (
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
)

// oneTask refuses more than one argument. A flag whose value may be left out
// takes it behind = only: what stands apart from it looks like a second task, and
// is told as what it was meant to be.
func oneTask(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	isNumber := func(s string) bool { _, err := strconv.Atoi(s); return err == nil }
	isWho := func(s string) bool { return slices.Contains([]string{"person", "review", "off"}, s) }
	for flag, fits := range map[string]func(string) bool{"auto-test-fix": isNumber, "approve-plan": isWho} {
		if !cmd.Flags().Changed(flag) {
			continue
		}
		if i := slices.IndexFunc(args, fits); i >= 0 {
			return exit.UsageError("--"+flag+"="+args[i], "--%s %s: the value stands behind =, without a space", flag, args[i])
		}
	}
	return exit.UsageError("put the task in quotes: it is one argument", "ralph run takes one task or one plan, not %d arguments: %q", len(args), args)
}
