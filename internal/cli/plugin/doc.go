// Package plugin is ralph plugin: it installs ralph's skills, hooks and tools
// into the programs of agents.
package plugin

import (
	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
)

// group is the commands with what they need.
type group struct{ *command.Terminal }

// Command returns ralph plugin.
func Command(t *command.Terminal) *cobra.Command { return (&group{t}).pluginCommand() }
