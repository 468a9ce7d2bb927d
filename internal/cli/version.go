package cli

import (
	"runtime"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: command.GroupOther,
		Short:   "Version, commit, Go",
		Example: "  ralph version --json",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	version, commit := command.Build()
	if a.JSON {
		return a.Object(map[string]string{
			"schema": "ralph.version/v1", "version": version, "commit": commit, "go": runtime.Version(),
			"os": runtime.GOOS, "arch": runtime.GOARCH,
		})
	}
	a.Print("ralph " + version + "\ncommit " + commit + "\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH)
	return nil
}
