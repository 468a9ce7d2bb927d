// Package setup is ralph init, ralph config and ralph trust: it surveys a project, tries its
// gates, writes ralph.yaml, and shows where each setting comes from.
package setup

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/project"
)

// group is the commands with what they need.
type group struct{ *project.Opener }

// InitCommand returns ralph init.
func InitCommand(o *project.Opener) *cobra.Command { return (&group{o}).initCommand() }

// ConfigCommand returns ralph config with the subcommand that prints schemas.
func ConfigCommand(o *project.Opener, schema *cobra.Command) *cobra.Command {
	return (&group{o}).configCommand(schema)
}
