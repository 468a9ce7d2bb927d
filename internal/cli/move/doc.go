// Package move is ralph move: it moves a loop or plan from the engine of this machine to that of a
// team, or back.
package move

import "ralph/internal/cli/project"

// Commands are the commands with what they need.
type Commands struct {
	*project.Opener
	// linked returns nil where this program can connect to an engine. Else it hands the
	// command over to one that can, and does not return.
	linked func(project.Address) error
}

// New returns the commands of this group.
func New(o *project.Opener, linked func(project.Address) error) *Commands {
	return &Commands{o, linked}
}
