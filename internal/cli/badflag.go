package cli

import (
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
)

// badFlag rejects an unknown flag and suggests a similar one.
func badFlag(cmd *cobra.Command, err error) error {
	hint := cmd.CommandPath() + " --help"
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if near := config.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			hint = "did you mean --" + near + "?"
		}
	}
	return exit.UsageError(hint, "%v", err)
}
