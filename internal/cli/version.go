package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		GroupID: command.GroupMind,
		Short:   "Version, commit, Go",
		Example: "  ralph version --json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			version, commit := build()
			if a.JSON {
				return a.Object(map[string]string{
					"schema": "ralph.version/v1", "version": version, "commit": commit, "go": runtime.Version(),
					"os": runtime.GOOS, "arch": runtime.GOARCH,
				})
			}
			a.Print("ralph " + version + "\ncommit " + commit + "\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH)
			return nil
		},
	}
}

// build is what the linker recorded about this program.
func build() (version, commit string) {
	version, commit = "devel", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version, commit
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		version = v
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			commit += " (modified)"
		}
	}
	return version, commit
}
