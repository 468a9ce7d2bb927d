// Package plugin is ralph plugin: it installs ralph's skills, hooks and tools
// into the programs of agents.
package plugin

import "ralph/internal/cli/command"

// Commands are the commands with what they need.
type Commands struct{ *command.Terminal }

// New returns the commands of this group.
func New(t *command.Terminal) *Commands { return &Commands{t} }
